// The epsilon-insensitive loss of support vector regression, on lambda = |beta|   [MED 3.1]
//
//   psi(lambda) = -epsilon lambda on [0, c];     loss(m) = c max(0, -epsilon - m)
//
// The margin m is one-sided: f - y for a positive beta, y - f for a negative one.
#pragma once

#include "medlar/core/concepts.hpp"
#include "medlar/priors/margins/open_end.hpp"

namespace medlar {

struct SvrMargin {
  double c = 1;
  double epsilon = 0;

  Domain domain() const { return {c, true}; }

  double value(double lambda) const { return lambda < 0 || lambda > c ? kMinusInfinity : 0 - epsilon * lambda; }
  double slope(double) const { return -epsilon; }
  double curvature(double) const { return 0; }

  double loss(double margin) const {
    const double beyond = -epsilon - margin;
    return beyond <= 0 ? 0 : c * beyond;
  }
  double multiplier(double margin) const { return margin < -epsilon ? c : 0; }
  double proximal(double g, double q, double) const {
    const double slope = g - epsilon;
    return slope <= 0 ? 0 : slope >= q * c ? c : slope / q;
  }

  SvrMargin linear_part() const { return *this; }  // it has no logarithm
};

static_assert(MarginPotential<SvrMargin>);

}  // namespace medlar
