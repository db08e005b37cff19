// Newton over free examples: V follows from lambda, and J rises along Newton's step of the free multipliers. Good from
// multipliers that ascent has brought near the optimum.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "medlar/numerics/backtrack.hpp"
#include "medlar/problem/best_pair.hpp"
#include "medlar/solvers/newton/free_multipliers.hpp"
#include "medlar/solvers/newton/newton_steps.hpp"
#include "medlar/thresholds/near.hpp"
#include "medlar/thresholds/rough_matrix.hpp"
#include "medlar/thresholds/sums.hpp"

namespace medlar {

template <class P>
class NewtonOverExamples {
 public:
  NewtonOverExamples(const P& problem, BestPair<P>& best, Run& run, double tolerance, NewtonSteps::Told told,
                     std::shared_ptr<CurvedGram> kept = nullptr)
      : problem_(problem),
        best_(best),
        tolerance_(tolerance),
        steps_(run, tolerance, std::move(told)),
        free_(problem, steps_.passes, std::move(kept)) {}

  // Steps from the best pair so far until the gap is closed (true) or no step helps.
  bool climb(Index most_steps) {
    DualPoint dual = best_.dual();
    steps_.repeat(best_, most_steps, [&] { return raise_dual(dual); });
    return best_.closed();
  }

  Index passes() const { return steps_.passes; }
  Index steps() const { return steps_.count; }

 private:
  bool raise_dual(DualPoint& dual) {
    PrimalPoint point = best_.primal();  // of the same V, at the first step
    if (point.v != dual.v) {
      point = primal_point(problem_, dual.v, point.bias);
      best_.consider(point);
    }
    if (best_.relative_gap() <= tolerance_) return true;
    if (problem_.bias_variance() > 0) {  // where J has its slope
      point.bias = {problem_.bias_variance() * compensated_sum(dual.beta)};
    }
    const bool all = is_refreshed_whole(point.v.size());
    free_.factor().leave_out(all ? 0.0 : may_be_left_out_far_away(left_out_, best_.relative_gap()));
    const std::vector<double> step = free_.direction(dual.lambda, dual, point);
    if (step.empty()) return false;
    const double before = dual.objective;
    steps_.passes += 2;
    if (best_.relative_gap() <= kNearForWholeSteps) {  // the whole step, without a look at shorter ones
      const bool last = is_last_but_one(best_.relative_gap(), tolerance_);
      const Summing summing = last ? Summing::exact : best_.summing();
      Certificate next = certificate(problem_, free_.moved(dual.lambda, step, 1), point.bias, summing);
      if (is_promise_kept(next.dual.objective - before, free_.promised())) {
        steps_.whole = true;
        dual = std::move(next.dual);
        best_.consider(dual);
        best_.consider(next.primal);
        return true;
      }
      ++steps_.passes;
    }
    const std::vector<double> way = statistics(*problem_.constraints.x, step, Summing::plain);
    DualPoint next;
    const double whole = foreseen(dual, step, way), length = backtrack(whole, 0.3, 1e-3 * whole, [&](double part) {
                                                      next = along(dual, step, way, part);
                                                      // At the top J rises no more in its digits, but F still falls.
                                                      return next.objective > before - 1e-15 * std::abs(before);
                                                    });
    if (length > 0) {
      steps_.whole = length == 1;
      if (steps_.whole && is_promise_broken(next.objective - before, free_.promised())) free_.factor().be_exact();
      dual = std::move(next);
      best_.consider(dual);
      return true;
    }
    if (!free_.factor().is_rough()) return false;
    free_.factor().be_exact();
    return true;
  }

  // Where J is largest on the line of V, among a few lengths: about, for multipliers that leave their domain are held
  // at its end, and V does not know it. No pass over the data.
  double foreseen(const DualPoint& from, std::span<const double> step, std::span<const double> way) const {
    double best = -HUGE_VAL, length = 1;
    for (double tried = 1; tried > 1e-6; tried *= 0.4) {
      DualPoint to;
      to.lambda = free_.moved(from.lambda, step, tried);
      to.beta = problem_.constraints.beta(to.lambda);
      to.v = from.v;
      for (std::size_t i = 0; i < way.size(); ++i) to.v[i] += tried * way[i];
      const double value = dual_value(problem_, to);
      if (tried == 1 && is_promise_kept(value - from.objective, free_.promised())) return 1;
      if (value < best) break;
      best = value;
      length = tried;
    }
    return length;
  }

  // The point after `length` of the step. V goes along, with the rows of the multipliers that were held or balanced.
  DualPoint along(const DualPoint& from, std::span<const double> step, std::span<const double> way, double length) {
    DualPoint to;
    to.lambda = free_.moved(from.lambda, step, length);
    cancel_sides(problem_, to.lambda);
    balance(problem_, to.lambda);
    to.beta = problem_.constraints.beta(to.lambda);
    std::vector<std::pair<Index, double>> held;
    for (std::size_t t = 0; t < step.size(); ++t) {
      const double off = to.beta[t] - from.beta[t] - length * step[t];
      if (std::abs(off) > 1e-15 * (std::abs(to.beta[t]) + std::abs(from.beta[t]))) held.emplace_back(t, off);
    }
    if (std::ssize(held) < problem_.constraints.examples() / 4) {
      to.rough = to.carried = true;
      to.v = from.v;
      for (std::size_t i = 0; i < way.size(); ++i) to.v[i] += length * way[i];
      for (const auto& [t, off] : held) add_scaled(problem_.constraints.x->row(t), off, to.v);
    } else {
      to.v = statistics(*problem_.constraints.x, to.beta, best_.summing());
      to.rough = best_.summing() == Summing::plain;
      ++steps_.passes;
    }
    to.objective = dual_value(problem_, to);
    return to;
  }

  const P& problem_;
  BestPair<P>& best_;
  double tolerance_;
  NewtonSteps steps_;
  FreeMultipliers<P> free_;
  double left_out_ = may_be_left_out(tolerance_);
};

}  // namespace medlar
