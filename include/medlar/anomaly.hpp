// Why an example is odd: what each feature adds to its score.
#pragma once

#include <vector>

#include "medlar/model.hpp"

namespace medlar {

// E[log p] of each example, feature by feature, in nats. A row sums to the score. GenerativePart::typical has the mean
// over the training examples; a feature far below it makes the example odd. For anomaly detectors only.
std::vector<std::vector<double>> contributions(const Model& model, const Matrix& x);

// For each row, what is typical of the features that it says nothing of; 0 for rows without missing values. This plus
// the score is the row's level, to which GenerativePart::threshold and levels refer. For anomaly detectors only.
std::vector<double> typical_of_gaps(const Model& model, const Matrix& x);

}  // namespace medlar
