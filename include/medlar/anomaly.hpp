// Why an example is odd: what each feature adds to its score.
#pragma once

#include <vector>

#include "medlar/model.hpp"

namespace medlar {

// E[log p] of each example, feature by feature, in nats: a row sums to the score. GenerativePart::typical has the mean
// over the training examples; a feature far below it is what makes the example odd. For anomaly detectors only.
std::vector<std::vector<double>> contributions(const Model& model, const Matrix& x);

// What is typical of the features that each row says nothing of; 0 for whole rows. The score and this are the row's
// level, which GenerativePart::threshold and levels are about. For anomaly detectors only.
std::vector<double> typical_of_gaps(const Model& model, const Matrix& x);

}  // namespace medlar
