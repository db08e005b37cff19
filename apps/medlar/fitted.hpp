// The summary of a fit, for people and for programs; train and tune share it.
#pragma once

#include <chrono>

#include "command.hpp"

namespace medlar::cli {

struct Seconds {
  double read = 0, prepare = 0, fit = 0, total = 0;
};
double seconds_since(std::chrono::steady_clock::time_point start);

// "a linear classifier of 'yes' against 'no': exponential margins with c = 3, ..."
std::string description(const Model& model);

Json fitted_json(const Model& model, const Dataset& data, const Seconds& seconds, const std::string& output);
std::string fitted_text(const Globals& globals, const Model& model, const Dataset& data, const Seconds& seconds,
                        const std::string& output);

// Adds to the notes what was guessed about the task, and whether nothing was learnt.
void note_guesses(const Settings& asked, const Model& model, Dataset& data);

// Whether every example has the same number as its target, so that every model is constant.
bool same_target(const Dataset& data);

// The exit code for the way the solve ended.
int exit_code(const Model& model);

}  // namespace medlar::cli
