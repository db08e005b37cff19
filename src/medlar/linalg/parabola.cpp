// See the header.
#include "medlar/linalg/parabola.hpp"

#include <cmath>
#include <utility>

#include "medlar/linalg/cholesky.hpp"

namespace medlar {

namespace {

Eigen::Map<const Eigen::VectorXd> vector(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

}  // namespace

Parabola::Parabola(const Eigen::MatrixXd& m, std::span<const double> g)
    : m_(m.selfadjointView<Eigen::Lower>()), slope_(vector(g)), tie_(Eigen::VectorXd::Zero(slope_.size())) {}

// b = -(g_b + tie.dw) / bend is put in: M loses tie tie^T / bend, g loses tie g_b / bend.
Parabola::Parabola(const FeatureSystem& system, std::span<const double> g, double g_bias) : slope_(vector(g)) {
  const Eigen::Index n = slope_.size();
  Eigen::MatrixXd m = system.gram().topLeftCorner(n, n);
  tie_ = Eigen::VectorXd::Zero(n);
  if (system.has_bias()) {
    const Eigen::VectorXd line = system.gram().row(n).head(n);
    const double bend = system.gram()(n, n);
    m.selfadjointView<Eigen::Lower>().rankUpdate(line, -1 / bend);
    slope_ -= line * (g_bias / bend);
    tie_ = line / -bend;
    bias_ = -g_bias / bend;
  }
  m_ = m.selfadjointView<Eigen::Lower>();
}

void Parabola::move(std::size_t i, double change) {
  if (change == 0) return;
  slope_ += change * m_.col(at(i));
  bias_ += change * tie_[at(i)];
}

void Parabola::move(std::span<const double> dw, std::span<const double> m_dw, double length) {
  slope_ += length * vector(m_dw);
  bias_ += length * tie_.dot(vector(dw));
}

std::vector<double> Parabola::times(std::span<const double> dw) const {
  std::vector<double> product(dw.size());
  Eigen::Map<Eigen::VectorXd>(product.data(), slope_.size()) = m_ * vector(dw);
  return product;
}

std::vector<double> Parabola::newton(std::span<const double> d, std::span<const double> rest) const {
  const Eigen::VectorXd root = vector(d).cwiseSqrt();
  Eigen::MatrixXd system = root.asDiagonal() * m_ * root.asDiagonal();
  system.diagonal().array() += 1;
  Cholesky factor;
  factor.factor(std::move(system));
  const Eigen::VectorXd u = factor.solve(root.cwiseProduct(vector(rest)));
  std::vector<double> dw(d.size());
  Eigen::Map<Eigen::VectorXd>(dw.data(), slope_.size()) = -root.cwiseProduct(u);
  return dw;
}

}  // namespace medlar
