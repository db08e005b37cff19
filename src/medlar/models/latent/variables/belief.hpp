// A label that is not certain: P0(y = +1) = belief, and the score L of the example (docs/theory.md#latent).
//
//   K(lambda) = log(belief e^{lambda L} + (1 - belief) e^{-lambda L}),   K' = E_Q[y] L,   K'' = (1 - E_Q[y]^2) L^2
//
// A belief of 0 or 1 is a known label, bit for bit: K = +-lambda L.
#pragma once

#include <cmath>

#include "medlar/models/latent/variables/tilt.hpp"
#include "medlar/numerics/log_mix.hpp"

namespace medlar {

struct Belief {
  double belief = 0.5;
  double score = 0;

  double value(double lambda) const { return log_mix(belief, 2 * lambda * score) - lambda * score; }
  double slope(double lambda) const { return mean_label(lambda) * score; }
  double curvature(double lambda) const {
    const MixWeights weights = mix_weights(belief, 2 * lambda * score);
    return 4 * weights.on * weights.off * score * score;
  }
  double largest() const { return belief == 1 ? score : belief == 0 ? -score : std::abs(score); }

  // E_Q[y]
  double mean_label(double lambda) const {
    const MixWeights weights = mix_weights(belief, 2 * lambda * score);
    return weights.on - weights.off;
  }
};

static_assert(LogSum<Belief>);

}  // namespace medlar
