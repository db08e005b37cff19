#include "medlar/linalg/systems/kernel_system.hpp"

#include "medlar/linalg/cholesky.hpp"
#include "medlar/linalg/give_up.hpp"

namespace medlar {

KernelBlock::Step KernelBlock::solve(std::span<const Index> members, std::span<const double> h,
                                     std::span<const double> slopes, double scale, double sigma2, bool flat,
                                     double total) const {
  const auto size = std::ssize(members);
  Eigen::MatrixXd system(size, size);
  for (Index j = 0; j < size; ++j) {
    const double* const row = values_.data() + members[static_cast<std::size_t>(j)] * side_;
    for (Index i = j; i < size; ++i) system(i, j) = scale * row[members[static_cast<std::size_t>(i)]] + sigma2;
    pause_after(static_cast<std::size_t>(size - j));
  }
  // Where the sum of d is given, any multiple of 1 1^T may be added. It keeps 1 away from the null space (see
  // ExampleFactor).
  const double anchor = flat ? system.diagonal().mean() : 0.0;
  if (flat) {
    for (Index j = 0; j < size; ++j) system.col(j).tail(size - j).array() += anchor;
  }
  for (Index j = 0; j < size; ++j) system(j, j) += h[static_cast<std::size_t>(j)];
  Cholesky factor;
  factor.factor(std::move(system));
  Eigen::VectorXd d = factor.solve(Eigen::Map<const Eigen::VectorXd>(slopes.data(), size));
  Step step;
  if (flat) {
    const Eigen::VectorXd ones = factor.solve(Eigen::VectorXd::Ones(size));
    const double b = (d.sum() - total) / ones.sum();
    d -= b * ones;
    step.bias = b + anchor * total;
  }
  step.d.assign(d.data(), d.data() + size);
  return step;
}

std::vector<double> KernelBlock::times(std::span<const double> x) const {
  std::vector<double> product(x.size());
  const Eigen::Map<const Eigen::MatrixXd> block(values_.data(), side_, side_);
  Eigen::Map<Eigen::VectorXd>(product.data(), side_).noalias() =
      block * Eigen::Map<const Eigen::VectorXd>(x.data(), side_);
  return product;
}

}  // namespace medlar
