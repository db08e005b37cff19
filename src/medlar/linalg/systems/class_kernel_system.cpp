// Under flat biases the totals R^T d are given, and the plain matrix may be singular along R. Adding a multiple of R
// R^T keeps it well conditioned, and the right-hand side makes up for it. The system for the biases stays singular in
// one direction at least, so it is solved by an orthogonal decomposition.
#include "medlar/linalg/systems/class_kernel_system.hpp"

#include "medlar/linalg/cholesky.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/numerics/at.hpp"

namespace medlar {

ClassKernelSystem::Step ClassKernelSystem::solve(double scale, double sigma2, bool flat,
                                                 std::span<const double> totals) const {
  const auto size = std::ssize(h_);
  double diagonal = 0;
  for (const Index a : place_) diagonal += 2 * scale * block_[at(a * side_ + a)];
  // Where R^T d is given, any multiple of R R^T may be added. It keeps R away from the null space (see ExampleFactor).
  const double anchor = flat ? diagonal / static_cast<double>(size) : 0.0;
  Eigen::MatrixXd system(size, size);
  for (Index j = 0; j < size; ++j) {
    const double* const row = block_.data() + place_[at(j)] * side_;
    const Index up = up_[at(j)], down = down_[at(j)];
    for (Index i = j; i < size; ++i) {
      const int sign = (up_[at(i)] == up) - (up_[at(i)] == down) - (down_[at(i)] == up) + (down_[at(i)] == down);
      system(i, j) = sign == 0 ? 0.0 : sign * (scale * row[place_[at(i)]] + sigma2 + anchor);
    }
    system(j, j) += h_[at(j)];
    pause_after(2 * at(size - j));
  }
  Cholesky factor;
  factor.factor(std::move(system));
  Eigen::VectorXd r = Eigen::Map<const Eigen::VectorXd>(slope_.data(), size);
  Step step;
  if (!flat) {
    const Eigen::VectorXd d = factor.solve(r);
    step.d.assign(d.data(), d.data() + size);
    return step;
  }
  Eigen::MatrixXd border = Eigen::MatrixXd::Zero(size, classes_);  // R
  for (Index j = 0; j < size; ++j) border(j, up_[at(j)]) = 1, border(j, down_[at(j)]) = -1;
  const Eigen::Map<const Eigen::VectorXd> given(totals.data(), classes_);
  r -= anchor * (border * given);
  Eigen::VectorXd d = factor.solve(r);
  Eigen::MatrixXd turned(size, classes_);
  for (Index k = 0; k < classes_; ++k) turned.col(k) = factor.solve(border.col(k));
  // A common shift of all biases changes nothing, nor does the bias of a class without a free constraint.
  const Eigen::MatrixXd schur = border.transpose() * turned;
  const Eigen::VectorXd b = schur.completeOrthogonalDecomposition().solve(border.transpose() * d + given);
  d -= turned * b;
  step.d.assign(d.data(), d.data() + size);
  step.bias.assign(b.data(), b.data() + classes_);
  return step;
}

void multiply_classes(std::span<const double> block, Index side, double scale, std::span<const double> x,
                      std::span<double> out) {
  const auto classes = std::ssize(x) / std::max<Index>(side, 1);
  const Eigen::Map<const Eigen::MatrixXd> k(block.data(), side, side);
  Eigen::Map<Eigen::MatrixXd>(out.data(), side, classes).noalias() =
      scale * k * Eigen::Map<const Eigen::MatrixXd>(x.data(), side, classes);
}

}  // namespace medlar
