// Least squares by a complete orthogonal decomposition, which also serves more features than examples.
#include "medlar/paper/least_squares.hpp"

#include <Eigen/QR>

namespace medlar {
namespace {

Eigen::MatrixXd with_constant(const Matrix& x) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(x.rows(), x.columns() + 1);
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) { dense(t, i) = value; });
    dense(t, x.columns()) = 1;
  }
  return dense;
}

}  // namespace

std::vector<double> least_squares(const Matrix& x, const std::vector<double>& y, const Matrix& test) {
  const Eigen::Map<const Eigen::VectorXd> target(y.data(), static_cast<Index>(y.size()));
  const Eigen::VectorXd weights = with_constant(x).completeOrthogonalDecomposition().solve(target);
  const Eigen::VectorXd predicted = with_constant(test) * weights;
  return {predicted.data(), predicted.data() + predicted.size()};
}

}  // namespace medlar
