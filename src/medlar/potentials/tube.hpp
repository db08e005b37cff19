// Epsilon-tube margin prior: P0(gamma) flat on [0, epsilon], proportional to e^{c(epsilon - gamma)} beyond   [MED eq.
// 4]
//
//   psi(lambda) = -log( [k phi(u) + e^u/(1 - x)] / (1 + k) ) on [0, c),  u = lambda epsilon, k = c epsilon, x =
//   lambda/c
//
// on lambda = |beta|. The tilted prior P0(gamma) e^{lambda gamma} is a mixture of a decay below epsilon (the flat part)
// and an exponential tail of rate c - lambda above it; psi' = -E[gamma] and psi'' = -Var[gamma] are the mixture's.
// Every sum below has terms of one sign, so each formula keeps its digits from lambda = 0 to lambda = c.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "medlar/core/concepts.hpp"
#include "medlar/numerics/decay_moments.hpp"
#include "medlar/numerics/expm1_ratio.hpp"
#include "medlar/numerics/proximal_root.hpp"
#include "medlar/potentials/open_end.hpp"

namespace medlar {

struct TubeMargin {
  double c = 1;
  double epsilon = 0;

  Domain domain() const { return {c, false}; }

  double value(double lambda) const {
    return lambda < 0 || lambda >= c ? kMinusInfinity : value(Point{lambda, c - lambda});
  }
  double slope(double lambda) const { return -tilted(Point{lambda, c - lambda}).mean; }
  double curvature(double lambda) const { return -tilted(Point{lambda, c - lambda}).variance; }

  double loss(double margin) const {
    if (margin >= slope(0)) return 0;
    const Point at = maximiser(-margin);
    return std::max(value(at) - at.lambda * margin, 0.0);  // lambda = 0 already gives 0
  }
  double multiplier(double margin) const { return margin >= slope(0) ? 0 : below(c, maximiser(-margin).lambda); }

  double proximal(double g, double q, double guess) const { return proximal_root(*this, g, q, guess); }

 private:
  // A multiplier with its distance from c, both to full relative accuracy.
  struct Point {
    double lambda;
    double rest;
  };
  struct Moments {
    double mean;
    double variance;
  };

  double value(Point at) const;
  Moments tilted(Point at) const;          // of gamma under P0(gamma) e^{lambda gamma}
  Point maximiser(double residual) const;  // E[gamma] = residual, for residual > E0[gamma]
  double first_guess(double residual, bool lower_half) const;
};

static_assert(MarginPotential<TubeMargin>);

inline double TubeMargin::value(Point at) const {
  const double u = at.lambda * epsilon;
  const double k = c * epsilon;
  if (u <= 1) {
    const double flat = k * expm1_ratio_minus_1(u);
    const double tail = (c * std::expm1(u) + at.lambda) / at.rest;
    return 0 - std::log1p((flat + tail) / (1 + k));
  }
  return -u - std::log((k * (-std::expm1(-u) / u) + c / at.rest) / (1 + k));
}

inline TubeMargin::Moments TubeMargin::tilted(Point at) const {
  const DecayMoments decay = decay_moments(at.lambda * epsilon);
  const double flat_weight = epsilon * decay.zeroth;
  const double tail_weight = 1 / at.rest;
  const double flat = flat_weight / (flat_weight + tail_weight);
  const double tail = tail_weight / (flat_weight + tail_weight);
  const double depth = decay.first / decay.zeroth;  // of the flat part's mean below epsilon, in units of epsilon
  const double spread = decay.second / decay.zeroth - depth * depth;
  const double distance = tail_weight + epsilon * depth;  // between the means of the two parts
  return {epsilon * (1 - flat * depth) + tail * tail_weight,
          flat * epsilon * epsilon * spread + tail * tail_weight * tail_weight + flat * tail * distance * distance};
}

// Safeguarded Newton on E[gamma] = residual. The unknown is lambda below c/2 and c - lambda above it, so that a root
// close to either end keeps its relative accuracy; above c/2 the equation solved is 1/E[gamma] = 1/residual, which is
// nearly linear there.
inline TubeMargin::Point TubeMargin::maximiser(double residual) const {
  const bool lower_half = tilted(Point{c / 2, c / 2}).mean >= residual;
  const auto point = [&](double x) { return lower_half ? Point{x, c - x} : Point{c - x, x}; };
  double lower = 0;
  double upper = c / 2;
  double x = first_guess(residual, lower_half);
  if (!(x > lower && x < upper)) x = upper / 2;
  for (int iteration = 0; iteration < 200; ++iteration) {
    const Moments now = tilted(point(x));
    const double error = lower_half ? now.mean - residual : residual - now.mean;  // increases with x
    if (std::abs(error) <= 2 * std::numeric_limits<double>::epsilon() * residual) break;
    (error > 0 ? upper : lower) = x;
    const double step = error / now.variance * (lower_half ? 1 : now.mean / residual);
    const bool newton = x - step > lower && x - step <= upper;
    const double next = newton ? x - step : lower > 0 ? std::sqrt(lower) * std::sqrt(upper) : upper / 64;
    const bool settled = newton && std::abs(step) <= 1e-9 * x;  // the step squares the error: the next is round-off
    x = next;
    if (settled) break;
  }
  return point(x);
}

// Where e^{-u} is negligible, E[gamma] = epsilon + 1/(c - lambda) - 1/lambda, a quadratic equation in lambda; towards
// lambda = 0 the slope is linear, and for a narrow tube (c epsilon < 1) E[gamma] is about 1/(c - lambda).
inline double TubeMargin::first_guess(double residual, bool lower_half) const {
  const double t = c * std::abs(residual - epsilon);
  const double s = std::hypot(t, 2.0);
  const double wide = c * (1 + 2 / (s + t)) / (2 + s);
  if (lower_half) {
    const Moments prior = tilted(Point{0, c});
    return wide * epsilon > 2 ? wide : (residual - prior.mean) / prior.variance;
  }
  return c * epsilon > 1 ? wide : 1 / residual;
}

}  // namespace medlar
