// With the sum of the solution given, b follows from one extra solve with 1 as its right-hand side. A row with an
// infinite h is held: its inverse is 0, so it does not move.
#include "medlar/linalg/systems/example_factor.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medlar/linalg/blocked.hpp"
#include "medlar/linalg/give_up.hpp"

namespace medlar {

namespace {

constexpr Eigen::Index kUpdateGroups = 512;  // per rank update

}  // namespace

void ExampleFactor::assemble(std::span<const double> h, const Curvature& curvature, std::span<const Index> rows) {
  rows_.assign(rows.begin(), rows.end());
  place_.assign(h.size(), -1);
  for (std::size_t a = 0; a < rows_.size(); ++a) place_[static_cast<std::size_t>(rows_[a])] = static_cast<Index>(a);
  const auto size = static_cast<Eigen::Index>(rows_.size());
  Eigen::MatrixXd m = Eigen::MatrixXd::Constant(size, size, curvature.sigma2);
  add_features(curvature, m);
  if (!curvature.kappa.empty()) add_groups(curvature, m);
  if (curvature.flat && size > 0) m.array() += m.diagonal().mean();
  for (Eigen::Index a = 0; a < size; ++a) m(a, a) += h[static_cast<std::size_t>(rows_[static_cast<std::size_t>(a)])];
  if (size > 0) factor_.factor(std::move(m));

  inverse_.assign(h.size(), 0.0);
  for (std::size_t t = 0; t < h.size(); ++t) {
    if (place_[t] >= 0 || !std::isfinite(h[t])) continue;
    double diagonal = h[t] + curvature.sigma2;
    for_each(x_.row(static_cast<Index>(t)),
             [&](Index i, double value) { diagonal += curvature.d[static_cast<std::size_t>(i)] * value * value; });
    inverse_[t] = 1 / diagonal;
  }
  along_ones_.clear();
  if (!curvature.flat) return;
  along_ones_.resize(h.size());
  apply_inverse(std::vector<double>(h.size(), 1.0), along_ones_);
  sum_along_ones_ = std::accumulate(along_ones_.begin(), along_ones_.end(), 0.0);
}

void ExampleFactor::add_features(const Curvature& curvature, Eigen::MatrixXd& m) {
  if (kept_) {
    kept_->follow(curvature.d, left_out_);
    return kept_->add_to(m, rows_);
  }
  std::vector<Index> columns(static_cast<std::size_t>(x_.columns()));
  std::iota(columns.begin(), columns.end(), Index{0});
  columns_.add(columns, curvature.d, rows_, m);
}

// Adds one column X v_g per group. It is 0 for a group whose switch is surely on or surely off.
void ExampleFactor::add_groups(const Curvature& curvature, Eigen::MatrixXd& m) const {
  const auto groups = static_cast<Eigen::Index>(curvature.kappa.size());
  for (Eigen::Index first = 0; first < groups; first += kUpdateGroups) {
    const Eigen::Index width = std::min(kUpdateGroups, groups - first);
    Eigen::MatrixXd block = Eigen::MatrixXd::Zero(m.rows(), width);
    for (Eigen::Index a = 0; a < m.rows(); ++a) {
      for_each(x_.row(rows_[static_cast<std::size_t>(a)]), [&](Index i, double value) {
        const Index g = curvature.group_of[static_cast<std::size_t>(i)] - first;
        if (g >= 0 && g < width) block(a, g) += value * curvature.v[static_cast<std::size_t>(i)];
      });
    }
    for (Eigen::Index g = 0; g < width; ++g)
      block.col(g) *= std::sqrt(curvature.kappa[static_cast<std::size_t>(first + g)]);
    add_outer(m, block);
  }
}

double ExampleFactor::solve(std::span<const double> r, double total, std::span<double> z) const {
  apply_inverse(r, z);
  if (along_ones_.empty()) return 0;
  const double b = (std::accumulate(z.begin(), z.end(), 0.0) - total) / sum_along_ones_;
  for (std::size_t t = 0; t < z.size(); ++t) z[t] -= b * along_ones_[t];
  return b;
}

void ExampleFactor::apply_inverse(std::span<const double> r, std::span<double> z) const {
  for (std::size_t t = 0; t < r.size(); ++t) z[t] = inverse_[t] * r[t];
  if (rows_.empty()) return;
  Eigen::VectorXd inner(static_cast<Eigen::Index>(rows_.size()));
  for (Eigen::Index a = 0; a < inner.size(); ++a)
    inner[a] = r[static_cast<std::size_t>(rows_[static_cast<std::size_t>(a)])];
  inner = factor_.solve(inner);
  for (Eigen::Index a = 0; a < inner.size(); ++a)
    z[static_cast<std::size_t>(rows_[static_cast<std::size_t>(a)])] = inner[a];
}

}  // namespace medlar
