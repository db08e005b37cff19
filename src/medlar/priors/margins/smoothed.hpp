// The exponential margin or the hinge with logarithms at the ends of its domain, for which it has no kink: what Newton
// can follow as mu falls to 0.
//
//   psi(lambda) = s lambda + a log(1 - lambda/c) + mu log(lambda/c) + shift on (0, c)
//
// with a = 1 for the exponential margin and a = mu for the hinge. The shift keeps losses above 0.
#pragma once

#include <algorithm>
#include <cmath>

#include "medlar/core/concepts.hpp"
#include "medlar/priors/margins/open_end.hpp"

namespace medlar {

struct SmoothedMargin {
  double c = 1;
  double location = 1;
  double end = 1;  // a
  double mu = 1;
  double shift = 0;

  Domain domain() const { return {c, false}; }

  double value(double lambda) const {
    if (!(lambda > 0 && lambda < c)) return kMinusInfinity;
    return location * lambda + end * std::log((c - lambda) / c) + mu * std::log(lambda / c) + shift;
  }
  double slope(double lambda) const { return location - end / (c - lambda) + mu / lambda; }
  double curvature(double lambda) const { return -end / ((c - lambda) * (c - lambda)) - mu / (lambda * lambda); }

  double loss(double margin) const { return respond(margin).loss; }
  double multiplier(double margin) const { return respond(margin).multiplier; }

  // d lambda^2 - (d c - a - mu) lambda - mu c = 0 with d = s - m, by the forms that do not cancel; c - lambda likewise.
  Response respond(double margin) const {
    const double d = location - margin, pull = d * c, b = pull - end - mu;
    double lambda, room;
    if (d > 0) {
      const double root = std::sqrt(b * b + 4 * pull * mu);
      lambda = b > 0 ? (b + root) / (2 * d) : 2 * mu * c / (root - b);
      room = end * lambda / (d * lambda + mu);
    } else {
      const double other = -pull - mu;
      const double root = std::sqrt(other * other + end * end + 2 * end * (mu - pull));
      lambda = 2 * mu * c / (root - b);
      room = c - lambda;
    }
    lambda = below(c, lambda);
    const double loss = d * lambda + end * std::log(room / c) + mu * std::log(lambda / c) + shift;
    return {loss, lambda, 1 / (end / (room * room) + mu / (lambda * lambda))};
  }

  // The root of slope + g - q lambda, which falls: Newton inside a bracket.
  double proximal(double g, double q, double guess) const {
    double low = 0, high = c, lambda = guess > 0 && guess < c ? guess : 0.5 * c;
    for (int step = 0; step < 200; ++step) {
      const double rise = slope(lambda) + g - q * lambda;
      (rise > 0 ? low : high) = lambda;
      double next = lambda - rise / (curvature(lambda) - q);
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      if (std::abs(next - lambda) <= 1e-16 * c || next == lambda) break;
      lambda = next;
    }
    return lambda;
  }
};

static_assert(MarginPotential<SmoothedMargin>);

}  // namespace medlar
