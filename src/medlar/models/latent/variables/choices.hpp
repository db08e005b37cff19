// The log-sums over a transformation U of an example whose label y is known (docs/theory.md#latent).
//
//   finite set       K(lambda) = log sum_U P0(U) e^{lambda y L(x,U)}
//   translation      x - sum_j U_j d_j, U_j ~ N(0,1):   K(lambda) = lambda y L(x) + lambda^2 sum_j (w.d_j)^2 / 2
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "medlar/models/latent/variables/tilt.hpp"

namespace medlar {

// Scores of the choices and their prior probabilities, which add up to 1.
struct Choices {
  std::span<const double> scores, prior;
  double sign = 1;  // y

  double value(double lambda) const {
    const double high = peak(lambda);
    double sum = 0;
    for (std::size_t u = 0; u < scores.size(); ++u) sum += weight(u, lambda, high);
    return high + std::log(sum);
  }
  double slope(double lambda) const { return moments(lambda).first; }
  double curvature(double lambda) const { return moments(lambda).second; }
  double largest() const { return peak(1); }

  // Q(U)
  double posterior(std::size_t u, double lambda) const {
    const double high = peak(lambda);
    double sum = 0;
    for (std::size_t k = 0; k < scores.size(); ++k) sum += weight(k, lambda, high);
    return weight(u, lambda, high) / sum;
  }

 private:
  double peak(double lambda) const {
    double high = -HUGE_VAL;
    for (std::size_t u = 0; u < scores.size(); ++u) {
      if (prior[u] > 0) high = std::max(high, lambda * sign * scores[u]);
    }
    return high;
  }
  double weight(std::size_t u, double lambda, double high) const {
    return prior[u] > 0 ? prior[u] * std::exp(lambda * sign * scores[u] - high) : 0.0;
  }
  std::pair<double, double> moments(double lambda) const {
    const double high = peak(lambda);
    double sum = 0, first = 0, second = 0;
    for (std::size_t u = 0; u < scores.size(); ++u) {
      const double q = weight(u, lambda, high);
      sum += q, first += q * sign * scores[u];
    }
    first /= sum;
    for (std::size_t u = 0; u < scores.size(); ++u) {
      const double apart = sign * scores[u] - first;
      second += weight(u, lambda, high) / sum * apart * apart;
    }
    return {first, second};
  }
};

struct Translation {
  double margin = 0;  // y L(x)
  double spread = 0;  // sum_j (w.d_j)^2

  double value(double lambda) const { return lambda * (margin + 0.5 * lambda * spread); }
  double slope(double lambda) const { return margin + lambda * spread; }
  double curvature(double) const { return spread; }
  double largest() const { return spread > 0 ? std::numeric_limits<double>::infinity() : margin; }
};

static_assert(LogSum<Choices> && LogSum<Translation>);

}  // namespace medlar
