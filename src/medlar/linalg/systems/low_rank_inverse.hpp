// The inverse of scale L L^T + sigma2 1 1^T + diag(h) over some rows of L, through the small matrix of the Woodbury
// identity. All but the factor is in single precision: it is a preconditioner, and conjugate gradients correct its
// rounding.
#pragma once

#include <Eigen/Dense>
#include <span>

#include "medlar/linalg/cholesky.hpp"
#include "medlar/types.hpp"

namespace medlar {

class LowRankInverse {
 public:
  // values: the `rank` columns of L, each of `height` numbers, one after the other. members: the chosen rows, with one
  // h > 0 for each.
  void assemble(std::span<const float> values, Index height, Index rank, std::span<const Index> members,
                std::span<const double> h, double scale, double sigma2);
  void solve(std::span<const double> r, std::span<double> z) const;

 private:
  Eigen::MatrixXf rows_;  // diag(h)^-1/2 (sqrt(scale) L, sqrt(sigma2) 1)
  Eigen::VectorXd root_;  // h^-1/2
  Cholesky factor_;       // of 1 + rows_^T rows_
};

}  // namespace medlar
