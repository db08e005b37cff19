// The Gaussian that a switch turns on, N(0, v): arithmetic that a switch per feature and a switch per group share.
#pragma once

#include "medlar/numerics/log_mix.hpp"

namespace medlar {

struct Slab {
  double variance = 1;

  // h = v V^2 / 2, the log-partition of the slab alone.
  double exponent(double v) const { return 0.5 * variance * v * v; }

  // v P + P(1 - P) v^2 V^2 for one feature behind the switch. Where 1 - P is 0, V^2 may be infinite.
  double variance_of(MixWeights weights, double v) const {
    const double within = variance * weights.on;
    return weights.off == 0 ? within : within + weights.on * weights.off * (variance * v) * (variance * v);
  }
};

// A*(A'(V)) = V.A'(V) - A = 2 h P - A. As A is convex in h and 0 at h = 0, A <= h P: the difference loses no digits.
inline double slab_conjugate(double p, double exponent) {
  return p == 1 ? exponent : 2 * exponent * mix_weights(p, exponent).on - log_mix(p, exponent);
}

}  // namespace medlar
