// The two halves of a certificate (docs/theory.md#certificate): a feasible lambda bounds the optimum from below by
// J(lambda), a primal point from above by
//
//   F(w, b) = A*(w) + b^2/(2 sigma2) + sum_k loss_k(m_k),      m_k = s_k (x_t.w + b) - o_k
//
// The primal point is held by a V of its own, w = A'(V): then A*(w) = w.V - A(V) in closed form. At the optimum this V
// is that of lambda; before, it need not be, and each half keeps the best it has seen.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "medlar/problem/bias_search.hpp"
#include "medlar/problem/problem.hpp"
#include "medlar/problem/responses.hpp"

namespace medlar {

struct DualPoint {
  std::vector<double> lambda;    // one per constraint
  std::vector<double> beta;      // one per example
  std::vector<double> v;         // V = sum_t beta_t x_t
  double objective = -HUGE_VAL;  // J
  bool rough = false;            // V was summed plainly, or carried along: on the way it will do, at the end it may not
  bool carried = false;          // V came along a line, with the rounding of all points that it came by
};

struct PrimalPoint {
  std::vector<double> v, w;  // w = A'(v)
  std::vector<double> f;     // x_t . w, without the bias
  double bias = 0;
  double value = HUGE_VAL;  // F
};

// With a flat bias lambda must satisfy sum_t beta_t = 0. A small residue is taken up by the multipliers inside their
// domain, each by its room lambda (1 - lambda / upper), since psi bends ever more towards an open end: those of the
// heavier side shrink or, if they hold too little, those of the lighter side grow. Only when neither will do is the
// whole heavier side scaled down, which takes it off a closed end.
template <class P>
void balance(const P& problem, std::vector<double>& lambda) {
  if (!problem.bias.flat()) return;
  CompensatedSum all[2], room[2];  // of the sides with sign -1 and +1
  const auto side = [&](std::size_t k) { return problem.sign(k) > 0 ? 1 : 0; };
  const auto room_of = [&](std::size_t k) { return lambda[k] * (1 - lambda[k] / problem.upper(k)); };
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    all[side(k)].add(lambda[k]);
    room[side(k)].add(room_of(k));
  }
  const double excess = std::abs(all[1].value() - all[0].value());
  if (excess == 0) return;
  const int heavy = all[1].value() > all[0].value() ? 1 : 0, light = 1 - heavy;
  const bool can_shrink = excess < 0.5 * room[heavy].value(), can_grow = excess < 0.5 * room[light].value();
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    if (can_shrink || can_grow) {
      const double share = excess / room[can_shrink ? heavy : light].value();
      if (side(k) == (can_shrink ? heavy : light)) lambda[k] += (can_shrink ? -share : share) * room_of(k);
    } else if (side(k) == heavy) {
      lambda[k] *= 1 - excess / all[heavy].value();
    }
  }
}

// Of the two sides of a regression example only their difference counts, and psi' < 0 makes the smaller one a loss.
template <class P>
void cancel_sides(const P& problem, std::vector<double>& lambda) {
  if (problem.constraints.count() == problem.constraints.examples()) return;
  const std::vector<double> beta = problem.constraints.signed_multipliers(lambda);
  for (std::size_t k = 0; k < lambda.size(); ++k) lambda[k] = std::max(0.0, problem.sign(k) * beta[problem.example(k)]);
}

// J at a point whose lambda balances and whose V is its own.
template <class P>
double dual_value(const P& problem, const DualPoint& point) {
  CompensatedSum objective, s;
  for (const double beta : point.beta) s.add(beta);
  objective.add(-problem.partition.value(point.v));
  if (problem.bias.kind == BiasPrior::Kind::gaussian)
    objective.add(-0.5 * problem.bias.variance * s.value() * s.value());
  objective.add(sum_of_potentials(problem, point.lambda));
  return objective.value();
}

// A feasible point, without its V and its value.
template <class P>
DualPoint feasible_point(const P& problem, std::vector<double> lambda) {
  cancel_sides(problem, lambda);
  balance(problem, lambda);
  DualPoint point;
  point.lambda = std::move(lambda);
  point.beta = problem.constraints.signed_multipliers(point.lambda);
  return point;
}

// One pass over the data.
template <class P>
DualPoint dual_point(const P& problem, std::vector<double> lambda, Summing summing = Summing::exact) {
  DualPoint point = feasible_point(problem, std::move(lambda));
  point.v = statistics(*problem.constraints.x, point.beta, summing);
  point.rough = summing == Summing::plain;
  point.objective = dual_value(problem, point);
  return point;
}

template <class P>
double primal_value(const P& problem, const PrimalPoint& point, double b) {
  CompensatedSum value;
  value.add(problem.partition.conjugate_at(point.v));
  if (problem.bias.kind == BiasPrior::Kind::gaussian) value.add(0.5 * b * b / problem.bias.variance);
  value.add(sum_of_losses(problem, point.f, b));
  return value.value();
}

// The bias, searched from `hint`, and the value of a point that has its scores.
template <class P>
void set_bias_and_value(const P& problem, PrimalPoint& point, double hint) {
  point.bias = problem.bias.kind == BiasPrior::Kind::none ? 0.0 : best_bias(problem, point.f, hint);
  point.value = primal_value(problem, point, point.bias);
}

// One pass over the data, and a search for the bias.
template <class P>
PrimalPoint primal_point(const P& problem, std::vector<double> v, double hint) {
  PrimalPoint point;
  point.v = std::move(v);
  point.w.resize(point.v.size());
  problem.partition.mean(point.v, point.w);
  point.f = scores(*problem.constraints.x, point.w);
  set_bias_and_value(problem, point, hint);
  return point;
}

// Both halves at the same V, on one pass where that can be.
struct Certificate {
  DualPoint dual;
  PrimalPoint primal;
};
template <class P>
Certificate certificate(const P& problem, std::vector<double> lambda, double hint, Summing summing) {
  if constexpr (requires {
                  problem.partition.mean_from(std::size_t{}, std::span<const double>(), std::span<double>());
                }) {
    Certificate both{feasible_point(problem, std::move(lambda)), {}};
    const auto mean = [&](std::size_t first, std::span<const double> v, std::span<double> w) {
      problem.partition.mean_from(first, v, w);
    };
    Passed passed = statistics_and_scores(*problem.constraints.x, both.dual.beta, summing, mean);
    both.dual.v = passed.v;
    both.dual.rough = summing == Summing::plain;
    both.dual.objective = dual_value(problem, both.dual);
    both.primal.v = std::move(passed.v);
    both.primal.w = std::move(passed.w);
    both.primal.f = std::move(passed.f);
    set_bias_and_value(problem, both.primal, hint);
    return both;
  } else {
    DualPoint dual = dual_point(problem, std::move(lambda), summing);
    PrimalPoint primal = primal_point(problem, dual.v, hint);
    return {std::move(dual), std::move(primal)};
  }
}

}  // namespace medlar
