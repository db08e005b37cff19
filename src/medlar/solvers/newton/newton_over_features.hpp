// Newton over features: the iterate is a V (one number per feature) with w = A'(V) and the bias that is best for it;
// the multipliers follow from the margins, lambda_k = argmax psi_k - lambda m_k, and F falls. V goes to
// X^T (beta + dbeta) with Newton's step dbeta of the free multipliers: on w this is Newton's step for F, so that a
// short enough part of it always lowers F. Each feature moves along the shorter of its two paths (partition.advance).
// beta + dbeta is a point of its own for the dual half of the certificate. Good when examples outnumber features.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "medlar/linalg/systems/feature_system.hpp"
#include "medlar/problem/best_pair.hpp"
#include "medlar/problem/line.hpp"
#include "medlar/solvers/newton/feature_model.hpp"
#include "medlar/solvers/newton/free_multipliers.hpp"
#include "medlar/solvers/newton/newton_steps.hpp"

namespace medlar {

template <class P>
class NewtonOverFeatures {
 public:
  NewtonOverFeatures(const P& problem, BestPair<P>& best, Run& run, double tolerance, NewtonSteps::Told told)
      : problem_(problem),
        best_(best),
        tolerance_(tolerance),
        steps_(run, tolerance, std::move(told)),
        free_(problem, steps_.passes),
        system_(*problem.constraints.x) {}

  // Steps from the best pair so far until the gap is closed or no step helps.
  void descend(Index most_steps) {
    AnsweredPoint point{best_.primal(), {}, {}};
    answer(problem_, point);
    best_.consider(point);
    steps_.repeat(best_, most_steps, [&] { return lower_primal(point); });
    best_.make_exact();
  }

  Index passes() const { return steps_.passes; }

 private:
  bool lower_primal(AnsweredPoint& point) {
    DualPoint dual;  // as the margins call for it: with a flat bias it need not balance yet
    dual.beta = problem_.constraints.beta(point.lambda);
    free_.follow(point);
    const Index n = problem_.constraints.x->columns();
    const bool few = std::ssize(free_.examples()) <= n && kIndependent && (kLinear || n > kModelled);
    if (few || free_.examples().empty()) {
      dual.v = statistics(*problem_.constraints.x, dual.beta);
    } else {
      assemble(dual);
    }
    ++steps_.passes;
    if (may_close(dual, point)) {
      best_.consider(dual_point(problem_, point.lambda));
      if (closed(point)) return true;
    }
    if (free_.examples().empty()) {  // only A* is left
      return follow_line(point, {{}, std::vector<double>(point.w.size(), 0.0), no_bias(problem_)});
    }
    const Goal goal = few ? goal_by_examples(dual, point) : goal_by_features(dual, point);
    return closed(point) || (!goal.empty() && follow_line(point, goal));
  }

  // The bends of the losses and V on one pass. Where examples are plenty, the bends of every fourth free one will do
  // for the first step, and those of the step before where it promised little.
  void assemble(DualPoint& dual) {
    const Matrix& x = *problem_.constraints.x;
    const bool first = plenty() && steps_.count == 0;
    const bool again = std::exchange(exact_bends_, true) && plenty() && last_gain_ <= kSmallGain * best_.primal().value;
    if (!first && !again) {
      system_.assemble(free_.metric(), dual.beta, problem_.bias_variance(), problem_.bias.flat());
      dual.v = system_.statistics();
      return;
    }
    exact_bends_ = false;
    dual.v = statistics(x, dual.beta, Summing::plain);
    if (again) return;
    const std::vector<double>& metric = free_.metric();
    std::vector<double> h(metric.size(), std::numeric_limits<double>::infinity());
    for (std::size_t j = 0; j < free_.examples().size(); j += kSampled) {
      const auto t = static_cast<std::size_t>(free_.examples()[j]);
      h[t] = metric[t] / static_cast<double>(kSampled);
    }
    system_.assemble(h, dual.beta, problem_.bias_variance(), problem_.bias.flat());
  }

