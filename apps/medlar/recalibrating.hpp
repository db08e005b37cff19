// --recalibrate of train and tune: probabilities by a curve over scores of examples that were left out.
#pragma once

#include "command.hpp"

namespace medlar::cli {

void add_recalibrate_flag(CLI::App& command, std::string& kind);

// Five fits without a fifth of the examples each. An interruption leaves the model as it is, and says so.
void recalibrate_model(const Globals& globals, Model& model, const Dataset& data, const std::string& kind,
                       const FitPart& fit_part);

// "probabilities by platt: Brier 0.081 (0.094 without), calibration error 0.021 (0.063)"
std::string recalibration_text(const Recalibration& curve);
Json recalibration_json(const Recalibration& curve);

}  // namespace medlar::cli
