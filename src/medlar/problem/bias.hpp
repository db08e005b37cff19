// The biases: b minimises the sum of losses, convex in b (docs/theory.md#certificate). One output has a line to search,
// with the slope -sum_k s_k lambda_k(m_k); several are told apart by their differences only where they are flat, and
// then sum to 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/systems/small_system.hpp"
#include "medlar/numerics/backtrack.hpp"
#include "medlar/problem/problem.hpp"
#include "medlar/problem/responses.hpp"

namespace medlar {

// Of F: |b|^2 / (2 sigma2) where the biases have a prior.
template <class P>
void add_bias_term(const P& problem, std::span<const double> b, CompensatedSum& value) {
  if (problem.bias.kind != BiasPrior::Kind::gaussian) return;
  for (const double each : b) value.add(0.5 * each * each / problem.bias.variance);
}

// The part of F that depends on the biases.
template <class P>
double losses_at(const P& problem, std::span<const double> f, std::span<const double> b) {
  pause_after(kNumbersOfALog * problem.count());
  CompensatedSum sum;
  add_bias_term(problem, b, sum);
  sum.add(sum_of_losses(problem, f, b));
  return sum.value();
}

// One output.

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
double best_one_bias(const P& problem, std::span<const double> f, double hint) {
  double quick = hint;
  if (problem.smooth() && newton_bias(problem, f, quick)) return quick;
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
  const double scale = by_margin(problem, [&](const auto& own) {
    double sum = 0;
    for (std::size_t k = 0; k < own.count(); ++k) sum += own.multiplier(k, own.margin(k, f, hint));
    return sum;
  });
  const double level = 1e-13 * scale;  // rounding of the slope
  const double left = bisect(low, high, [&](double b) { return bias_slope(problem, f, b) < -level; });
  const double right = bisect(low, high, [&](double b) { return bias_slope(problem, f, b) <= level; });
  return 0.5 * (left + right);
}

// Several.

inline void centre(std::vector<double>& b) {
  const double mean = std::accumulate(b.begin(), b.end(), 0.0) / static_cast<double>(b.size());
  for (double& each : b) each -= mean;
}

// The losses as a function of b: their slope, and their curvature row by row.
struct BiasSlope {
  double value = 0;
  std::vector<double> slope, curvature;
};

template <class P>
BiasSlope class_bias_slope(const P& problem, std::span<const double> f, std::span<const double> b) {
  pause_after(kNumbersOfALog * problem.count());
  const std::size_t classes = b.size();
  BiasSlope at{0, std::vector<double>(classes, 0.0), std::vector<double>(classes * classes, 0.0)};
  CompensatedSum value = by_margin(problem, [&](const auto& own) {
    CompensatedSum losses;
    for (std::size_t c = 0; c < own.count(); ++c) {
      const Response response = own.respond(c, own.margin(c, f, b));
      losses.add(response.loss);
      if (!(response.multiplier > 0)) continue;
      const auto up = static_cast<std::size_t>(own.constraints.up[c]);
      const auto down = static_cast<std::size_t>(own.constraints.down[c]);
      at.slope[up] -= response.multiplier;
      at.slope[down] += response.multiplier;
      at.curvature[up * classes + up] += response.bend;
      at.curvature[down * classes + down] += response.bend;
      at.curvature[up * classes + down] -= response.bend;
      at.curvature[down * classes + up] -= response.bend;
    }
    return losses;
  });
  if (problem.bias_variance() > 0) {
    for (std::size_t k = 0; k < classes; ++k) {
      value.add(0.5 * b[k] * b[k] / problem.bias_variance());
      at.slope[k] += b[k] / problem.bias_variance();
      at.curvature[k * classes + k] += 1 / problem.bias_variance();
    }
  }
  at.value = value.value();
  return at;
}

// The least loss along one class's bias: bisection on a slope that rises.
template <class P>
void search_one_bias(const P& problem, std::span<const double> f, std::vector<double>& b, std::size_t k) {
  const double start = b[k];
  const auto slope = [&](double at) {
    b[k] = at;
    return class_bias_slope(problem, f, b).slope[k];
  };
  double low = start, high = start;
  double reach = 1e-3 * (1 + std::abs(start));
  for (; slope(low) > 0 && reach < 1e12; reach *= 4) low -= reach;
  for (reach = 1e-3 * (1 + std::abs(start)); slope(high) < 0 && reach < 1e12; reach *= 4) high += reach;
  for (int step = 0; step < 100 && high - low > 1e-14 * (std::abs(low) + std::abs(high)); ++step) {
    const double middle = 0.5 * (low + high);
    (slope(middle) < 0 ? low : high) = middle;
  }
  b[k] = 0.5 * (low + high);
}

// From a hint; never worse than it.
template <class P>
std::vector<double> best_class_biases(const P& problem, std::span<const double> f, std::vector<double> b) {
  if (!problem.smooth()) {
    std::vector<double> moved = b;
    for (int round = 0; round < (b.size() == 2 ? 1 : 3); ++round) {
      for (std::size_t k = b.size() == 2 && problem.flat() ? 1 : 0; k < b.size(); ++k) {
        search_one_bias(problem, f, moved, k);
      }
    }
    if (losses_at(problem, f, moved) < losses_at(problem, f, b)) b = std::move(moved);
    if (problem.flat()) centre(b);
    return b;
  }
  BiasSlope at = class_bias_slope(problem, f, b);
  for (int step = 0; step < 60; ++step) {
    std::vector<double> r(at.slope);
    for (double& each : r) each = -each;
    const std::vector<double> change = solve_semidefinite(at.curvature, r);
    double gain = 0;
    for (std::size_t k = 0; k < b.size(); ++k) gain += change[k] * r[k];
    if (!(gain > 1e-18 * std::abs(at.value))) break;
    const double moved = backtrack(1, 0.5, 1e-6, [&](double length) {
      std::vector<double> next = b;
      for (std::size_t k = 0; k < b.size(); ++k) next[k] += length * change[k];
      BiasSlope there = class_bias_slope(problem, f, next);
      if (!(there.value < at.value)) return false;
      b = std::move(next), at = std::move(there);
      return true;
    });
    if (moved == 0) break;
  }
  if (problem.flat()) centre(b);
  return b;
}

// Where the losses are least on a set of biases, the point of it nearest the wanted one, on the line towards it.
template <class P>
std::vector<double> nearest_biases(const P& problem, std::span<const double> f, const std::vector<double>& b,
                                   std::span<const double> wanted, double allowed_loss) {
  const auto towards = [&](double part) {
    std::vector<double> at(b);
    for (std::size_t k = 0; k < b.size(); ++k) at[k] += part * (wanted[k] - b[k]);
    return at;
  };
  const auto fine = [&](double part) { return losses_at(problem, f, towards(part)) <= allowed_loss; };
  if (fine(1)) return towards(1);
  double low = 0, high = 1;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (fine(middle) ? low : high) = middle;
  }
  return towards(low);
}

// The biases of least F, from a hint; never worse than it.
template <class P>
std::vector<double> best_bias(const P& problem, std::span<const double> f, std::vector<double> hint) {
  if (!problem.biased()) return std::vector<double>(problem.outputs(), 0.0);
  if constexpr (P::kOne) {
    return {best_one_bias(problem, f, hint[0])};
  } else {
    return best_class_biases(problem, f, std::move(hint));
  }
}

}  // namespace medlar
