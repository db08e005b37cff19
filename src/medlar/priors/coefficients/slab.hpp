// The Gaussian that a switch turns on, N(0, v): arithmetic that a switch per feature and a switch per group share.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "medlar/numerics/log_mix.hpp"
#include "medlar/numerics/sum.hpp"

namespace medlar {

struct Slab {
  double variance = 1;

  // h = v V^2 / 2, the log-partition of the slab alone.
  double exponent(double v) const { return 0.5 * variance * v * v; }

  // v P + P(1 - P) v^2 V^2 for one feature behind the switch. Multiplied from the left, because v^2 V^2 alone may
  // overflow.
  double variance_of(MixWeights weights, double v) const {
    return variance * weights.on + weights.on * weights.off * (variance * v) * (variance * v);
  }
};

// A*(A'(V)) = V.A'(V) - A = 2 h P - A. A is convex in h and 0 at h = 0, so A <= h P and the difference loses no digits.
inline double slab_conjugate(double p, double exponent) {
  return p == 1 || exponent == 0 ? exponent : 2 * exponent * mix_weights(p, exponent).on - log_mix(p, exponent);
}

// The inverse of the mean along a ray: rho >= 0 with P(rho) v rho = target, for 0 < p < 1. Because P <= 1, and P >= 1/2
// beyond the transition, rho lies between target/v and the larger of 2 target/v and the transition. The root is found
// by Newton on log(P v rho), whose slope is 1/rho + (1 - P) v rho, kept inside the bracket. It goes to full precision:
// at c = 1e4 the gap would show anything less.
inline double slab_radius(double p, Slab slab, double target, double guess = 0) {
  if (!(target > 0)) return 0;
  const double transition = p < 0.5 ? std::sqrt(2 / slab.variance * (std::log1p(-p) - std::log(p))) : 0.0;
  double low = target / slab.variance, high = std::max(2 * low, transition);
  double rho = guess > low && guess < high ? guess : std::clamp(transition, low, high);
  for (int step = 0; step < 60; ++step) {
    const MixWeights weights = mix_weights(p, slab.exponent(rho));
    const double excess = std::log(weights.on * slab.variance * rho / target);
    if (std::abs(excess) <= 1e-15) break;
    (excess > 0 ? high : low) = rho;
    const double newton = rho - excess / (1 / rho + weights.off * slab.variance * rho);
    if (std::abs(newton - rho) <= 2e-16 * rho) break;
    rho = newton > low && newton < high ? newton : 0.5 * (low + high);
  }
  return rho;
}

// The V of one switch whose mean is w: it points along w and its length is slab_radius. A switch that is never on has
// mean 0 and V = 0. The length of v on entry is a first guess.
inline void slab_from_mean(double p, Slab slab, std::span<const double> w, std::span<double> v) {
  double norm = 0, guess = 0;
  for (const double wi : w) norm += wi * wi;
  for (const double vi : v) guess += vi * vi;
  norm = std::sqrt(norm);
  double scale = 1 / slab.variance;
  if (p == 0 || norm == 0)
    scale = 0;
  else if (p < 1)
    scale = slab_radius(p, slab, norm, std::sqrt(guess)) / norm;
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = scale * w[i];
}

// Moves the V of one switch by a Newton step along the shorter of two paths: V by `step`, or the mean by A'' step. Both
// are right to first order. On the first path a switch that is about to turn on would overshoot, on the second one that
// is about to turn off.
inline void slab_advance(double p, Slab slab, std::span<double> v, std::span<const double> step) {
  double h = 0, along = 0;
  for (std::size_t i = 0; i < v.size(); ++i) h += slab.exponent(v[i]), along += v[i] * step[i];
  const MixWeights weights = mix_weights(p, h);
  double norm = 0;  // of the mean that the tangent predicts, d (v + step) + kappa v (v . step)
  const double rank_one = weights.on * weights.off * slab.variance * slab.variance * along;
  const auto predicted = [&](std::size_t i) { return slab.variance * weights.on * (v[i] + step[i]) + rank_one * v[i]; };
  for (std::size_t i = 0; i < v.size(); ++i) norm += predicted(i) * predicted(i);
  norm = std::sqrt(norm);
  const double scale = norm > 0 ? slab_radius(p, slab, norm) / norm : 0.0;
  double by_v = 0, by_mean = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double other = scale * predicted(i) - v[i];
    by_v += step[i] * step[i];
    by_mean += other * other;
  }
  const bool along_mean = p > 0 && p < 1 && std::isfinite(by_mean) && by_mean < by_v;
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = along_mean ? scale * predicted(i) : v[i] + step[i];
}

// The minimum of A*(w) - goal.w + sum_j m_j w_j^2 / 2 for one switch, along axes of its own: V_j + m_j w_j = goal_j
// with w = P v V. For a given P that is V_j = goal_j / (1 + P v m_j), so only one number is sought, the P with P =
// P(h(P)). Newton finds its logit, which rises with h, while h falls as P rises. Writes V; returns P.
inline double slab_least(double p, Slab slab, std::span<const double> m, std::span<const double> goal,
                         std::span<double> v) {
  const auto place = [&](double on) {
    double h = 0, slope = 0;
    for (std::size_t j = 0; j < v.size(); ++j) {
      const double stiff = slab.variance * m[j], hold = 1 + on * stiff;
      v[j] = goal[j] / hold;
      h += slab.exponent(v[j]);
      slope -= 2 * slab.exponent(v[j]) * stiff / hold;
    }
    return std::pair(h, slope);
  };
  if (p == 0 || p == 1) {
    place(p);
    return p;
  }
  const double prior = std::log(p) - std::log1p(-p);
  double low = prior + place(1).first, high = prior + place(0).first, logit = low, last = HUGE_VAL;
  MixWeights weights{};
  for (int step = 0; step < 100; ++step) {
    weights = mix_weights(0.5, logit);
    const auto [h, slope] = place(weights.on);
    const double excess = logit - prior - h;
    if (std::abs(excess) <= 1e-15 * (1 + std::abs(logit))) break;
    (excess > 0 ? high : low) = logit;
    double next = logit - excess / (1 - slope * weights.on * weights.off);
    // h is flat, then steep, then flat again. Newton may jump between the flat ends for ever.
    if (!(next > low && next < high) || std::abs(excess) > 0.5 * last) next = 0.5 * (low + high);
    if (next == logit) break;
    last = std::abs(excess);
    logit = next;
  }
  return weights.on;
}

// sum log 1/p; infinite if a switch can never be on.
inline double slab_relaxation_cost(std::span<const double> p) {
  CompensatedSum cost;
  for (const double probability : p) {
    if (probability == 0) return HUGE_VAL;
    cost.add(-std::log(probability));
  }
  return cost.value();
}

}  // namespace medlar
