// Within a group A'' is a multiple of the identity plus a matrix of rank one, so its root has the same form. s - 1 is
// kept instead of s, because s differs from 1 by less than rounding when a switch is nearly sure.
#include "medlar/linalg/systems/curvature_root.hpp"

#include <cmath>

namespace medlar {

CurvatureRoot::CurvatureRoot(std::span<const double> d)
    : root_(Eigen::Map<const Eigen::VectorXd>(d.data(), std::ssize(d)).cwiseSqrt()) {}

CurvatureRoot::CurvatureRoot(std::span<const double> d, std::span<const double> kappa, std::span<const Index> group_of,
                             std::span<const double> v)
    : CurvatureRoot(d) {
  group_of_ = group_of;
  if (group_of.empty()) return;
  std::vector<double> squares(kappa.size(), 0.0), first(kappa.size(), 0.0);
  for (std::size_t i = 0; i < v.size(); ++i) {
    const auto g = static_cast<std::size_t>(group_of[i]);
    squares[g] += v[i] * v[i];
    first[g] = d[i];
  }
  stretch_.assign(kappa.size(), 0.0);
  for (std::size_t g = 0; g < kappa.size(); ++g) {
    if (!(squares[g] > 0 && first[g] > 0)) continue;
    const double over = kappa[g] * squares[g] / first[g];
    stretch_[g] = over / (1 + std::sqrt(1 + over));
  }
  unit_.resize(root_.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double square = squares[static_cast<std::size_t>(group_of[i])];
    unit_[static_cast<Eigen::Index>(i)] = square > 0 ? v[i] / std::sqrt(square) : 0.0;
  }
}

void CurvatureRoot::apply(Eigen::Ref<Eigen::VectorXd> x) const {
  x.array() *= root_.array();
  if (group_of_.empty()) return;
  std::vector<double> along(stretch_.size(), 0.0);
  for (Eigen::Index i = 0; i < x.size(); ++i)
    along[static_cast<std::size_t>(group_of_[static_cast<std::size_t>(i)])] += unit_[i] * x[i];
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const auto g = static_cast<std::size_t>(group_of_[static_cast<std::size_t>(i)]);
    x[i] += stretch_[g] * along[g] * unit_[i];
  }
}

void CurvatureRoot::on_both_sides(Eigen::MatrixXd& m) const {
  if (group_of_.empty()) {
    m = root_.asDiagonal() * m * root_.asDiagonal();
    return;
  }
  for (int side = 0; side < 2; ++side) {
    for (Eigen::Index j = 0; j < m.cols(); ++j) apply(m.col(j));
    m.transposeInPlace();
  }
}

}  // namespace medlar
