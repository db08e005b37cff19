#include "medlar/linalg/systems/small_system.hpp"

#include "medlar/linalg/symmetric_eigen.hpp"

namespace medlar {

std::vector<double> solve_semidefinite(std::span<const double> matrix, std::span<const double> r) {
  const auto size = static_cast<Eigen::Index>(r.size());
  const Eigen::Map<const Eigen::MatrixXd> from(matrix.data(), size, size);
  const SymmetricEigen parts = symmetric_eigen(from);
  const double level = 1e-12 * parts.values.cwiseAbs().maxCoeff();
  Eigen::VectorXd along = parts.vectors.transpose() * Eigen::Map<const Eigen::VectorXd>(r.data(), size);
  for (Eigen::Index i = 0; i < size; ++i) along[i] = parts.values[i] > level ? along[i] / parts.values[i] : 0;
  const Eigen::VectorXd x = parts.vectors * along;
  return {x.data(), x.data() + size};
}

}  // namespace medlar
