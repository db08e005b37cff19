// The variational bound of appendix B: minus the log-partition of one feature lies above a parabola that touches it
//
//   -A_i(V) >= slope V - curvature V^2 / 2 + constant,   with equality at the point of contact   [MED appendix B;
//   errata 7]
//
// For a switch, with u = sqrt(v) V, contact at u~ and h = (1 - p)/(1 - p + p e^{u~^2/2}):
//
//   -log(1 - p + p e^{u^2/2}) >= u u~ (u~^2/4 + h) - (1 + u~^2/4) u^2 / 2 + constant
#pragma once

#include <cmath>

#include "medlar/numerics/log_mix.hpp"

namespace medlar {

struct QuadraticBound {
  double slope, curvature, constant;
};

// At p = 0 and p = 1 the log-partition is itself a parabola, and its own bound.
inline QuadraticBound switch_bound(double p, double variance, double contact) {
  if (p == 0) return {0, 0, 0};
  if (p == 1) return {0, variance, 0};
  const double u = std::sqrt(variance) * contact, exponent = 0.5 * u * u;
  const double slope = u * (0.25 * u * u + mix_weights(p, exponent).off), curvature = 1 + 0.25 * u * u;
  return {std::sqrt(variance) * slope, variance * curvature,
          -log_mix(p, exponent) - slope * u + 0.5 * curvature * u * u};
}

}  // namespace medlar
