// See the header.
#include "medlar/linalg/small_system.hpp"

#include <Eigen/Dense>

namespace medlar {

std::vector<double> solve_semidefinite(std::span<const double> matrix, std::span<const double> r) {
  const auto size = static_cast<Eigen::Index>(r.size());
  const Eigen::Map<const Eigen::MatrixXd> from(matrix.data(), size, size);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> parts(from);
  const double level = 1e-12 * parts.eigenvalues().cwiseAbs().maxCoeff();
  Eigen::VectorXd along = parts.eigenvectors().transpose() * Eigen::Map<const Eigen::VectorXd>(r.data(), size);
  for (Eigen::Index i = 0; i < size; ++i)
    along[i] = parts.eigenvalues()[i] > level ? along[i] / parts.eigenvalues()[i] : 0;
  const Eigen::VectorXd x = parts.eigenvectors() * along;
  return {x.data(), x.data() + size};
}

}  // namespace medlar
