// The diagonal of a Newton matrix may span twenty powers of ten. Scaling it to ones makes the ridge relative to each
// row; without that, a ridge large enough for one row would swamp another.
#include "medlar/linalg/cholesky.hpp"

#include <limits>

#include "medlar/linalg/blocked.hpp"
#include "medlar/linalg/give_up.hpp"

namespace medlar {

void Cholesky::factor(Eigen::MatrixXd matrix) {
  const Eigen::Index size = matrix.rows();
  scale_ = matrix.diagonal().array().sqrt().inverse();
  for (Eigen::Index j = 0; j < size; ++j) {
    for (Eigen::Index i = j; i < size; ++i) matrix(i, j) *= scale_[i] * scale_[j];
    matrix(j, j) = 1;
    pause_after(static_cast<std::size_t>(size - j));
  }
  const double rounding = std::numeric_limits<double>::epsilon();
  for (double ridge = 0; ridge < 1; ridge = ridge == 0 ? 4 * rounding : 16 * ridge) {
    matrix.diagonal().setConstant(1 + ridge);
    factor_ = matrix;
    if (factor_in_place(factor_)) return;
  }
  factor_.setIdentity(size, size);  // the diagonal alone: still positive definite
}

Eigen::VectorXd Cholesky::solve(const Eigen::VectorXd& r) const {
  Eigen::VectorXd x = scale_.cwiseProduct(r);
  factor_.triangularView<Eigen::Lower>().solveInPlace(x);
  factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
  return scale_.cwiseProduct(x);
}

Eigen::MatrixXd Cholesky::half_solve(Eigen::MatrixXd r) const {
  r = scale_.asDiagonal() * r;
  solve_lower(factor_, r);
  return r;
}

}  // namespace medlar
