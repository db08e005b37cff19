// Log-partition of the Gaussian prior theta_i ~ N(m_i, v), without switches   [MED thm 2]
//
//   A(V) = m.V + (v/2) |V|^2,     A'(V) = m + v V,     A*(A'(V)) = (v/2) |V|^2
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "medlar/core/concepts.hpp"
#include "medlar/error.hpp"
#include "medlar/priors/coefficients/checks.hpp"
#include "medlar/priors/coefficients/quadratic_bound.hpp"
#include "medlar/simd/sum_loops.hpp"

namespace medlar {

class GaussianPartition {
 public:
  static constexpr bool kIndependent = true;  // no feature's mean depends on another's V
  static constexpr bool kLinearMean = true;   // A'' is the same everywhere

  // prior_mean is empty (zero) or one number per feature.
  GaussianPartition(Index dimension, double variance, std::vector<double> prior_mean = {})
      : dimension_(dimension), variance_(variance), prior_mean_(std::move(prior_mean)) {
    require_variance(variance);
    if (!prior_mean_.empty() && static_cast<Index>(prior_mean_.size()) != dimension) {
      throw OptionError(
          fmt::format("the prior mean has {} entries, but there are {} features", prior_mean_.size(), dimension));
    }
  }

  Index dimension() const { return dimension_; }
  double prior_variance() const { return variance_; }
  Index group_count() const { return 0; }
  std::span<const Index> group_of() const { return {}; }

  // One feature, as a function of its own V_i.
  double value_at(Index i, double v) const { return v * (mean_of(i) + 0.5 * variance_ * v); }
  double mean_at(Index i, double v) const { return mean_of(i) + variance_ * v; }
  double variance_at(Index, double) const { return variance_; }
  QuadraticBound bound_at(Index i, double) const { return {-mean_of(i), variance_, 0}; }

  double value(std::span<const double> v) const {
    return conjugate_at(v) + compensated_dot(1, prior_mean_.data(), v.data(), prior_mean_.size());
  }

  void mean(std::span<const double> v, std::span<double> out) const { mean_from(0, v, out); }
  // The mean of the features from `first` on, as many as v has.
  void mean_from(std::size_t first, std::span<const double> v, std::span<double> out) const {
    for (std::size_t i = 0; i < v.size(); ++i) out[i] = variance_ * v[i];
    if (prior_mean_.empty()) return;
    for (std::size_t i = 0; i < v.size(); ++i) out[i] += prior_mean_[first + i];
  }

  void advance(std::span<double> v, std::span<const double> step) const {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += step[i];
  }
  // The V whose mean is w.
  void from_mean(std::span<const double> w, std::span<double> v) const {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = (w[i] - (prior_mean_.empty() ? 0 : prior_mean_[i])) / variance_;
  }
  void inclusion(std::span<const double>, std::span<double> out) const { std::ranges::fill(out, 1.0); }
  void variance(std::span<const double>, std::span<double> out) const { std::ranges::fill(out, variance_); }
  void curvature(std::span<const double>, std::span<double> d, std::span<double>) const {
    std::ranges::fill(d, variance_);
  }

  double conjugate_at(std::span<const double> v) const {
    return compensated_dot(0.5 * variance_, v.data(), v.data(), v.size());
  }

 private:
  double mean_of(Index i) const { return prior_mean_.empty() ? 0.0 : prior_mean_[static_cast<std::size_t>(i)]; }

  Index dimension_;
  double variance_;
  std::vector<double> prior_mean_;
};

static_assert(LogPartition<GaussianPartition>);

}  // namespace medlar
