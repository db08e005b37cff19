// K ~ L L^T: a partial Cholesky factor of the Gram matrix, whose pivots are drawn by what is left of the diagonal. In
// single precision: it starts a solver and conditions its steps, and never enters what is certified.
#pragma once

#include <cstdint>
#include <vector>

#include "medlar/kernels/gram.hpp"

namespace medlar {

class LowRank {
 public:
  // At most `rank` columns; fewer where K has no more. The rows of the Gram matrix must be over all its columns.
  LowRank(const Gram& gram, Index rank, std::uint64_t seed);

  Index size() const { return size_; }
  Index rank() const { return rank_; }
  double left() const { return left_; }                         // of the diagonal of K, in the mean
  const std::vector<float>& values() const { return values_; }  // column after column, one row per example

  // out += scale L L^T x
  void add_product(std::span<const double> x, double scale, std::span<double> out) const;

 private:
  Index size_, rank_ = 0;
  double left_ = 0;
  std::vector<float> values_;
};

}  // namespace medlar
