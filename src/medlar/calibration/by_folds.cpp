// The unknowns are the logarithm of the slope, in which the prior is quadratic, and the intercept. The loss is convex
// in the slope and not always in its logarithm, so Newton's matrix leaves out the term that can be negative; each step
// is shortened until the loss falls.
#include "medlar/calibration/by_folds.hpp"

#include <algorithm>
#include <cmath>

#include "medlar/calibration/calibrate.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/numerics/backtrack.hpp"

namespace medlar {
namespace {

constexpr double kVarianceOfIntercept = 9;
constexpr int kMostCurveSteps = 60;

double log_one_plus_exp(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

// Minus the logarithm of Student's density with 3 degrees of freedom. Its tails let scores that say nothing have a
// slope near 0; a normal prior would insist.
double penalty(double away) {
  return 2 * std::log1p(away * away / 3);
}
// Its slope over `away`, which is at least its curvature.
double penalty_bend(double away) {
  return 4.0 / 3 / (1 + away * away / 3);
}

// The minimum over (log slope, intercept) of a loss that value() gives, with gradient and matrix from bend().
struct CurvePoint {
  double log_slope = 0, intercept = 0;
};
struct Bend {
  double gs = 0, gi = 0, hss = 0, hsi = 0, hii = 0;
};

template <class Value, class BendAt>
CurvePoint lowest(CurvePoint at, Value value, BendAt bend) {
  double now = value(at);
  for (int step = 0; step < kMostCurveSteps; ++step) {
    const Bend b = bend(at);
    const double determinant = b.hss * b.hii - b.hsi * b.hsi;
    const CurvePoint move{-(b.hii * b.gs - b.hsi * b.gi) / determinant, -(b.hss * b.gi - b.hsi * b.gs) / determinant};
    const auto along = [&](double part) {
      return CurvePoint{at.log_slope + part * move.log_slope, at.intercept + part * move.intercept};
    };
    const double length = backtrack(1, 0.5, 1e-8, [&](double part) { return value(along(part)) < now; });
    if (length == 0) break;
    at = along(length);
    const double next = value(at);
    const bool settled = now - next < 1e-10 * (1 + now);
    now = next;
    if (settled) break;
  }
  return at;
}

}  // namespace

Recalibration map_platt(std::span<const double> score, std::span<const Index> y, std::span<const double> weights,
                        Index examples, double usual_slope) {
  const double prior = std::log(usual_slope);
  const auto weight = [&](std::size_t t) { return weights.empty() ? 1.0 : weights[t]; };
  const auto value = [&](const CurvePoint& at) {
    const double slope = std::exp(at.log_slope), away = at.log_slope - prior;
    double sum = penalty(away) + 0.5 * at.intercept * at.intercept / kVarianceOfIntercept;
    for (std::size_t t = 0; t < y.size(); ++t) {
      const double f = slope * score[t] + at.intercept;
      sum += weight(t) * log_one_plus_exp(y[t] == 1 ? -f : f);
    }
    return sum;
  };
  const auto bend = [&](const CurvePoint& at) {
    const double slope = std::exp(at.log_slope);
    const double away = at.log_slope - prior;
    Bend b{penalty_bend(away) * away, at.intercept / kVarianceOfIntercept, penalty_bend(away), 0,
           1 / kVarianceOfIntercept};
    for (std::size_t t = 0; t < y.size(); ++t) {
      const double along = slope * score[t], f = along + at.intercept;
      const double p = f >= 0 ? 1 / (1 + std::exp(-f)) : std::exp(f) / (1 + std::exp(f));
      const double pull = weight(t) * (p - (y[t] == 1 ? 1 : 0)), h = weight(t) * p * (1 - p);
      b.gs += pull * along;
      b.gi += pull;
      b.hss += h * along * along;
      b.hsi += h * along;
      b.hii += h;
    }
    return b;
  };
  const CurvePoint at = lowest({prior, 0}, value, bend);
  Recalibration curve;
  curve.kind = CurveKind::folds;
  curve.slope = std::exp(at.log_slope);
  curve.intercept = at.intercept;
  curve.floor = 1 / (static_cast<double>(examples) + 2);
  return curve;
}

Recalibration map_temperature(std::span<const double> scores, std::span<const Index> y, std::span<const double> weights,
                              Index examples, double usual_slope) {
  const double prior = std::log(usual_slope);
  const std::size_t classes = y.empty() ? 1 : scores.size() / y.size();
  const auto weight = [&](std::size_t t) { return weights.empty() ? 1.0 : weights[t]; };
  const auto row = [&](std::size_t t) { return scores.subspan(t * classes, classes); };
  const auto value = [&](const CurvePoint& at) {
    const double slope = std::exp(at.log_slope), away = at.log_slope - prior;
    double sum = penalty(away);
    Pauses pauses;
    for (std::size_t t = 0; t < y.size(); ++t) {
      pauses.after(classes * kNumbersOfALog);
      const auto f = row(t);
      const double top = *std::max_element(f.begin(), f.end());
      double total = 0;
      for (const double each : f) total += std::exp(slope * (each - top));
      sum += weight(t) * (std::log(total) - slope * (f[static_cast<std::size_t>(y[t])] - top));
    }
    return sum;
  };
  const auto bend = [&](const CurvePoint& at) {
    const double slope = std::exp(at.log_slope);
    const double away = at.log_slope - prior;
    Bend b{penalty_bend(away) * away, 0, penalty_bend(away), 0, 1};
    for (std::size_t t = 0; t < y.size(); ++t) {
      const auto f = row(t);
      const std::vector<double> p = softmax(f, slope);
      double mean = 0, square = 0;
      for (std::size_t k = 0; k < classes; ++k) mean += p[k] * f[k], square += p[k] * f[k] * f[k];
      b.gs += weight(t) * slope * (mean - f[static_cast<std::size_t>(y[t])]);
      b.hss += weight(t) * slope * slope * std::max(0.0, square - mean * mean);
    }
    return b;
  };
  Recalibration curve;
  curve.kind = CurveKind::folds;
  curve.slope = std::exp(lowest({prior, 0}, value, bend).log_slope);
  curve.floor = 1 / (static_cast<double>(examples) + 1);
  return curve;
}

}  // namespace medlar
