// The inverse of scale L L^T + sigma2 1 1^T + diag(h) over some rows of L, by its small twin (Woodbury). In single
// precision but for the factor: a preconditioner, whose rounding conjugate gradients correct.
#pragma once

#include <Eigen/Dense>
#include <span>

#include "medlar/linalg/cholesky.hpp"
#include "medlar/types.hpp"

namespace medlar {

class LowRankInverse {
 public:
  // values: L, column after column of `height` numbers, `rank` of them; members: the rows, one h > 0 for each.
  void assemble(std::span<const float> values, Index height, Index rank, std::span<const Index> members,
                std::span<const double> h, double scale, double sigma2);
  void solve(std::span<const double> r, std::span<double> z) const;

 private:
  Eigen::MatrixXf rows_;  // diag(h)^-1/2 (sqrt(scale) L, sqrt(sigma2) 1)
  Eigen::VectorXd root_;  // h^-1/2
  Cholesky factor_;       // of 1 + rows_^T rows_
};

}  // namespace medlar
