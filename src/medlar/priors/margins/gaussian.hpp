// Gaussian margin prior N(s, 1/c^2), whose loss is the squared hinge   [MED 2.2]
//
//   psi(lambda) = s lambda - lambda^2/(2 c^2) on [0, inf);     loss(m) = c^2 max(0, s - m)^2 / 2
//
// For numbers s = 0: the two sides of a number together are -beta^2/(2 c^2) on the whole line, which is what an
// equality E[y - L(x) - gamma] = 0 gives, and the loss is c^2 r^2 / 2 (docs/theory.md#squared-loss).
#pragma once

#include <limits>

#include "medlar/core/concepts.hpp"
#include "medlar/priors/margins/open_end.hpp"

namespace medlar {

struct GaussianMargin {
  double c = 1;
  double location = 1;

  Domain domain() const { return {std::numeric_limits<double>::infinity(), false}; }

  double value(double lambda) const {
    if (lambda < 0) return kMinusInfinity;
    return lambda * (location - lambda / c / c / 2);
  }
  double slope(double lambda) const { return location - lambda / c / c; }
  double curvature(double) const { return -1 / c / c; }

  double loss(double margin) const {
    const double cd = c * (location - margin);
    return cd <= 0 ? 0 : cd * cd / 2;
  }
  double multiplier(double margin) const {
    const double cd = c * (location - margin);
    return cd <= 0 ? 0 : c * cd;
  }
  double proximal(double g, double q, double) const {
    const double slope = location + g;
    return slope <= 0 ? 0 : slope / (q + 1 / c / c);
  }

  GaussianMargin linear_part() const { return *this; }  // it has no logarithm
};

static_assert(MarginPotential<GaussianMargin>);

}  // namespace medlar
