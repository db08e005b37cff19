// From scores to probabilities, fitted to scores of examples that were left out.
#pragma once

#include <span>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

struct Logistic {
  double slope = 1, intercept = 0;
};

// Platt's logistic curve: P(class 1) = 1/(1 + e^{-(slope L + intercept)}), with his softened targets, so that separable
// scores still give probabilities inside (0, 1). The slope is never negative: a score that misleads is told as such by
// a probability near the share of the classes. Without weights every example counts once.
Logistic fit_platt(std::span<const double> score, std::span<const Index> y, std::span<const double> weights = {});

// P(class k) in proportion to e^{slope f_k}. Scores class by class.
double fit_temperature(std::span<const double> f, std::span<const Index> y, Index classes,
                       std::span<const double> weights = {});

// Those probabilities, for one example's scores.
std::vector<double> softmax(std::span<const double> f, double slope);

}  // namespace medlar
