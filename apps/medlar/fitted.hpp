// What a fit says of itself, to people and to programs; train and tune share it.
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
std::string fitted_text(const Model& model, const Dataset& data, const Seconds& seconds, const std::string& output);

// Adds to the notes what was guessed about the task, and when nothing was learnt.
void note_guesses(const Settings& asked, const Model& model, Dataset& data);

// Whether every example has the same number for its target, which makes every model constant.
bool same_target(const Dataset& data);

// The exit code that the way the solve ended asks for.
int exit_code(const Model& model);

}  // namespace medlar::cli
