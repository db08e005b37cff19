// Log-partition of the feature-selecting prior theta_i ~ N(0, v), s_i ~ Bernoulli(p_i)   [MED 4.1; errata 2, 3]
//
//   A(V) = sum_i log(1 - p_i + p_i e^{h_i}),   h_i = v V_i^2 / 2
//   P_i = P(s_i = 1) = p_i e^{h_i} / (1 - p_i + p_i e^{h_i}),   A'(V)_i = E[theta_i s_i] = P_i v V_i
//   A''(V)_i = Var[theta_i s_i] = v P_i + P_i (1 - P_i) v^2 V_i^2
//
// Exact at p_i = 0 (the feature is off) and at p_i = 1, where every number is the Gaussian prior's, bit for bit.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "medlar/core/concepts.hpp"
#include "medlar/numerics/log_mix.hpp"
#include "medlar/priors/coefficients/checks.hpp"
#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/coefficients/gaussian_slabs.hpp"
#include "medlar/priors/coefficients/quadratic_bound.hpp"
#include "medlar/priors/coefficients/slab.hpp"
#include "medlar/simd/switch_loops.hpp"

namespace medlar {

class SwitchPartition {
 public:
  static constexpr bool kIndependent = true;
  static constexpr bool kLinearMean = false;

  SwitchPartition(std::vector<double> p, double variance) : p_(std::move(p)), slab_{variance} {
    require_variance(variance);
    require_probabilities(p_, "feature");
    for (const double each : p_) alike_ = alike_ && each == p_.front();
  }
  SwitchPartition(Index dimension, double p0, double variance)
      : SwitchPartition(std::vector<double>(static_cast<std::size_t>(dimension), p0), variance) {}

  Index dimension() const { return static_cast<Index>(p_.size()); }
  double prior_variance() const { return slab_.variance; }
  std::span<const double> prior_inclusion() const { return p_; }
  GaussianSlabs slabs() const { return {p_, slab_.variance}; }
  Index group_count() const { return 0; }
  std::span<const Index> group_of() const { return {}; }

  // One feature, as a function of its own V_i.
  double value_at(Index i, double v) const { return log_mix(p(i), slab_.exponent(v)); }
  double inclusion_at(Index i, double v) const { return mix_weights(p(i), slab_.exponent(v)).on; }
  double mean_at(Index i, double v) const { return inclusion_at(i, v) * (slab_.variance * v); }
  double variance_at(Index i, double v) const { return slab_.variance_of(mix_weights(p(i), slab_.exponent(v)), v); }
  QuadraticBound bound_at(Index i, double contact) const { return switch_bound(p(i), slab_.variance, contact); }
  double conjugate_of(Index i, double v) const { return slab_conjugate(p(i), slab_.exponent(v)); }

  double value(std::span<const double> v) const { return sum_of_switch_values(priors(), v.data(), v.size()); }
  double conjugate_at(std::span<const double> v) const {
    return sum_of_switch_conjugates(priors(), v.data(), v.size());
  }

  void mean(std::span<const double> v, std::span<double> out) const { mean_from(0, v, out); }
  // The mean of the features from `first` on, as many as v has.
  void mean_from(std::size_t first, std::span<const double> v, std::span<double> out) const {
    switch_means(priors(first), v.data(), out.data(), v.size());
  }
  void inclusion(std::span<const double> v, std::span<double> out) const {
    for (std::size_t i = 0; i < v.size(); ++i) out[i] = inclusion_at(static_cast<Index>(i), v[i]);
  }
  void variance(std::span<const double> v, std::span<double> out) const {
    switch_variances(priors(), v.data(), out.data(), v.size());
  }
  void curvature(std::span<const double> v, std::span<double> d, std::span<double>) const { variance(v, d); }
  void advance(std::span<double> v, std::span<const double> step) const {
    for (std::size_t i = 0; i < v.size(); ++i) slab_advance(p_[i], slab_, v.subspan(i, 1), step.subspan(i, 1));
  }

  // The V whose mean is w. relaxed() is the prior with every switch on, from which a hard problem may start.
  void from_mean(std::span<const double> w, std::span<double> v) const {
    for (std::size_t i = 0; i < v.size(); ++i) slab_from_mean(p_[i], slab_, w.subspan(i, 1), v.subspan(i, 1));
  }
  GaussianPartition relaxed() const { return {dimension(), slab_.variance}; }

  // The most that A* can exceed that of the relaxed prior: P log(P/p) + (1-P) log((1-P)/(1-p)) <= log 1/p.
  double relaxation_cost() const { return slab_relaxation_cost(p_); }

 private:
  double p(Index i) const { return p_[static_cast<std::size_t>(i)]; }

  SwitchPriors priors(std::size_t first = 0) const { return {p_.data() + first, alike_, slab_.variance}; }

  std::vector<double> p_;
  Slab slab_;
  bool alike_ = true;  // all p
};

static_assert(LogPartition<SwitchPartition>);
static_assert(SlabbedPartition<SwitchPartition>);

}  // namespace medlar
