// Step 2 of the alternation for one example (docs/theory.md#latent): with the scores fixed, its multiplier solves
//
//   D = max_{lambda >= 0} psi(lambda) - K(lambda),     K(lambda) = log sum_{y,U} P0(y) P0(U) e^{lambda y L(x,U)}
//
// and Q(y,U) ~ P0 e^{lambda y L}. K is convex with K(0) = 0. K'(lambda) = E_Q[y L] lies between K'(0) and the largest y
// L, so psi' = K' holds between the multipliers of these two margins. Newton's method is kept between them. D is what
// the example adds to the total KL divergence at its best Q.
#pragma once

#include <cmath>
#include <concepts>

#include "medlar/priors/margins/margin.hpp"

namespace medlar {

template <class K>
concept LogSum = requires(const K k, double lambda) {
  { k.value(lambda) } -> std::same_as<double>;
  { k.slope(lambda) } -> std::same_as<double>;      // E_Q[y L]
  { k.curvature(lambda) } -> std::same_as<double>;  // Var_Q[y L]
  { k.largest() } -> std::same_as<double>;          // the limit of the slope
};

struct Tilt {
  double lambda = 0;
  double value = 0;   // D
  double margin = 0;  // E_Q[y L] = psi'(lambda) unless lambda = 0
  // KL(Q || P0) = lambda K' - K
  double divergence(double log_sum) const { return lambda * margin - log_sum; }
};

template <LogSum K>
Tilt tilted(const Margin& psi, const K& k) {
  double high = psi.multiplier(k.slope(0));
  if (!(high > 0)) return {0, 0, k.slope(0)};
  double low = psi.multiplier(k.largest());
  double lambda = high;
  for (int step = 0; step < 100 && low < high; ++step) {
    const double slope = psi.slope(lambda) - k.slope(lambda);
    if (slope == 0) break;
    (slope > 0 ? low : high) = lambda;
    const double newton = lambda - slope / (psi.curvature(lambda) - k.curvature(lambda));
    const double next = newton > low && newton < high ? newton : low + 0.5 * (high - low);
    if (std::abs(next - lambda) <= 1e-15 * lambda || !(next > low && next < high)) break;
    lambda = next;
  }
  return {lambda, psi.value(lambda) - k.value(lambda), k.slope(lambda)};
}

}  // namespace medlar
