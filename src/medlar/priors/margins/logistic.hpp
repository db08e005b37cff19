// The margin prior of logistic regression (docs/theory.md#logistic-loss), h(x) = -x log x - (1 - x) log(1 - x):
//
//   psi(lambda) = s lambda + c h(lambda/c) on [0, c];   loss(m) = c log(1 + e^{s - m}), multiplier(m) = c / (1 + e^{m -
//   s})
//
// psi' = s + log((c - lambda) / lambda) is infinite at both ends: no margin leaves a multiplier at 0 or at c. Where
// doubles know no number in between, the multiplier is the next to the end at which psi' is finite.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "medlar/core/concepts.hpp"
#include "medlar/priors/margins/open_end.hpp"
#include "medlar/simd/margin_loops.hpp"

namespace medlar {

struct LogisticMargin {
  double c = 1;
  double location = 0;

  Domain domain() const { return {c, true, true}; }

  double value(double lambda) const {
    if (lambda < 0 || lambda > c) return kMinusInfinity;
    const double less = std::min(lambda, c - lambda) / c;  // h is the same of x and of 1 - x
    if (less == 0) return location * lambda;
    return location * lambda - c * (less * std::log(less) + (1 - less) * std::log1p(-less));
  }
  double slope(double lambda) const {
    if (!(lambda > 0)) return lambda <= 0 ? -kMinusInfinity : lambda;
    return lambda < c ? location + std::log((c - lambda) / lambda) : kMinusInfinity;
  }
  double curvature(double lambda) const { return -(1 / lambda + 1 / (c - lambda)); }

  double loss(double margin) const {
    const double d = location - margin;
    return c * (d > 0 ? d + std::log1p(std::exp(-d)) : std::log1p(std::exp(d)));
  }
  double multiplier(double margin) const { return share_of(location - margin); }
  Response respond(double margin) const {
    const double lambda = multiplier(margin);
    return {loss(margin), lambda, lambda * ((c - lambda) / c)};
  }

  void respond_all(std::span<const double> margin, std::span<double> loss, std::span<double> multiplier,
                   std::span<double> bend) const {
    logistic_responses({c, location, kLeastMultiplier}, margin.data(), loss.empty() ? nullptr : loss.data(),
                       multiplier.data(), bend.data(), margin.size());
  }
  void value_all(std::span<const double> lambda, std::span<double> value) const {
    logistic_values({c, location, kLeastMultiplier}, lambda.data(), value.data(), lambda.size());
  }

  // With lambda = c / (1 + e^u): the root of u + s + g - q c / (1 + e^u), which rises, and bends at u = 0 alone. From a
  // place between 0 and the root Newton's method nears it from one side; what leads across 0 begins anew there.
  double proximal(double g, double q, double guess) const {
    const double pull = location + g, steep = q * c;
    const double side = pull < 0.5 * steep ? 1 : -1;  // of the root
    double u = guess > 0 && guess < c ? std::log((c - guess) / guess) : 0;
    if (u * side < 0) u = 0;
    for (int step = 0; step < 200; ++step) {
      const double near = sigmoid(-u);
      const double next = u - (u + pull - steep * near) / (1 + steep * near * sigmoid(u));
      const double to = next * side < 0 ? 0 : next;
      const bool settled = std::abs(to - u) <= 1e-14 * (1 + std::abs(u));
      u = to;
      if (settled) break;
    }
    return share_of(-u);
  }

 private:
  static constexpr double kLeastMultiplier = 1e-300;

  static double sigmoid(double x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }

  // c sigmoid(d), inside the domain.
  double share_of(double d) const {
    const double lambda = below(c, c * sigmoid(d));
    return lambda < kLeastMultiplier ? kLeastMultiplier : lambda;
  }
};

static_assert(MarginPotential<LogisticMargin>);

}  // namespace medlar
