// Cholesky factor of a symmetric positive definite matrix that rounding may have made slightly indefinite.
// The matrix is scaled to a unit diagonal first; if the factorisation still breaks down, a ridge of a few units of
// rounding is added and grown until it does not. Callers correct the ridge by iterating on the true system.
#pragma once

#include <Eigen/Dense>

namespace medlar {

class Cholesky {
 public:
  // Takes the lower triangle of `matrix`. May be given up half-way (give_up.hpp), as half_solve() may.
  void factor(Eigen::MatrixXd matrix);
  Eigen::VectorXd solve(const Eigen::VectorXd& r) const;
  // L^-1 R for the factor L of matrix = L L^T: columns whose inner products are R^T matrix^-1 R.
  Eigen::MatrixXd half_solve(Eigen::MatrixXd r) const;
  Eigen::Index size() const { return scale_.size(); }

 private:
  Eigen::VectorXd scale_;
  Eigen::MatrixXd factor_;  // L, in the lower triangle
};

}  // namespace medlar
