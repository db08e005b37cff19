// Features in blocks of limited size that keep the strong correlations together.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// z has columns of mean square 1 (or 0). Pairs are joined in three rounds, of correlations above 0.7, above 0.5 and
// above `least`, unless a block would have more than `most` features. Small blocks are then put together. The columns
// of a block ascend. The cost is three passes over all pairs, 3/2 n^2 T multiplications, and no n x n matrix is stored.
std::vector<std::vector<Eigen::Index>> correlated_blocks(const RowMatrix& z, double least, Eigen::Index most);

}  // namespace medlar
