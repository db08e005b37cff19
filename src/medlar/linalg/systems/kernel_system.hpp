// The linear system of a Newton step over some examples of a kernel problem, from their block K of the Gram matrix:
//
//   (scale K + diag(h) + sigma2 1 1^T) d + b 1 = slopes,     sum d = total and b free under a flat bias, else b = 0
#pragma once

#include <span>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

class KernelBlock {
 public:
  // Row-major, symmetric.
  explicit KernelBlock(std::vector<double> values, Index side) : values_(std::move(values)), side_(side) {}

  struct Step {
    std::vector<double> d;  // one per member
    double bias = 0;        // b
  };
  // For some members of the block. Only the lower triangle of the matrix is formed.
  Step solve(std::span<const Index> members, std::span<const double> h, std::span<const double> slopes, double scale,
             double sigma2, bool flat, double total) const;

  // K x
  std::vector<double> times(std::span<const double> x) const;

 private:
  std::vector<double> values_;
  Index side_;
};

}  // namespace medlar
