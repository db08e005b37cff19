// K ~ L L^T: a partial Cholesky factor of the Gram matrix, with pivots drawn in proportion to the rest of the diagonal.
// It is in single precision: it starts a solver and preconditions its steps, and never enters a certificate.
#pragma once

#include <cstdint>
#include <vector>

#include "medlar/kernels/gram.hpp"

namespace medlar {

class LowRank {
 public:
  // At most `rank` columns; fewer if K has a lower rank. The rows of the Gram matrix must be over all its columns.
  LowRank(const Gram& gram, Index rank, std::uint64_t seed);

  Index size() const { return size_; }
  Index rank() const { return rank_; }
  double left() const { return left_; }                         // mean rest of the diagonal of K
  const std::vector<float>& values() const { return values_; }  // column after column, one row per example

  // out += scale L L^T x
  void add_product(std::span<const double> x, double scale, std::span<double> out) const;

 private:
  Index size_, rank_ = 0;
  double left_ = 0;
  std::vector<float> values_;
};

}  // namespace medlar