  // The gap of multipliers that the margins call for is A's alone: about g.A'' g / 2 with g = V(lambda) - V, which
  // tells when the value of J is worth its logarithms.
  bool may_close(const DualPoint& dual, const AnsweredPoint& point) const {
    std::vector<double> g(point.v.size()), turned(g.size());
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = dual.v[i] - point.v[i];
    GroupCurvature(problem_.partition, point.v).product(g, turned);
    double gap = 0;
    for (std::size_t i = 0; i < g.size(); ++i) gap += 0.5 * g[i] * turned[i];
    return !(gap > kWorthALook * tolerance_ * point.value);
  }

  // Whether the gap is closed. Scores and V that were carried along are first measured anew.
  bool closed(AnsweredPoint& point) {
    if (best_.relative_gap() > tolerance_) return false;
    if (std::exchange(carried_, false)) {
      measure_anew(problem_, point);
      ++steps_.passes;
      best_.replace(point);
    }
    return best_.closed();
  }

  // What V should move by, from a factor over the free examples. beta + dbeta is a point of its own for J.
  Goal goal_by_examples(const DualPoint& dual, const AnsweredPoint& point) {
    const std::vector<double> step = free_.direction(point.lambda, dual, point);
    if (step.empty()) return {};
    Goal goal{statistics(*problem_.constraints.x, step), {}, {}};
    for (std::size_t i = 0; i < goal.v.size(); ++i) goal.v[i] += dual.v[i] - point.v[i];
    best_.consider(dual_point(problem_, free_.moved(point.lambda, step, 1)));
    steps_.passes += 2;
    return goal;
  }

  // The same from a factor over the features; with switches the least point of a model that has A* as it is. What it
  // adds to the multipliers is worth a look near the end only.
  Goal goal_by_features(const DualPoint& dual, const AnsweredPoint& point) {
    double g_bias = compensated_sum(dual.beta);
    if (problem_.bias_variance() > 0) g_bias -= point.bias[0] / problem_.bias_variance();
    Goal goal = kLinear ? newton_goal(dual, point, g_bias) : model_goal(dual, point, g_bias);
    std::vector<double> dw(point.w.size());
    double gain = g_bias * (*goal.bias)[0];
    for (std::size_t i = 0; i < dw.size(); ++i) {
      dw[i] = goal.w[i] - point.w[i];
      gain += (dual.v[i] - point.v[i]) * dw[i];
    }
    if (!std::isfinite(gain)) return {};
    last_gain_ = gain;
    if (gain > kCloseBy * point.value) return goal;
    goal.df = scores(*problem_.constraints.x, dw);
    ++steps_.passes;
    best_.consider(stepped(dual, point, dw, goal));
    return goal;
  }

  // beta + dbeta, dbeta = -(X dw + db) / h over the free examples, a point of its own for J. Its V follows from what
  // was assembled, but for multipliers that are held at an end. These unbalance the others, which db makes up for under
  // a flat bias.
  DualPoint stepped(const DualPoint& dual, const AnsweredPoint& point, std::span<const double> dw, const Goal& goal) {
    const std::span<const Index> free = free_.examples();
    double db = (*goal.bias)[0];
    std::vector<double> change(free.size());  // of lambda
    DualPoint to;
    to.lambda = point.lambda;
    for (int tries = 0; tries < kMostShifts; ++tries) {
      double bends = 0, excess = 0, weight = 0;
      for (std::size_t j = 0; j < free.size(); ++j) {
        const auto t = static_cast<std::size_t>(free[j]), k = free_.constraint(j);
        const double side = free_.side(free[j]), h = free_.metric()[t];
        change[j] = -side * (goal.df[t] + db) / h;
        to.lambda[k] = problem_.held(k, point.lambda[k], change[j]);
        excess += side * to.lambda[k];
        weight += to.lambda[k];
        bends += 1 / h;
      }
      if (!problem_.bias.flat() || std::abs(excess) <= kBalanced * weight) break;
      db += excess / bends;
    }
    if (!exact_bends_) return dual_point(problem_, std::move(to.lambda));
    Index stopped = 0;
    to.v = system_.times(dw, db);
    for (std::size_t i = 0; i < to.v.size(); ++i) to.v[i] = dual.v[i] - to.v[i];
    for (std::size_t j = 0; j < free.size(); ++j) {
      const double before = point.lambda[free_.constraint(j)], after = to.lambda[free_.constraint(j)];
      const double off = after - before - change[j];
      if (std::abs(off) <= 1e-15 * (after + before)) continue;
      if (++stopped > problem_.constraints.examples() / 4) return dual_point(problem_, std::move(to.lambda));
      add_scaled(problem_.constraints.x->row(free[j]), free_.side(free[j]) * off, to.v);
    }
    to.rough = to.carried = true;
    balance(problem_, to.lambda);
    to.beta = problem_.constraints.beta(to.lambda);
    to.objective = dual_value(problem_, to);
    return to;
  }

