// The expected alignment of sequences under a latent model of alignment.
#pragma once

#include <vector>

#include "medlar/model.hpp"

namespace medlar {

// For each row, time by time, the probability of every state, given the signal alone: length x states numbers. Throws
// OptionError for a model without alignment.
std::vector<std::vector<double>> expected_alignment(const Model& model, const Matrix& x);

}  // namespace medlar
