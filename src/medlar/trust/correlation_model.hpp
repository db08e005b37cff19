// Correlations of features from few examples, for making copies.
#pragma once

#include <vector>

#include "medlar/linalg/correlated_blocks.hpp"

namespace medlar {

// All take z with columns of mean square 1 (or 0: a feature that never varies, which correlates with none), and give a
// unit diagonal.

// The correlations r of the examples, each moved towards 0 by `least` sqrt(1 - r^2) (soft thresholding: Rothman, Levina
// and Zhu 2009). Strong correlations between neighbours are kept, because their errors are small. If all were shrunk
// alike, copies would resemble their neighbours too little, and neighbours of true features would beat them. The result
// need not be positive definite.
Eigen::MatrixXd thresholded_correlations(const RowMatrix& z, double least);

// Correlations implied by a regression of each feature on a few others, its parents. Positive definite.
Eigen::MatrixXd correlations_by_parents(const RowMatrix& z);

// For each feature the number of its group, from 0 on. All members of a group correlate by `least` or more with each
// other, either way.
std::vector<Eigen::Index> correlated_groups(const Eigen::MatrixXd& correlation, double least);

}  // namespace medlar
