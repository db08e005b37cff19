// The flat bias: b minimises sum_k loss_k(m_k + s_k b), convex in b, whose slope is -sum_k s_k lambda_k(m_k)
// (docs/theory.md#bias).
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "medlar/problem/responses.hpp"

namespace medlar {

template <class P>
double bias_slope(const P& problem, std::span<const double> f, double b) {
  const double pull = pull_of_margins(problem, f, b).pull;
  return problem.bias.flat() ? -pull : b / problem.bias.variance - pull;
}

// Narrows [low, high] to neighbouring numbers (or `steps`) with slope_is_low(b) true at low and false at high.
template <class IsLow>
double bisect(double low, double high, IsLow is_low, int steps = 200) {
  for (int step = 0; step < steps; ++step) {
    const double middle = low + 0.5 * (high - low);
    if (!(middle > low && middle < high)) break;
    (is_low(middle) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Expands [hint - r, hint + r] until the slope is negative at its left end and positive at its right one.
// Both sides of the data have constraints, so that the slope does change its sign.
template <class P>
std::pair<double, double> bracket_bias(const P& problem, std::span<const double> f, double hint, double radius) {
  double low = hint - radius, high = hint + radius;
  for (double r = radius; bias_slope(problem, f, low) >= 0 && std::isfinite(low); r *= 4) low -= r;
  for (double r = radius; bias_slope(problem, f, high) <= 0 && std::isfinite(high); r *= 4) high += r;
  return {low, high};
}

// Newton's method on the slope, for losses with curvature. True with the minimiser in b when it settles to fourteen
// digits, which takes some five evaluations from a good hint; false when a step leads away.
template <class P>
bool newton_bias(const P& problem, std::span<const double> f, double& b) {
  double before = HUGE_VAL;
  for (int step = 0; step < 12; ++step) {
    const auto [pull, bend] = pull_of_margins(problem, f, b);
    const double stiffness = problem.bias.flat() ? 0.0 : 1 / problem.bias.variance;
    const double change = (pull - stiffness * b) / (bend + stiffness);
    if (!(std::abs(change) < 0.7 * before)) return std::abs(change) <= 1e-13 * (1e-3 + std::abs(b));
    b += change;
    if (std::abs(change) <= 1e-8 * (1e-3 + std::abs(b))) return true;  // the error is about its square
    before = std::abs(change);
  }
  return false;
}

// A minimiser to fourteen digits: regula falsi (Illinois) on the slope, with a bisection after each step that has not
// halved the bracket (at a kink of the hinge none does). An evaluation costs one multiplier per constraint.
template <class P>
double best_bias(const P& problem, std::span<const double> f, double hint) {
  double quick = hint;
  if (problem.psi.curvature(0) < 0 && newton_bias(problem, f, quick)) return quick;
  if (bias_slope(problem, f, hint) == 0) return hint;
  auto [low, high] = bracket_bias(problem, f, hint, 1e-4 * (1 + std::abs(hint)));
  double slope_low = bias_slope(problem, f, low), slope_high = bias_slope(problem, f, high);
  int side = 0;
  double width = HUGE_VAL;  // of the bracket before the last step
  for (int step = 0; step < 200 && high - low > 1e-14 * (std::abs(low) + std::abs(high)); ++step) {
    double b = (low * slope_high - high * slope_low) / (slope_high - slope_low);
    const bool slow = high - low > 0.5 * width;
    width = slow ? HUGE_VAL : high - low;
    if (slow || !(b > low && b < high)) b = low + 0.5 * (high - low);
    if (!(b > low && b < high)) break;
    const double slope = bias_slope(problem, f, b);
    if (slope == 0) return b;
    if (slope < 0) {
      low = b, slope_low = slope;
      if (side == -1) slope_high *= 0.5;
      side = -1;
    } else {
      high = b, slope_high = slope;
      if (side == +1) slope_low *= 0.5;
      side = +1;
    }
  }
  return low + 0.5 * (high - low);
}

// The middle of the interval of minimisers, a point wherever some multiplier lies inside its domain.
template <class P>
double middle_bias(const P& problem, std::span<const double> f, double hint) {
  auto [low, high] = bracket_bias(problem, f, hint, 1e-3 * (1 + std::abs(hint)));
  double scale = 0;
  for (std::size_t k = 0; k < problem.count(); ++k) scale += problem.multiplier(k, problem.margin(k, f, hint));
  const double level = 1e-13 * scale;  // rounding of the slope
  const double left = bisect(low, high, [&](double b) { return bias_slope(problem, f, b) < -level; });
  const double right = bisect(low, high, [&](double b) { return bias_slope(problem, f, b) <= level; });
  return 0.5 * (left + right);
}

}  // namespace medlar
