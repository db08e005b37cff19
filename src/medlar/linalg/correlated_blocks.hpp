// Features in blocks of limited size that keep the strong correlations together.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// z has columns of mean square 1 (or 0). Pairs are joined from the most strongly correlated down, in three rounds (0.7,
// 0.5 and `least`), unless a block would have more than `most` features; small blocks are then put together. Each
// block's columns ascend. Three passes over all pairs, by products of tiles: 3/2 n^2 T multiplications, n x n numbers
// never.
std::vector<std::vector<Eigen::Index>> correlated_blocks(const RowMatrix& z, double least, Eigen::Index most);

}  // namespace medlar
