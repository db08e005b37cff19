// Log-partition of a prior with one switch for each group of features, theta ~ N(0, v), s_g ~ Bernoulli(p_g)
// (the levels of one category, say, which are chosen or left out together).
//
//   A(V) = sum_g log(1 - p_g + p_g e^{h_g}),   h_g = v |V_g|^2 / 2,   A'(V)_i = P_g v V_i  for i in g
//   A''(V) = diag(v P_g) + sum_g P_g (1 - P_g) v^2 V_g V_g^T
#pragma once

#include <fmt/format.h>

#include <span>
#include <utility>
#include <vector>

#include "medlar/core/concepts.hpp"
#include "medlar/error.hpp"
#include "medlar/numerics/log_mix.hpp"
#include "medlar/numerics/sum.hpp"
#include "medlar/priors/coefficients/checks.hpp"
#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/coefficients/slab.hpp"

namespace medlar {

class GroupPartition {
 public:
  static constexpr bool kIndependent = false;
  static constexpr bool kLinearMean = false;

  // group_of[i] in 0 .. p.size() - 1 is the group of feature i; p[g] the prior probability that group g is on.
  GroupPartition(std::vector<Index> group_of, std::vector<double> p, double variance)
      : group_of_(std::move(group_of)), p_(std::move(p)), slab_{variance} {
    require_variance(variance);
    require_probabilities(p_, "group");
    for (std::size_t i = 0; i < group_of_.size(); ++i) {
      if (group_of_[i] < 0 || group_of_[i] >= group_count()) {
        throw OptionError(fmt::format("feature {} is in group {}, but groups are numbered 0 to {}", i + 1, group_of_[i],
                                      group_count() - 1));
      }
    }
  }

  Index dimension() const { return static_cast<Index>(group_of_.size()); }
  double prior_variance() const { return slab_.variance; }
  std::span<const double> prior_inclusion() const { return p_; }
  Index group_count() const { return static_cast<Index>(p_.size()); }
  std::span<const Index> group_of() const { return group_of_; }

  double value(std::span<const double> v) const {
    return sum_over_groups(v, [](double p, double h) { return log_mix(p, h); });
  }
  double conjugate_at(std::span<const double> v) const {
    return sum_over_groups(v, [](double p, double h) { return slab_conjugate(p, h); });
  }

  void mean(std::span<const double> v, std::span<double> out) const {
    each(v, out, [this](MixWeights weights, double vi) { return weights.on * (slab_.variance * vi); });
  }
  void inclusion(std::span<const double> v, std::span<double> out) const {
    each(v, out, [](MixWeights weights, double) { return weights.on; });
  }
  void variance(std::span<const double> v, std::span<double> out) const {
    each(v, out, [this](MixWeights weights, double vi) { return slab_.variance_of(weights, vi); });
  }
  void curvature(std::span<const double> v, std::span<double> d, std::span<double> kappa) const {
    const auto weights = group_weights(v);
    for (std::size_t i = 0; i < v.size(); ++i) d[i] = slab_.variance * weights[group(i)].on;
    for (std::size_t g = 0; g < weights.size(); ++g) {
      kappa[g] = weights[g].on * weights[g].off * slab_.variance * slab_.variance;
    }
  }
  void advance(std::span<double> v, std::span<const double> step) const {
    for_each_group(step, v, [this](double p, std::span<const double> from, std::span<double> to) {
      slab_advance(p, slab_, to, from);
    });
  }

  // The V whose mean is w. relaxed() is the prior with every switch on, from which a hard problem may start.
  void from_mean(std::span<const double> w, std::span<double> v) const {
    for_each_group(w, v, [this](double p, std::span<const double> from, std::span<double> to) {
      slab_from_mean(p, slab_, from, to);
    });
  }
  // The minimum of A* plus a parabola along axes of group g (slab.hpp). Writes V and its mean.
  void least(Index g, std::span<const double> m, std::span<const double> goal, std::span<double> v,
             std::span<double> w) const {
    const double on = slab_least(p_[static_cast<std::size_t>(g)], slab_, m, goal, v);
    for (std::size_t j = 0; j < v.size(); ++j) w[j] = on * (slab_.variance * v[j]);
  }
  GaussianPartition relaxed() const { return {dimension(), slab_.variance}; }

  // The most that A* can exceed that of the relaxed prior: P log(P/p) + (1-P) log((1-P)/(1-p)) <= log 1/p.
  double relaxation_cost() const { return slab_relaxation_cost(p_); }

  // h_g of each group.
  std::vector<double> exponents(std::span<const double> v) const {
    std::vector<double> h(p_.size(), 0.0);
    for (std::size_t i = 0; i < v.size(); ++i) h[group(i)] += slab_.exponent(v[i]);
    return h;
  }

 private:
  std::size_t group(std::size_t i) const { return static_cast<std::size_t>(group_of_[i]); }

  std::vector<MixWeights> group_weights(std::span<const double> v) const {
    const auto h = exponents(v);
    std::vector<MixWeights> weights(p_.size());
    for (std::size_t g = 0; g < p_.size(); ++g) weights[g] = mix_weights(p_[g], h[g]);
    return weights;
  }

  template <class Term>
  double sum_over_groups(std::span<const double> v, Term term) const {
    const auto h = exponents(v);
    CompensatedSum sum;
    for (std::size_t g = 0; g < p_.size(); ++g) sum.add(term(p_[g], h[g]));
    return sum.value();
  }
  // Calls change(p_g, part of `from`, part of `to`) for each group and writes the part of `to` back.
  template <class Change>
  void for_each_group(std::span<const double> from, std::span<double> to, Change change) const {
    std::vector<std::size_t> begin(p_.size() + 1, 0);
    for (std::size_t i = 0; i < to.size(); ++i) ++begin[group(i) + 1];
    for (std::size_t g = 0; g < p_.size(); ++g) begin[g + 1] += begin[g];
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1), place(to.size());
    std::vector<double> gathered_from(to.size()), gathered_to(to.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
      place[i] = next[group(i)]++;
      gathered_from[place[i]] = from[i];
      gathered_to[place[i]] = to[i];
    }
    for (std::size_t g = 0; g < p_.size(); ++g) {
      const std::size_t size = begin[g + 1] - begin[g];
      change(p_[g], std::span<const double>(gathered_from).subspan(begin[g], size),
             std::span<double>(gathered_to).subspan(begin[g], size));
    }
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = gathered_to[place[i]];
  }
  template <class Entry>
  void each(std::span<const double> v, std::span<double> out, Entry entry) const {
    const auto weights = group_weights(v);
    for (std::size_t i = 0; i < v.size(); ++i) out[i] = entry(weights[group(i)], v[i]);
  }

  std::vector<Index> group_of_;
  std::vector<double> p_;
  Slab slab_;
};

static_assert(LogPartition<GroupPartition>);

}  // namespace medlar
