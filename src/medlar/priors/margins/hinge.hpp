// The hinge of the support vector machine: no margin prior, but the limit of potentials that have one   [MED thm 2]
//
//   psi(lambda) = s lambda on [0, c];     loss(m) = c max(0, s - m);     multiplier(m) = c where m < s, else 0
#pragma once

#include "medlar/core/concepts.hpp"
#include "medlar/priors/margins/open_end.hpp"

namespace medlar {

struct HingeMargin {
  double c = 1;
  double location = 1;

  Domain domain() const { return {c, true}; }

  double value(double lambda) const { return lambda < 0 || lambda > c ? kMinusInfinity : location * lambda; }
  double slope(double) const { return location; }
  double curvature(double) const { return 0; }

  double loss(double margin) const {
    const double d = location - margin;
    return d <= 0 ? 0 : c * d;
  }
  double multiplier(double margin) const { return margin < location ? c : 0; }
  double proximal(double g, double q, double) const {
    const double slope = location + g;
    return slope <= 0 ? 0 : slope >= q * c ? c : slope / q;
  }

  HingeMargin linear_part() const { return *this; }  // it has no logarithm
};

static_assert(MarginPotential<HingeMargin>);

}  // namespace medlar
