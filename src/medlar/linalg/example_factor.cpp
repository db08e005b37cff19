// See the header.
#include "medlar/linalg/example_factor.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medlar/linalg/blocked.hpp"
#include "medlar/linalg/give_up.hpp"

namespace medlar {

namespace {

constexpr Eigen::Index kUpdateColumns =
    512;  // columns per rank update: a block of a few thousand rows stays near the cache

// Collects columns and adds block * block^T to the lower triangle of m whenever a block is full, and at flush().
class RankUpdate {
 public:
  explicit RankUpdate(Eigen::MatrixXd& m) : m_(m), block_(m.rows(), kUpdateColumns) {}
  Eigen::Ref<Eigen::VectorXd> next() {
    if (used_ == kUpdateColumns) flush();
    block_.col(used_).setZero();
    return block_.col(used_++);
  }

  void flush() {
    if (used_ > 0) add_outer(m_, block_.leftCols(used_));
    used_ = 0;
  }

 private:
  Eigen::MatrixXd& m_;
  Eigen::MatrixXd block_;
  Eigen::Index used_ = 0;
};

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
    if (place_[t] >= 0) continue;
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
  if (x_.is_sparse()) return add_sparse_features(curvature, m);
  const Index n = x_.columns();
  const Eigen::ArrayXd root = Eigen::Map<const Eigen::ArrayXd>(curvature.d.data(), n).sqrt();
  Eigen::MatrixXd block(std::min<Index>(kUpdateColumns, n), m.rows());
  for (Index first = 0; first < n; first += kUpdateColumns) {
    const Index width = std::min<Index>(kUpdateColumns, n - first);
    for (Eigen::Index a = 0; a < m.rows(); ++a) {
      x_.row(rows_[static_cast<std::size_t>(a)]).values.visit([&](const auto* value) {
        using Value = std::remove_cvref_t<decltype(*value)>;
        const Eigen::Map<const Eigen::Array<Value, Eigen::Dynamic, 1>> part(value + first, width);
        block.col(a).head(width) = part.template cast<double>() * root.segment(first, width);
      });
    }
    add_outer(m, block.topRows(width).transpose());
  }
}

// Columns with many entries go through dense rank updates, those with few pair by pair.
void ExampleFactor::add_sparse_features(const Curvature& curvature, Eigen::MatrixXd& m) {
  if (!columns_) columns_ = std::make_unique<Columns>(x_);
  RankUpdate dense(m);
  std::vector<std::pair<Eigen::Index, double>> entries;
  for (Index i = 0; i < x_.columns(); ++i) {
    const double d = curvature.d[static_cast<std::size_t>(i)];
    if (!(d > 0)) continue;
    const auto rows = columns_->rows(i);
    const auto values = columns_->values(i);
    entries.clear();
    for (std::size_t e = 0; e < rows.size(); ++e) {
      const Index a = place_[static_cast<std::size_t>(rows[e])];
      if (a >= 0) entries.emplace_back(a, values[e]);
    }
    if (static_cast<Eigen::Index>(entries.size()) * 8 > m.rows()) {
      auto column = dense.next();
      for (const auto& [a, value] : entries) column[a] = value * std::sqrt(d);
      continue;
    }
    if (static_cast<std::size_t>(i) % kRowsBetweenPauses == 0) pause();
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const double scaled = d * entries[e].second;
      double* column = m.col(entries[e].first).data();
      for (std::size_t f = e; f < entries.size(); ++f) column[entries[f].first] += scaled * entries[f].second;
    }
  }
  dense.flush();
}

// One column X v_g per group whose switch is neither surely on nor surely off.
void ExampleFactor::add_groups(const Curvature& curvature, Eigen::MatrixXd& m) const {
  const auto groups = static_cast<Eigen::Index>(curvature.kappa.size());
  for (Eigen::Index first = 0; first < groups; first += kUpdateColumns) {
    const Eigen::Index width = std::min(kUpdateColumns, groups - first);
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
