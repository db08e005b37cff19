// Only the lower triangle of a factor is formed. Any multiple of 1 1^T, or of R R^T, may join when d is given its sums:
// an anchor, which keeps the ones away from the null space (see ExampleFactor).
#include "medlar/linalg/systems/kernel_system.hpp"

#include "medlar/linalg/cholesky.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/numerics/at.hpp"

namespace medlar {

KernelBlock::Step KernelBlock::solve(const KernelUnknowns& unknowns, double scale, double sigma2, bool flat,
                                     std::span<const double> totals) const {
  if (unknowns.up.empty()) return solve_one(unknowns, scale, sigma2, flat, -totals[0]);
  return solve_several(unknowns, scale, sigma2, flat, totals);
}

KernelBlock::Step KernelBlock::solve_one(const KernelUnknowns& unknowns, double scale, double sigma2, bool flat,
                                         double total) const {
  const auto& [place, h, slope, up, down] = unknowns;
  const auto size = std::ssize(h);
  Eigen::MatrixXd system(size, size);
  for (Index j = 0; j < size; ++j) {
    const double* const row = values_.data() + place[at(j)] * side_;
    for (Index i = j; i < size; ++i) system(i, j) = scale * row[place[at(i)]] + sigma2;
    pause_after(at(size - j));
  }
  const double anchor = flat ? system.diagonal().mean() : 0.0;
  if (flat) {
    for (Index j = 0; j < size; ++j) system.col(j).tail(size - j).array() += anchor;
  }
  for (Index j = 0; j < size; ++j) system(j, j) += h[at(j)];
  Cholesky factor;
  factor.factor(std::move(system));
  Eigen::VectorXd d = factor.solve(Eigen::Map<const Eigen::VectorXd>(slope.data(), size));
  Step step{{}, {0.0}};
  if (flat) {
    const Eigen::VectorXd ones = factor.solve(Eigen::VectorXd::Ones(size));
    const double b = (d.sum() - total) / ones.sum();
    d -= b * ones;
    step.bias[0] = b + anchor * total;
  }
  step.d.assign(d.data(), d.data() + size);
  return step;
}

KernelBlock::Step KernelBlock::solve_several(const KernelUnknowns& unknowns, double scale, double sigma2, bool flat,
                                             std::span<const double> totals) const {
  const auto& [place, h, slope, up, down] = unknowns;
  const auto size = std::ssize(h), outputs = std::ssize(totals);
  double diagonal = 0;
  for (const Index a : place) diagonal += 2 * scale * values_[at(a * side_ + a)];
  const double anchor = flat ? diagonal / static_cast<double>(size) : 0.0;
  Eigen::MatrixXd system(size, size);
  for (Index j = 0; j < size; ++j) {
    const double* const row = values_.data() + place[at(j)] * side_;
    const Index own = up[at(j)], rival = down[at(j)];
    for (Index i = j; i < size; ++i) {
      const int sign = (up[at(i)] == own) - (up[at(i)] == rival) - (down[at(i)] == own) + (down[at(i)] == rival);
      system(i, j) = sign == 0 ? 0.0 : sign * (scale * row[place[at(i)]] + sigma2 + anchor);
    }
    system(j, j) += h[at(j)];
    pause_after(2 * at(size - j));
  }
  Cholesky factor;
  factor.factor(std::move(system));
  Eigen::VectorXd r = Eigen::Map<const Eigen::VectorXd>(slope.data(), size);
  Step step{{}, std::vector<double>(totals.size(), 0.0)};
  if (!flat) {
    const Eigen::VectorXd d = factor.solve(r);
    step.d.assign(d.data(), d.data() + size);
    return step;
  }
  Eigen::MatrixXd border = Eigen::MatrixXd::Zero(size, outputs);  // R
  for (Index j = 0; j < size; ++j) border(j, up[at(j)]) = 1, border(j, down[at(j)]) = -1;
  const Eigen::Map<const Eigen::VectorXd> given(totals.data(), outputs);
  r -= anchor * (border * given);
  Eigen::VectorXd d = factor.solve(r);
  Eigen::MatrixXd turned(size, outputs);
  for (Index k = 0; k < outputs; ++k) turned.col(k) = factor.solve(border.col(k));
  // One direction of the biases, all alike, and those of outputs without an unknown, change nothing.
  const Eigen::MatrixXd schur = border.transpose() * turned;
  const Eigen::VectorXd b = schur.completeOrthogonalDecomposition().solve(border.transpose() * d + given);
  d -= turned * b;
  step.d.assign(d.data(), d.data() + size);
  step.bias.assign(b.data(), b.data() + outputs);
  return step;
}

std::vector<double> KernelBlock::times(std::span<const double> x) const {
  std::vector<double> product(x.size());
  const Eigen::Map<const Eigen::MatrixXd> block(values_.data(), side_, side_);
  const Index outputs = std::ssize(x) / side_;
  if (outputs == 1) {
    Eigen::Map<Eigen::VectorXd>(product.data(), side_).noalias() =
        block * Eigen::Map<const Eigen::VectorXd>(x.data(), side_);
  } else {
    Eigen::Map<Eigen::MatrixXd>(product.data(), side_, outputs).noalias() =
        block * Eigen::Map<const Eigen::MatrixXd>(x.data(), side_, outputs);
  }
  return product;
}

}  // namespace medlar
