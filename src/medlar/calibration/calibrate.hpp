// From scores to probabilities, fitted to scores of examples that were left out.
#pragma once

#include <span>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

// P(class k) in proportion to e^{slope f_k}, so that the class of the largest score is the most probable one. Platt's
// softened targets keep scores that tell the classes apart from becoming certainties. Scores class by class; without
// weights every example counts once.
double fit_temperature(std::span<const double> f, std::span<const Index> y, Index classes,
                       std::span<const double> weights = {});

// Those probabilities, for one example's scores.
std::vector<double> softmax(std::span<const double> f, double slope);

}  // namespace medlar