  Goal newton_goal(const DualPoint& dual, const AnsweredPoint& point, double g_bias) {
    std::vector<double> d(point.v.size()), g(point.v.size());
    problem_.partition.curvature(point.v, d, {});
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = dual.v[i] - point.v[i];
    system_.factor(d);
    const FeatureSystem::Step step = system_.solve(g, g_bias);
    Goal goal{{}, point.w, std::vector<double>{step.bias}};
    for (std::size_t i = 0; i < d.size(); ++i) goal.w[i] += d[i] * step.v[i];
    return goal;
  }

  Goal model_goal(const DualPoint& dual, const AnsweredPoint& point, double g_bias) {
    std::vector<double> g(dual.v.size());
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = -dual.v[i];
    if (system_.has_bias()) g.push_back(-g_bias);
    Parabola losses(system_.gram(), g, system_.has_bias() ? 1 : 0);
    auto least = FeatureModel(problem_.partition, std::move(losses)).minimise(point.v, point.w);
    return {{}, std::move(least.w), system_.has_bias() ? std::move(least.biases) : no_bias(problem_)};
  }

  // Each feature advances along its own path, by the whole of the step or a part of it, and F is searched on the
  // straight line of w to there. Where that ends soon after its begin, the paths were too far apart.
  bool follow_line(AnsweredPoint& point, const Goal& goal) {
    const double before = point.value;
    if (!goal.w.empty()) {
      search_line(problem_, point, goal, 1, plenty() ? kFlatOfMany : kFlat);
      ++steps_.passes;
    } else {
      const AnsweredPoint from = point;
      for (double length = 1; length > 1e-4; length *= 0.3) {
        AnsweredPoint next = from;
        const double reached = search_line(problem_, next, goal, length);
        ++steps_.passes;
        if (next.value < point.value) point = std::move(next);
        if (reached > kFarEnough) break;
      }
    }
    if (!(point.value < before)) return false;
    carried_ = true;
    best_.consider(point);
    closed(point);
    return true;
  }

  bool plenty() const {
    const Matrix& x = *problem_.constraints.x;
    return x.rows() >= kPlenty * x.columns();
  }

  using Partition = std::remove_cvref_t<decltype(std::declval<P>().partition)>;
  static constexpr bool kLinear = Partition::kLinearMean, kIndependent = Partition::kIndependent;
  static constexpr double kFarEnough = 0.25;
  static constexpr Index kModelled = 500;    // features up to which a model of them costs less than it saves
  static constexpr double kWorthALook = 10;  // of the tolerance
  static constexpr double kCloseBy = 0.1;    // of F: what a step promises, when the multipliers are worth a look
  static constexpr Index kPlenty = 1000, kSampled = 4;  // examples for each feature, of which so many will do
  static constexpr double kSmallGain = 1e-4;            // of F: the bends hardly change then
  // Where a line ends: among so many examples kinks even out, and F is a parabola with a four-hundredth of its gain
  // left.
  static constexpr double kFlatOfMany = 0.1, kFlat = 0.02;
  static constexpr int kMostShifts = 8;       // of the bias, to balance the multipliers of a step
  static constexpr double kBalanced = 1e-12;  // of all multipliers: an excess that is none

  const P& problem_;
  BestPair<P>& best_;
  double tolerance_;
  NewtonSteps steps_;
  FreeMultipliers<P> free_;
  FeatureSystem system_;
  bool exact_bends_ = false;     // what was assembled is of this step, and of all examples
  double last_gain_ = HUGE_VAL;  // what the last step promised
  bool carried_ = false;         // the scores of the primal point were not computed from its w
};

}  // namespace medlar
