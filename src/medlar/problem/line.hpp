// F along a straight line of w and b: convex. The scores at the end of the line cost one pass over the data; every
// length in between costs none. Newton over features takes its steps by it (docs/theory.md#newton-steps).
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/systems/small_system.hpp"
#include "medlar/problem/certificate.hpp"
#include "medlar/problem/group_curvature.hpp"
#include "medlar/problem/responses.hpp"

namespace medlar {

// A primal point with what its margins call for, one of each per constraint.
struct AnsweredPoint : PrimalPoint {
  std::vector<double> lambda, bend;
};

// The value, the multipliers and the bends at the point's scores and bias.
template <class P>
void answer(const P& problem, AnsweredPoint& point) {
  pause_after(kNumbersOfALog * point.v.size());
  CompensatedSum value;
  value.add(conjugate_of(problem, point.v, point.w));
  if (problem.bias_variance() > 0) add_bias_term(problem, point.bias, value);
  point.lambda.resize(problem.count());
  point.bend.resize(problem.count());
  for_responses(problem, point.f, point.bias, [&](const Responses& part) {
    value.add(compensated_sum(part.loss));
    const auto at = static_cast<std::ptrdiff_t>(part.first);
    std::copy(part.multiplier.begin(), part.multiplier.end(), point.lambda.begin() + at);
    std::copy(part.bend.begin(), part.bend.end(), point.bend.begin() + at);
  });
  point.value = value.value();
}

// The scores of a point that were carried along a line, anew from its V. One pass over the data.
template <class P>
void measure_anew(const P& problem, AnsweredPoint& point) {
  problem.partition.mean(point.v, point.w);
  point.f = scores_of(problem, point.w);
  answer(problem, point);
}

// The point at w + length dw, without its bias and value.
template <class P>
void go_along(const P& problem, const PrimalPoint& from, std::span<const double> dw, std::span<const double> df,
              double length, PrimalPoint& to) {
  for (std::size_t i = 0; i < dw.size(); ++i) to.w[i] = from.w[i] + length * dw[i];
  for (std::size_t t = 0; t < df.size(); ++t) to.f[t] = from.f[t] + length * df[t];
  problem.partition.from_mean(to.w, to.v);
}

// Where a Newton step would go: to this w, or as far as each feature then advances on its own path, and with this
// change of the biases if the step has one. What the way to w adds to the scores is there if known.
struct Goal {
  std::vector<double> v, w;
  std::optional<std::vector<double>> bias;
  std::vector<double> df = {};
  bool empty() const { return v.empty() && w.empty(); }
};

struct LineStep {
  double slope;   // dF / d length
  double length;  // Newton's step of it, and of the biases
  std::vector<double> bias;
};

inline std::vector<double> plus(std::vector<double> to, const std::vector<double>& changes) {
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += changes[k];
  return to;
}
inline std::vector<double> minus(std::vector<double> from, const std::vector<double>& changes) {
  for (std::size_t k = 0; k < from.size(); ++k) from[k] -= changes[k];
  return from;
}
inline std::vector<double> times(double part, std::vector<double> of) {
  for (double& each : of) each *= part;
  return of;
}

// Newton's step of the length and the biases together: dA*/dw = V, and A*'' is the inverse of A''.
template <class P>
LineStep step_along(const P& problem, const AnsweredPoint& at, std::span<const double> dw,
                    std::span<const double> df) requires(P::kOne) {
  double g = 0, h = 0, g_bias = 0, h_bias = 0, cross = 0;
  for (std::size_t i = 0; i < dw.size(); ++i) g += at.v[i] * dw[i];
  h += GroupCurvature(problem.partition, at.v).inverse_along(dw);
  const double sigma2 = problem.bias_variance();
  if (sigma2 > 0) g_bias = at.bias[0] / sigma2, h_bias = 1 / sigma2;
  for (std::size_t k = 0; k < problem.count(); ++k) {
    if (!(at.lambda[k] > 0)) continue;
    const double slope = -problem.sign(k) * at.lambda[k], bend = at.bend[k], along = df[problem.example(k)];
    g += slope * along, g_bias += slope;
    h += bend * along * along, cross += bend * along, h_bias += bend;
  }
  const double determinant = h * h_bias - cross * cross;
  if (!problem.biased() || !(determinant > 1e-12 * h * h_bias)) return {g, -g / h, {0.0}};
  return {g, -(h_bias * g - cross * g_bias) / determinant, {-(h * g_bias - cross * g) / determinant}};
}
template <class P>
LineStep step_along(const P& problem, const AnsweredPoint& at, std::span<const double> dw,
                    std::span<const double> df) requires(!P::kOne) {
  const auto& constraints = problem.constraints;
  const std::size_t classes = problem.outputs(), examples = df.size() / classes;
  const std::size_t size = classes + 1;  // the biases, then the length
  std::vector<double> m(size * size, 0.0), r(size, 0.0);
  const auto add = [&](std::size_t i, std::size_t j, double value) { m[i * size + j] += value; };
  for (std::size_t i = 0; i < dw.size(); ++i) r[classes] -= at.v[i] * dw[i];
  add(classes, classes, GroupCurvature(problem.partition, at.v).inverse_along(dw));
  if (problem.bias_variance() > 0) {
    for (std::size_t k = 0; k < classes; ++k) {
      r[k] -= at.bias[k] / problem.bias_variance();
      add(k, k, 1 / problem.bias_variance());
    }
  }
  for (std::size_t c = 0; c < problem.count(); ++c) {
    if (!(at.lambda[c] > 0)) continue;
    const std::size_t t = problem.example(c);
    const auto up = static_cast<std::size_t>(constraints.up[c]), down = static_cast<std::size_t>(constraints.down[c]);
    const double along = df[up * examples + t] - df[down * examples + t], bend = at.bend[c];
    r[classes] += at.lambda[c] * along;
    add(classes, classes, bend * along * along);
    if (!problem.biased()) continue;
    r[up] += at.lambda[c], r[down] -= at.lambda[c];
    add(up, up, bend), add(down, down, bend), add(up, down, -bend), add(down, up, -bend);
    add(classes, up, bend * along), add(up, classes, bend * along);
    add(classes, down, -bend * along), add(down, classes, -bend * along);
  }
  const std::vector<double> step = solve_semidefinite(m, r);
  return {-r[classes], step[classes], {step.begin(), step.end() - 1}};
}

// Moves `point` to about the least F on the line of w towards `part` of the goal: Newton in its length and the bias,
// shortened where F rises, and lengthened where a kink that is passed makes it short (with switches the next direction
// does more than the rest of this line). Ends where F has become flat: its slope, times the way, this share of what was
// gained. Returns how far it went, in units of that way; 0 when nothing lowers F.
template <class P>
double search_line(const P& problem, AnsweredPoint& point, const Goal& goal, double part, double flat = 0.02) {
  const bool straight = !goal.w.empty();
  constexpr int most_tries = 25;
  const AnsweredPoint from = point;
  std::vector<double> dw = goal.w;
  if (dw.empty()) {
    std::vector<double> to = from.v, way = goal.v;
    for (double& each : way) each *= part;
    problem.partition.advance(to, way);
    dw.resize(to.size());
    problem.partition.mean(to, dw);
  }
  for (std::size_t i = 0; i < dw.size(); ++i) dw[i] -= from.w[i];
  const std::vector<double> df = goal.df.empty() ? scores_of(problem, dw) : goal.df;
  AnsweredPoint next = from;
  double at = 0, step = 1;
  bool own_bias = goal.bias.has_value();  // the step has a bias of its own; else the best is searched
  std::vector<double> step_bias = own_bias ? *goal.bias : times(0, from.bias);
  for (int tries = 0; tries < most_tries; ++tries) {
    go_along(problem, from, dw, df, at + step, next);
    next.bias = plus(point.bias, step_bias);
    if (!own_bias && problem.biased()) {
      next.bias = best_bias(problem, next.f, point.bias);
      step_bias = plus(next.bias, times(-1, point.bias));
      own_bias = true;
    }
    answer(problem, next);
    if (!(next.value < point.value)) {
      step *= 0.3, step_bias = times(0.3, step_bias);
      // Features with switches have other ways to go when this one is steep.
      if (std::abs(step) < (at > 0 ? 1e-2 * at : straight ? 1e-7 : 1e-3)) break;
      continue;
    }
    const double gained = point.value - next.value;
    std::swap(point, next);
    at += step;
    const LineStep newton = step_along(problem, point, dw, df);
    const double all_gained = from.value - point.value;
    if (std::abs(newton.slope) * at < flat * all_gained || gained < 0.01 * all_gained) break;
    step = std::clamp(newton.length, -0.9 * at, 2 * at + 1);
    step_bias = newton.bias;
    if (straight && std::abs(step) < 0.2 * at) {
      step = std::copysign(0.2 * at, -newton.slope);
      own_bias = false;
    }
    if (std::abs(step) < 1e-2 * at) break;
  }
  return at;
}

}  // namespace medlar
