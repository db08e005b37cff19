// From scores to probabilities, fitted to scores of examples that were left out of the fit.
#pragma once

#include <span>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

// P(class k) is proportional to e^{slope f_k}, so the class of the largest score is the most probable one. Platt's
// softened targets keep the probabilities below 1 when the scores separate the classes. f holds the scores class by
// class. Without weights every example counts once.
double fit_temperature(std::span<const double> f, std::span<const Index> y, Index classes,
                       std::span<const double> weights = {});

// These probabilities, for the scores of one example.
std::vector<double> softmax(std::span<const double> f, double slope);

}  // namespace medlar
