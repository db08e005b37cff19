// The trap is the tight rows: their 1/h would make N as ill-conditioned as h is small, so they are taken out of N and
// solved for in a second, small factor. Everything else is one pass over the rows, as dense rank updates or, for rows
// with few entries, pair by pair.
#include "medlar/linalg/systems/feature_factor.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medlar/linalg/blocked.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/thresholds/direct_factor.hpp"

namespace medlar {

namespace {
constexpr Eigen::Index kUpdateRows = 256;  // rows per rank update
constexpr double kTight = 1e6;             // curvature divided by h beyond which a row is tight
}  // namespace

void FeatureFactor::row_of_b(Index t, Entries& entries, std::vector<double>& along, double& left_out) const {
  entries.clear();
  std::fill(along.begin(), along.end(), 0.0);
  for_each(x_.row(t), [&](Index i, double value) {
    const auto at = static_cast<std::size_t>(i);
    const double scaled = value * root_d_[at];
    if (place_[at] >= 0) {
      entries.emplace_back(place_[at], scaled);
    } else {
      left_out += scaled * scaled;
    }
    if (!along.empty()) along[static_cast<std::size_t>(group_of_[at])] += value * v_root_kappa_[at];
  });
  for (std::size_t g = 0; g < along.size(); ++g) {
    if (along[g] != 0) entries.emplace_back(first_group_ + static_cast<Eigen::Index>(g), along[g]);
  }
  if (bias_ >= 0) entries.emplace_back(bias_, sigma_);
}

void FeatureFactor::assemble(std::span<const double> h, const Curvature& curvature, std::span<const Index> columns) {
  const std::size_t n = curvature.d.size();
  place_.assign(n, -1);
  for (std::size_t a = 0; a < columns.size(); ++a) place_[static_cast<std::size_t>(columns[a])] = static_cast<Index>(a);
  root_d_.resize(n);
  for (std::size_t i = 0; i < n; ++i) root_d_[i] = std::sqrt(curvature.d[i]);
  v_root_kappa_.clear();
  group_of_.assign(curvature.group_of.begin(), curvature.group_of.end());
  first_group_ = static_cast<Eigen::Index>(columns.size());
  if (!curvature.kappa.empty()) {
    v_root_kappa_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      v_root_kappa_[i] = curvature.v[i] * std::sqrt(curvature.kappa[static_cast<std::size_t>(group_of_[i])]);
    }
  }
  size_ = first_group_ + static_cast<Eigen::Index>(curvature.kappa.size()) +
          (curvature.flat || curvature.sigma2 > 0 ? 1 : 0);
  bias_ = curvature.flat || curvature.sigma2 > 0 ? size_ - 1 : -1;
  const double mean_curvature = find_tight_rows(h, curvature);
  const bool anchored = curvature.flat && !tight_.empty();
  flat_ = curvature.flat && !anchored;
  sigma_ = flat_ ? 1 : std::sqrt(anchored ? mean_curvature : curvature.sigma2);

  Eigen::MatrixXd m = Eigen::MatrixXd::Identity(size_, size_);
  if (flat_) m(bias_, bias_) = 0;
  Eigen::MatrixXd block = Eigen::MatrixXd::Zero(size_, kUpdateRows);
  Eigen::Index used = 0;
  auto flush = [&] {
    if (used > 0) add_outer(m, block.leftCols(used));
    used = 0;
  };
  inverse_h_.resize(h.size());
  Entries entries;
  std::vector<double> along_group(curvature.kappa.size());
  std::size_t next_tight = 0;
  Eigen::VectorXd tight_h(static_cast<Eigen::Index>(tight_.size()));
  b_tight_ = Eigen::MatrixXd::Zero(size_, tight_h.size());
  for (std::size_t t = 0; t < h.size(); ++t) {
    double diagonal = h[t];
    inverse_h_[t] = 0;
    if (std::isinf(diagonal)) continue;  // this row is held
    if (t % kRowsBetweenPauses == 0) pause();
    row_of_b(static_cast<Index>(t), entries, along_group, diagonal);
    if (next_tight < tight_.size() && tight_[next_tight] == static_cast<Index>(t)) {
      const auto column = static_cast<Eigen::Index>(next_tight++);
      for (const auto& [a, value] : entries) b_tight_(a, column) = value;
      tight_h[column] = diagonal;
      inverse_h_[t] = 0;
      continue;
    }
    inverse_h_[t] = 1 / diagonal;
    const double weight = std::sqrt(inverse_h_[t]);
    if (static_cast<Eigen::Index>(entries.size()) * 8 > size_) {
      if (used == kUpdateRows) flush();
      block.col(used).setZero();
      for (const auto& [a, value] : entries) block(a, used) = value * weight;
      ++used;
      continue;
    }
    for (const auto& [a, value] : entries) {
      const double scaled = value * inverse_h_[t];
      double* column = m.col(a).data();
      for (const auto& [b, other] : entries) {
        if (b >= a) column[b] += scaled * other;
      }
    }
  }
  flush();
  along_ones_.clear();
  if (size_ == 0) return;
  factor_.factor(std::move(m));
  if (tight_.empty()) return;
  const Eigen::MatrixXd half = factor_.half_solve(b_tight_);
  Eigen::MatrixXd inner = Eigen::MatrixXd::Zero(half.cols(), half.cols());
  add_outer(inner, half.transpose());
  inner.diagonal() += tight_h;
  tight_factor_.factor(std::move(inner));
  if (!anchored) return;
  std::vector<double> along(h.size());
  apply_inverse(std::vector<double>(h.size(), 1.0), 0.0, along);
  sum_along_ones_ = std::accumulate(along.begin(), along.end(), 0.0);
  along_ones_ = std::move(along);
}

