// See the header.
#include "medlar/linalg/feature_system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace medlar {

namespace {
constexpr Index kBlockEntries = 1 << 17;  // of one rank update: a megabyte, which stays near
}  // namespace

void FeatureSystem::assemble(std::span<const double> h, std::span<const double> d, double sigma2, bool flat) {
  const auto n = static_cast<Eigen::Index>(d.size());
  root_d_.resize(d.size());
  for (std::size_t i = 0; i < d.size(); ++i) root_d_[i] = std::sqrt(d[i]);
  has_bias_ = flat || sigma2 > 0;
  Eigen::MatrixXd m = Eigen::MatrixXd::Identity(n + (has_bias_ ? 1 : 0), n + (has_bias_ ? 1 : 0));
  if (has_bias_) m(n, n) = flat ? 0 : 1 / sigma2;
  x_.is_sparse() ? add_sparse(h, m) : add_dense(h, m);
  factor_.factor(std::move(m));
}

// Rows scaled by sqrt(d / h), as columns of a block whose product with itself the BLAS adds.
void FeatureSystem::add_dense(std::span<const double> h, Eigen::MatrixXd& m) const {
  const auto n = static_cast<Eigen::Index>(root_d_.size());
  const Eigen::Map<const Eigen::ArrayXd> root(root_d_.data(), n);
  Eigen::MatrixXd block(m.rows(), std::clamp<Index>(kBlockEntries / m.rows(), 16, 4096));
  Eigen::Index used = 0;
  const auto flush = [&] {
    if (used > 0) m.selfadjointView<Eigen::Lower>().rankUpdate(block.leftCols(used));
    used = 0;
  };
  for (std::size_t t = 0; t < h.size(); ++t) {
    if (std::isinf(h[t])) continue;
    const double weight = std::sqrt(1 / h[t]);
    x_.row(static_cast<Index>(t)).values.visit([&](const auto* value) {
      using Value = std::remove_cvref_t<decltype(*value)>;
      const Eigen::Map<const Eigen::Array<Value, Eigen::Dynamic, 1>> row(value, n);
      block.col(used).head(n) = row.template cast<double>() * root * weight;
    });
    if (has_bias_) block(n, used) = weight;
    if (++used == block.cols()) flush();
  }
  flush();
}

void FeatureSystem::add_sparse(std::span<const double> h, Eigen::MatrixXd& m) const {
  std::vector<std::pair<Eigen::Index, double>> entries;
  for (std::size_t t = 0; t < h.size(); ++t) {
    if (std::isinf(h[t])) continue;
    entries.clear();
    for_each(x_.row(static_cast<Index>(t)),
             [&](Index i, double value) { entries.emplace_back(i, value * root_d_[static_cast<std::size_t>(i)]); });
    if (has_bias_) entries.emplace_back(m.rows() - 1, 1.0);
    for (std::size_t a = 0; a < entries.size(); ++a) {
      const double scaled = entries[a].second / h[t];
      double* const column = m.col(entries[a].first).data();
      for (std::size_t b = a; b < entries.size(); ++b) column[entries[b].first] += scaled * entries[b].second;
    }
  }
}

FeatureSystem::Step FeatureSystem::solve(std::span<const double> g, double g_bias) const {
  const auto n = static_cast<Eigen::Index>(root_d_.size());
  Eigen::VectorXd u(n + (has_bias_ ? 1 : 0));
  for (Eigen::Index i = 0; i < n; ++i) u[i] = root_d_[static_cast<std::size_t>(i)] * g[static_cast<std::size_t>(i)];
  if (has_bias_) u[n] = g_bias;
  u = factor_.solve(u);
  Step step{std::vector<double>(g.begin(), g.end()), has_bias_ ? u[n] : 0.0};
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (root_d_[i] > 0) step.v[i] = u[static_cast<Eigen::Index>(i)] / root_d_[i];
  }
  return step;
}

}  // namespace medlar
