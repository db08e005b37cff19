// From scores to probabilities by a logistic curve.
#pragma once

#include <span>

#include "medlar/types.hpp"

namespace medlar {

struct Logistic {
  double slope = 1, intercept = 0;
};

// Platt's logistic curve: P(class 1) = 1/(1 + e^{-(slope L + intercept)}), with his softened targets, so that scores
// that separate the classes still give probabilities inside (0, 1). The slope is never negative: a misleading score
// gets slope 0 and a probability near the share of the classes. Without weights every example counts once.
Logistic fit_platt(std::span<const double> score, std::span<const Index> y, std::span<const double> weights = {});

}  // namespace medlar
