// Summing over K(K - 1)/2 pairs of classes looks like more work than over K classes, but each constraint is summed once
// and its block is used four times. down = -1 is treated as a class K without a block.
#include "medlar/linalg/systems/class_gram.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "medlar/linalg/blocked.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/numerics/at.hpp"

namespace medlar {

Eigen::MatrixXd class_gram(const Eigen::MatrixXd& u, Index classes, std::span<const Index> example,
                           std::span<const Index> up, std::span<const Index> down, std::span<const double> h) {
  // The constraints of each pair of classes; class K stands for none.
  std::vector<std::vector<std::size_t>> of_pair(at((classes + 1) * (classes + 1)));
  for (std::size_t c = 0; c < h.size(); ++c) {
    if (h[c] == 0) continue;
    const Index other = down[c] >= 0 ? down[c] : classes;
    of_pair[at(std::min(up[c], other) * (classes + 1) + std::max(up[c], other))].push_back(c);
  }
  const Eigen::Index wide = u.cols();
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(wide * classes, wide * classes);
  for (Index k = 0; k < classes; ++k) {
    for (Index l = k + 1; l <= classes; ++l) {
      const std::vector<std::size_t>& own = of_pair[at(k * (classes + 1) + l)];
      if (own.empty()) continue;
      pause();
      Eigen::MatrixXd scaled(wide, std::ssize(own));
      for (std::size_t s = 0; s < own.size(); ++s) {
        scaled.col(static_cast<Eigen::Index>(s)) = u.row(example[own[s]]).transpose() * std::sqrt(h[own[s]]);
        pause_after(8 * at(wide));
      }
      Eigen::MatrixXd block = Eigen::MatrixXd::Zero(wide, wide);
      add_outer(block, scaled);
      block.triangularView<Eigen::StrictlyUpper>() = block.transpose();
      m.block(k * wide, k * wide, wide, wide) += block;
      if (l == classes) continue;
      m.block(l * wide, l * wide, wide, wide) += block;
      m.block(k * wide, l * wide, wide, wide) = -block;
      m.block(l * wide, k * wide, wide, wide) = -block;
    }
  }
  return m;
}

Eigen::MatrixXd biases_last(const Eigen::MatrixXd& gram, Index classes) {
  const Eigen::Index wide = gram.rows() / classes, n = wide - 1, all = n * classes;
  Eigen::MatrixXd m(gram.rows(), gram.cols());
  for (Index k = 0; k < classes; ++k) {
    for (Index l = 0; l < classes; ++l) {
      const auto block = gram.block(k * wide, l * wide, wide, wide);
      m.block(k * n, l * n, n, n) = block.topLeftCorner(n, n);
      m.block(k * n, all + l, n, 1) = block.topRightCorner(n, 1);
      m.block(all + k, l * n, 1, n) = block.bottomLeftCorner(1, n);
      m(all + k, all + l) = block(n, n);
    }
  }
  return m;
}

}  // namespace medlar