double FeatureFactor::find_tight_rows(std::span<const double> h, const Curvature& curvature) {
  tight_.clear();
  double total = 0;
  for (std::size_t t = 0; t < h.size(); ++t) {
    double own = curvature.sigma2;
    for_each(x_.row(static_cast<Index>(t)),
             [&](Index i, double value) { own += curvature.d[static_cast<std::size_t>(i)] * value * value; });
    total += own;
    if (own > kTight * h[t]) tight_.push_back(static_cast<Index>(t));
  }
  if (tight_.size() > kMostRowsApart) tight_.clear();
  return total / static_cast<double>(h.size());
}

double FeatureFactor::solve(std::span<const double> r, double total, std::span<double> z) const {
  const double bias = apply_inverse(r, total, z);
  if (along_ones_.empty()) return bias;
  const double b = (std::accumulate(z.begin(), z.end(), 0.0) - total) / sum_along_ones_;
  for (std::size_t t = 0; t < z.size(); ++t) z[t] -= b * along_ones_[t];
  return b;
}

// Returns b where a flat bias has a column without an anchor.
double FeatureFactor::apply_inverse(std::span<const double> r, double total, std::span<double> z) const {
  if (size_ == 0) {
    for (std::size_t t = 0; t < r.size(); ++t) z[t] = r[t] * inverse_h_[t];
    return 0;
  }
  // inner = B^T diag(1/h) r, through u = X^T diag(1/h) r
  std::vector<double> u(root_d_.size(), 0.0);
  double sum = 0;
  for (std::size_t t = 0; t < r.size(); ++t) {
    add_scaled(x_.row(static_cast<Index>(t)), r[t] * inverse_h_[t], u);
    sum += r[t] * inverse_h_[t];
  }
  Eigen::VectorXd inner = Eigen::VectorXd::Zero(size_);
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (place_[i] >= 0) inner[place_[i]] = root_d_[i] * u[i];
    if (!v_root_kappa_.empty()) inner[first_group_ + group_of_[i]] += v_root_kappa_[i] * u[i];
  }
  if (bias_ >= 0) inner[bias_] = sigma_ * sum - (flat_ ? total : 0.0);
  inner = factor_.solve(inner);
  Eigen::VectorXd tight(static_cast<Eigen::Index>(tight_.size()));
  if (!tight_.empty()) {
    for (Eigen::Index k = 0; k < tight.size(); ++k) {
      tight[k] = r[static_cast<std::size_t>(tight_[static_cast<std::size_t>(k)])] - b_tight_.col(k).dot(inner);
    }
    tight = tight_factor_.solve(tight);
    inner += factor_.solve(b_tight_ * tight);
  }
  // z = diag(1/h) (r - B inner)
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] = place_[i] >= 0 ? root_d_[i] * inner[place_[i]] : 0.0;
    if (!v_root_kappa_.empty()) u[i] += v_root_kappa_[i] * inner[first_group_ + group_of_[i]];
  }
  const double bias = bias_ >= 0 ? sigma_ * inner[bias_] : 0.0;
  for (std::size_t t = 0; t < r.size(); ++t) {
    z[t] = (r[t] - dot(x_.row(static_cast<Index>(t)), u) - bias) * inverse_h_[t];
  }
  for (std::size_t k = 0; k < tight_.size(); ++k) {
    z[static_cast<std::size_t>(tight_[k])] = tight[static_cast<Eigen::Index>(k)];
  }
  return flat_ ? bias : 0.0;
}

}  // namespace medlar
