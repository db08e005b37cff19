// The biases are eliminated at the start (a Schur complement), so that all further steps see w alone. Their block may
// be singular: the losses may not hold a bias at all, and such a bias must stay where it is.
#include "medlar/linalg/systems/parabola.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "medlar/linalg/cholesky.hpp"
#include "medlar/linalg/symmetric_eigen.hpp"

namespace medlar {

namespace {

constexpr double kNoBend = 1e-13;  // of the largest eigenvalue: biases that bend less stay where they are

Eigen::Map<const Eigen::VectorXd> vector(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

Eigen::MatrixXd semidefinite_inverse(const Eigen::MatrixXd& m) {
  const SymmetricEigen parts = symmetric_eigen(m);
  Eigen::VectorXd inverse = parts.values;
  const double least = kNoBend * inverse.cwiseAbs().maxCoeff();
  for (double& each : inverse) each = each > least ? 1 / each : 0.0;
  return parts.vectors * inverse.asDiagonal() * parts.vectors.transpose();
}

}  // namespace

// Substitutes b = -M_bb^-1 (g_b + M_bw dw): M loses M_wb M_bb^-1 M_bw, and g loses M_wb M_bb^-1 g_b.
Parabola::Parabola(const Eigen::MatrixXd& m, std::span<const double> g, Eigen::Index biases) {
  const Eigen::Index n = m.rows() - biases;
  m_ = m.topLeftCorner(n, n).selfadjointView<Eigen::Lower>();
  slope_ = vector(g).head(n);
  tie_ = Eigen::MatrixXd::Zero(biases, n);
  bias_ = Eigen::VectorXd::Zero(biases);
  if (biases == 0) return;
  const Eigen::MatrixXd lines = m.bottomLeftCorner(biases, n);
  const Eigen::MatrixXd inverse =
      semidefinite_inverse(m.bottomRightCorner(biases, biases).selfadjointView<Eigen::Lower>());
  tie_ = -(inverse * lines);
  bias_ = -(inverse * vector(g).tail(biases));
  m_.noalias() += lines.transpose() * tie_;
  slope_.noalias() += lines.transpose() * bias_;
}

Parabola::Axes Parabola::axes(std::span<const std::size_t> features) const {
  const Eigen::Index count = std::ssize(features);
  Eigen::MatrixXd block(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j < count; ++j)
      block(i, j) = m_(at(features[static_cast<std::size_t>(i)]), at(features[static_cast<std::size_t>(j)]));
  }
  const SymmetricEigen parts = symmetric_eigen(block);
  Axes axes;
  for (const double bend : parts.values) axes.bends.push_back(std::max(0.0, bend));
  axes.directions.assign(parts.vectors.data(), parts.vectors.data() + count * count);
  return axes;
}

void Parabola::move(std::size_t i, double change) {
  if (change == 0) return;
  slope_ += change * m_.col(at(i));
  bias_ += change * tie_.col(at(i));
}

void Parabola::move(std::span<const double> dw, std::span<const double> m_dw, double length) {
  slope_ += length * vector(m_dw);
  if (bias_.size() > 0) bias_ += length * (tie_ * vector(dw));
}

std::vector<double> Parabola::times(std::span<const double> dw) const {
  std::vector<double> product(dw.size());
  Eigen::Map<Eigen::VectorXd>(product.data(), slope_.size()) = m_ * vector(dw);
  return product;
}

std::vector<double> Parabola::newton(const CurvatureRoot& root, std::span<const double> rest) const {
  Eigen::MatrixXd system = m_;
  root.on_both_sides(system);
  system.diagonal().array() += 1;
  Cholesky factor;
  factor.factor(std::move(system));
  Eigen::VectorXd u = vector(rest);
  root.apply(u);
  u = factor.solve(u);
  root.apply(u);
  std::vector<double> dw(rest.size());
  Eigen::Map<Eigen::VectorXd>(dw.data(), slope_.size()) = -u;
  return dw;
}

}  // namespace medlar
