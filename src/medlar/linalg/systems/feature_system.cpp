// Nearly all the time goes into X^T H X. Dense rows are scaled into a block that fits the cache and added by the BLAS;
// sparse rows add the pairs of their entries. The same pass sums X^T beta, because reading the rows twice would cost as
// much again.
#include "medlar/linalg/systems/feature_system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "medlar/linalg/blocked.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/thresholds/nearly_full.hpp"

namespace medlar {

namespace {
constexpr Index kBlockEntries = 1 << 17;  // of one rank update: a megabyte, which fits the cache
}  // namespace

void FeatureSystem::assemble(std::span<const double> h, std::span<const double> beta, double sigma2, bool flat) {
  has_bias_ = flat || sigma2 > 0;
  const auto size = static_cast<Eigen::Index>(x_.columns()) + (has_bias_ ? 1 : 0);
  gram_.setZero(size, size);
  statistics_.assign(static_cast<std::size_t>(x_.columns()), 0.0);
  if (has_bias_ && !flat) gram_(size - 1, size - 1) = 1 / sigma2;
  const double all = static_cast<double>(x_.rows()) * static_cast<double>(x_.columns());
  x_.is_sparse() && !is_nearly_full_for_sums(static_cast<double>(x_.stored()), all) ? add_pairs(h, beta)
                                                                                    : add_blocks(h, beta);
}

void FeatureSystem::factor(std::span<const double> d) {
  const auto n = static_cast<Eigen::Index>(d.size());
  root_d_.resize(d.size());
  for (std::size_t i = 0; i < d.size(); ++i) root_d_[i] = std::sqrt(d[i]);
  Eigen::MatrixXd m = gram_;
  for (Eigen::Index j = 0; j < n; ++j) {
    const double root = root_d_[static_cast<std::size_t>(j)];
    for (Eigen::Index i = j; i < n; ++i) m(i, j) *= root * root_d_[static_cast<std::size_t>(i)];
    for (Eigen::Index i = n; i < m.rows(); ++i) m(i, j) *= root;
    m(j, j) += 1;
  }
  factor_.factor(std::move(m));
}

std::vector<double> FeatureSystem::times(std::span<const double> dw, double db) const {
  Eigen::VectorXd way(gram_.rows());
  std::copy(dw.begin(), dw.end(), way.data());
  if (has_bias_) way[way.size() - 1] = db;
  const Eigen::VectorXd product = gram_.selfadjointView<Eigen::Lower>() * way;
  return {product.data(), product.data() + dw.size()};
}

// Rows scaled by sqrt(1 / h) become columns of a block, and the BLAS adds its product with itself.
void FeatureSystem::add_blocks(std::span<const double> h, std::span<const double> beta) {
  const auto n = static_cast<Eigen::Index>(x_.columns());
  Eigen::MatrixXd block(gram_.rows(), std::clamp<Index>(kBlockEntries / gram_.rows(), 16, 4096));
  Eigen::VectorXd unscaled(block.cols());  // beta / weight, which undoes the scaling of the rows
  Eigen::Map<Eigen::VectorXd> sums(statistics_.data(), n);
  Eigen::Index used = 0;
  const auto flush = [&] {
    if (used > 0) {
      add_outer(gram_, block.leftCols(used));
      sums.noalias() += block.topLeftCorner(n, used) * unscaled.head(used);
    }
    used = 0;
  };
  for (std::size_t t = 0; t < h.size(); ++t) {
    if (std::isinf(h[t])) continue;
    const double weight = std::sqrt(1 / h[t]);
    const RowView from = x_.row(static_cast<Index>(t));
    if (from.sparse) {
      block.col(used).setZero();
      for_each(from, [&](Index i, double value) { block(i, used) = value * weight; });
    } else {
      from.values.visit([&](const auto* value) {
        using Value = std::remove_cvref_t<decltype(*value)>;
        const Eigen::Map<const Eigen::Array<Value, Eigen::Dynamic, 1>> row(value, n);
        block.col(used).head(n) = row.template cast<double>() * weight;
      });
    }
    if (has_bias_) block(n, used) = weight;
    unscaled[used] = beta[t] / weight;
    if (++used == block.cols()) flush();
  }
  flush();
}

// Adds the products of all pairs of entries of each row.
void FeatureSystem::add_pairs(std::span<const double> h, std::span<const double> beta) {
  std::vector<std::pair<Eigen::Index, double>> entries;
  for (std::size_t t = 0; t < h.size(); ++t) {
    if (std::isinf(h[t])) continue;
    if (t % kRowsBetweenPauses == 0) pause();
    entries.clear();
    for_each(x_.row(static_cast<Index>(t)), [&](Index i, double value) {
      entries.emplace_back(i, value);
      statistics_[static_cast<std::size_t>(i)] += beta[t] * value;
    });
    if (has_bias_) entries.emplace_back(gram_.rows() - 1, 1.0);
    for (std::size_t a = 0; a < entries.size(); ++a) {
      const double scaled = entries[a].second / h[t];
      double* const column = gram_.col(entries[a].first).data();
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
