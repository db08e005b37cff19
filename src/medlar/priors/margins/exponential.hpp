// Exponential margin prior P0(gamma) = c e^{-c(s - gamma)}, gamma <= s   [MED eq. 3; errata 1]
//
//   psi(lambda) = s lambda + log(1 - lambda/c) on [0, c)
//   loss(m) = z - log(1 + z), z = c(s - m) - 1, where z > 0, else 0;     multiplier(m) = c - 1/(s - m)
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "medlar/core/concepts.hpp"
#include "medlar/numerics/log1p_defect.hpp"
#include "medlar/priors/margins/hinge.hpp"
#include "medlar/priors/margins/open_end.hpp"
#include "medlar/simd/margin_loops.hpp"

namespace medlar {

struct ExponentialMargin {
  double c = 1;
  double location = 1;

  Domain domain() const { return {c, false}; }

  double value(double lambda) const {
    if (lambda < 0 || lambda >= c) return kMinusInfinity;
    if (lambda > c / 2) return location * lambda + std::log((c - lambda) / c);
    const double x = lambda / c;
    return x * prior_excess() - log1p_defect(-x);  // the terms linear in lambda, taken together
  }
  double slope(double lambda) const { return std::fma(location, c - lambda, -1.0) / (c - lambda); }
  double curvature(double lambda) const { return -1 / ((c - lambda) * (c - lambda)); }

  double loss(double margin) const { return log1p_defect(shortfall(margin)); }
  double multiplier(double margin) const {
    const double z = shortfall(margin);
    return z == 0 ? 0 : below(c, z / (location - margin));
  }

  void respond_all(std::span<const double> margin, std::span<double> loss, std::span<double> multiplier,
                   std::span<double> bend) const {
    exponential_responses({c, location}, margin.data(), loss.empty() ? nullptr : loss.data(), multiplier.data(),
                          bend.data(), margin.size());
  }
  void value_all(std::span<const double> lambda, std::span<double> value) const {
    exponential_values({c, location}, lambda.data(), value.data(), lambda.size());
  }

  // The smaller root of q lambda^2 - (s + g + q c) lambda + c (s + g) - 1 = 0, by the form that does not cancel.
  double proximal(double g, double q, double) const {
    if (!(slope(0) + g > 0)) return 0;
    const double pull = location + g, sum = pull + q * c, difference = pull - q * c;
    const double root = std::sqrt(difference * difference + 4 * q);
    return below(c, 2 * std::fma(c, pull, -1.0) / (sum + root));
  }

  // Without the logarithm: of a bounded QP [MED appendix B].
  HingeMargin linear_part() const { return {c, location}; }

 private:
  double prior_excess() const { return std::fma(c, location, -1.0); }  // c times the prior mean margin

  // z, or 0 where the margin suffices
  double shortfall(double margin) const {
    return margin >= slope(0) ? 0 : std::max(std::fma(-c, margin, prior_excess()), 0.0);
  }
};

static_assert(MarginPotential<ExponentialMargin>);

}  // namespace medlar
