// Why an example is odd: what each feature adds to its score.
#pragma once

#include <vector>

#include "medlar/model.hpp"

namespace medlar {

// E[log p] of each example, feature by feature, in nats: a row sums to the score. GenerativePart::typical has the mean
// over the training examples; a feature far below it is what makes the example odd. For anomaly detectors only.
std::vector<std::vector<double>> contributions(const Model& model, const Matrix& x);

}  // namespace medlar
