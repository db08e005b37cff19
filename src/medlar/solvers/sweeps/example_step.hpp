// What one example alone would do (docs/theory.md#sweeps): the maximum of its psi along its axis against the present
// curvature of A.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace medlar {

template <class P>
class ExampleStep {
 public:
  explicit ExampleStep(const P& problem)
      : problem_(problem), two_sided_(problem.constraints.count() > problem.constraints.examples()) {}

  struct Step {
    double to;     // the new beta
    double slope;  // dJ/dbeta at the present beta, 0 where it holds beta at an end
    double slack;  // how far an idle example is from moving
    double held;   // of the gap, about
  };

  // From beta at score f (with the bias) and curvature q; beta = +lambda of the side with sign +1, -lambda of the
  // other.
  Step best(std::size_t t, double beta, double f, double q) const {
    Step best{0, 0, HUGE_VAL, 0};
    for (std::size_t k = first_side(t); k < first_side(t + 1); ++k) {
      const double sign = problem_.sign(k), lambda = std::max(0.0, sign * beta);
      const double margin = sign * f - problem_.constraints.offset[k];
      const double g = q * sign * beta - margin;
      const double to = problem_.proximal(k, g, q, lambda);
      const double slope = problem_.slope(k, lambda) - margin;
      best.slack = std::min(best.slack, -slope);
      best.held += std::abs(problem_.multiplier(k, margin) - lambda) * std::abs(slope);
      if (to > 0 || lambda > 0) best.slope = sign * slope;
      if (to > 0) best.to = sign * to;
    }
    return best;
  }

  // dJ/dbeta at this beta and score.
  double slope(std::size_t t, double beta, double f) const {
    const std::size_t k = first_side(t) + (two_sided_ && beta < 0 ? 1 : 0);
    return problem_.sign(k) *
           (problem_.slope(k, std::abs(beta)) - (problem_.sign(k) * f - problem_.constraints.offset[k]));
  }

 private:
  std::size_t first_side(std::size_t t) const { return two_sided_ ? 2 * t : t; }

  const P& problem_;
  bool two_sided_;
};

}  // namespace medlar
