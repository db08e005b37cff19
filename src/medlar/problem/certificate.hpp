// The two halves of a certificate (docs/theory.md#certificate): a feasible lambda bounds the optimum from below by
// J(lambda), a primal point from above by F(w, b) = A*(w) + |b|^2/(2 sigma2) + sum_k loss_k(m_k).
//
// The primal point is held by a V of its own, w = A'(V): then A*(w) = w.V - A(V) in closed form. At the optimum this V
// is that of lambda; before, it need not be, and each half keeps the best it has seen. Kernels have A and A* from their
// scores, and no V: they use dual_bound and primal_bound alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "medlar/problem/balance.hpp"
#include "medlar/problem/bias.hpp"
#include "medlar/problem/problem.hpp"
#include "medlar/problem/responses.hpp"

namespace medlar {

struct DualPoint {
  std::vector<double> lambda;    // one per constraint
  std::vector<double> beta;      // one per example, output by output
  std::vector<double> v;         // V_j = sum_t beta_tj x_t, output by output
  double objective = -HUGE_VAL;  // J
  bool rough = false;            // V was summed plainly, or carried along: on the way it will do, at the end it may not
  bool carried = false;          // V came along a line, with the rounding of all points that it came by
};

struct PrimalPoint {
  std::vector<double> v, w;          // w = A'(v)
  std::vector<double> f;             // x_t . w, without the bias, output by output
  std::vector<double> bias = {0.0};  // one per output
  double value = HUGE_VAL;           // F
};

// J at a lambda that balances, whose V has this log-partition. A lambda that several classes could not be balanced at
// is no point of the dual: its J is minus infinity.
template <class P>
double dual_bound(const P& problem, double log_partition, std::span<const double> lambda,
                  std::span<const double> beta) {
  CompensatedSum objective;
  objective.add(-log_partition);
  if constexpr (P::kOne) {
    if (problem.bias.kind == BiasPrior::Kind::gaussian) {
      CompensatedSum s;
      for (const double each : beta) s.add(each);
      objective.add(-0.5 * problem.bias.variance * s.value() * s.value());
    }
    objective.add(sum_of_potentials(problem, lambda));
    return objective.value();
  } else {
    constexpr double rounding = 1e-11;  // of all multipliers
    if (!is_balanced(problem, lambda, rounding)) return -HUGE_VAL;
    for (const double total : totals_of(problem, lambda)) {
      objective.add(-0.5 * problem.bias_variance() * total * total);
    }
    objective.add(sum_of_potentials(problem, lambda));
    return std::isnan(objective.value()) ? -HUGE_VAL : objective.value();
  }
}

// F at scores f and biases b, where A* is known.
template <class P>
double primal_bound(const P& problem, double conjugate, std::span<const double> f, std::span<const double> b) {
  CompensatedSum value;
  value.add(conjugate);
  add_bias_term(problem, b, value);
  value.add(sum_of_losses(problem, f, b));
  return value.value();
}

// A*(w) at w = A'(v), which is v . w - A(v); a prior over coefficients says it with more digits.
template <class P>
double conjugate_of(const P& problem, std::span<const double> v, std::span<const double> w) {
  if constexpr (LogPartition<std::remove_cvref_t<decltype(problem.partition)>>) {
    return problem.partition.conjugate_at(v);
  } else {
    CompensatedSum sum;
    for (std::size_t i = 0; i < v.size(); ++i) sum.add(v[i] * w[i]);
    sum.add(-problem.partition.value(v));
    return sum.value();
  }
}

// J at a point whose lambda balances and whose V is its own.
template <class P>
double dual_value(const P& problem, const DualPoint& point) {
  return dual_bound(problem, problem.partition.value(point.v), point.lambda, point.beta);
}

// A feasible point, without its V and its value.
template <class P>
DualPoint feasible_point(const P& problem, std::vector<double> lambda) {
  cancel_sides(problem, lambda);
  balance(problem, lambda);
  DualPoint point;
  point.lambda = std::move(lambda);
  point.beta = problem.constraints.beta(point.lambda);
  return point;
}

// One pass over the data.
template <class P>
DualPoint dual_point(const P& problem, std::vector<double> lambda, Summing summing = Summing::exact) {
  DualPoint point = feasible_point(problem, std::move(lambda));
  point.v = statistics_of(problem, point.beta, summing);
  point.rough = P::kOne && summing == Summing::plain;
  point.objective = dual_value(problem, point);
  return point;
}

template <class P>
double primal_value(const P& problem, const PrimalPoint& point, std::span<const double> b) {
  return primal_bound(problem, conjugate_of(problem, point.v, point.w), point.f, b);
}

// The biases, searched from `hint`, and the value of a point that has its scores.
template <class P>
void set_bias_and_value(const P& problem, PrimalPoint& point, std::vector<double> hint) {
  point.bias = best_bias(problem, point.f, std::move(hint));
  point.value = primal_value(problem, point, point.bias);
}

// w and the scores of a point that has its V. One pass over the data.
template <class P>
PrimalPoint scored_point(const P& problem, std::vector<double> v) {
  PrimalPoint point;
  point.v = std::move(v);
  point.w.resize(point.v.size());
  problem.partition.mean(point.v, point.w);
  point.f = scores_of(problem, point.w);
  return point;
}

// One pass over the data, and a search for the bias.
template <class P>
PrimalPoint primal_point(const P& problem, std::vector<double> v, std::vector<double> hint) {
  PrimalPoint point = scored_point(problem, std::move(v));
  set_bias_and_value(problem, point, std::move(hint));
  return point;
}

// The biases of nobody's asking: where a search begins without a hint.
template <class P>
std::vector<double> no_bias(const P& problem) {
  return std::vector<double>(problem.outputs(), 0.0);
}

// Both halves at the same V, on one pass where that can be.
struct Certificate {
  DualPoint dual;
  PrimalPoint primal;
};
template <class P>
Certificate certificate(const P& problem, std::vector<double> lambda, const std::vector<double>& hint,
                        Summing summing) {
  if constexpr (P::kOne && PiecewisePartition<std::remove_cvref_t<decltype(problem.partition)>>) {
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
