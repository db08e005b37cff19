// Least squares with a constant, the baseline of the paper's tables.
#pragma once

#include <vector>

#include "medlar/dataset.hpp"

namespace medlar {

// Fits y on x and a constant; of many solutions the smallest. Returns the predictions for `test`.
std::vector<double> least_squares(const Matrix& x, const std::vector<double>& y, const Matrix& test);

}  // namespace medlar
