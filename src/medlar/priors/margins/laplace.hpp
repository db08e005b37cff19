// Laplace margin prior P0(gamma) = (c/2) e^{-c|s - gamma|}   [MED 2.2]
//
//   psi(lambda) = s lambda + log(1 - lambda^2/c^2) on [0, c)
//   loss(m) = z - log(1 + z/2), z = q - 1, q = sqrt(1 + c^2 d^2), d = s - m > 0, else 0
//   multiplier(m) = c^2 d / (1 + q)
#pragma once

#include <cmath>

#include "medlar/core/concepts.hpp"
#include "medlar/numerics/log1p_defect.hpp"
#include "medlar/numerics/proximal_root.hpp"
#include "medlar/priors/margins/hinge.hpp"
#include "medlar/priors/margins/open_end.hpp"

namespace medlar {

struct LaplaceMargin {
  double c = 1;
  double location = 1;

  Domain domain() const { return {c, false}; }

  double value(double lambda) const {
    if (lambda < 0 || lambda >= c) return kMinusInfinity;
    const double x = lambda / c;
    const double log_rest = x > 0.5 ? std::log((c - lambda) / c) + std::log1p(x) : std::log1p(-x * x);
    return location * lambda + log_rest;
  }
  // 1 - lambda^2/c^2 is (c - lambda)(c + lambda)/c^2: the decay has the rates c - lambda and c + lambda.
  double slope(double lambda) const { return location - 2 * lambda / ((c - lambda) * (c + lambda)); }
  double curvature(double lambda) const {
    const double near = 1 / (c - lambda);
    const double far = 1 / (c + lambda);
    return -(near * near + far * far);
  }

  double loss(double margin) const {
    const double cd = c * (location - margin);
    if (cd <= 0) return 0;
    const double half = cd * tilt(cd) / 2;  // (q - 1)/2, without the difference
    return half + log1p_defect(half);
  }
  double multiplier(double margin) const {
    const double cd = c * (location - margin);
    return cd <= 0 ? 0 : below(c, c * tilt(cd));
  }

  double proximal(double g, double q, double guess) const { return proximal_root(*this, g, q, guess); }

  HingeMargin linear_part() const { return {c, location}; }  // without the logarithm

 private:
  static double tilt(double cd) { return cd / (1 + std::hypot(1.0, cd)); }
};

static_assert(MarginPotential<LaplaceMargin>);

}  // namespace medlar
