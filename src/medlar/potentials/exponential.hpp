// Exponential margin prior P0(gamma) = c e^{-c(s - gamma)}, gamma <= s   [MED eq. 3; errata 1]
//
//   psi(lambda) = s lambda + log(1 - lambda/c) on [0, c)
//   loss(m) = z - log(1 + z), z = c(s - m) - 1, where z > 0, else 0;     multiplier(m) = c - 1/(s - m)
#pragma once

#include <cmath>

#include "medlar/core/concepts.hpp"
#include "medlar/numerics/log1p_defect.hpp"
#include "medlar/potentials/open_end.hpp"

namespace medlar {

struct ExponentialMargin {
  double c = 1;
  double location = 1;

  Domain domain() const { return {c, false}; }

  double value(double lambda) const {
    if (lambda < 0 || lambda >= c) return kMinusInfinity;
    const double log_rest = lambda > c / 2 ? std::log((c - lambda) / c) : std::log1p(-lambda / c);
    return location * lambda + log_rest;
  }
  double slope(double lambda) const { return location - 1 / (c - lambda); }
  double curvature(double lambda) const { return -1 / ((c - lambda) * (c - lambda)); }

  double loss(double margin) const {
    const double z = shortfall(margin);
    return z <= 0 ? 0 : log1p_defect(z);
  }
  double multiplier(double margin) const {
    const double z = shortfall(margin);
    return z <= 0 ? 0 : below(c, z / (location - margin));
  }

 private:
  double shortfall(double margin) const { return std::fma(c, location - margin, -1.0); }
};

static_assert(MarginPotential<ExponentialMargin>);

}  // namespace medlar
