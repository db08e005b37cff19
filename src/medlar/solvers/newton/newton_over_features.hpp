// Newton over features (docs/theory.md#newton-steps): the iterate is a V (one number per feature and output) with
// w = A'(V) and the biases; the multipliers follow from the margins, lambda_k = argmax psi_k - lambda m_k, and F falls.
// Two ways to a goal, whichever has the smaller system:
//
//   by features   the losses become a parabola over w, A* stays as it is (feature_model.hpp), and F is searched on the
//                 straight line to the least point
//   by examples   V goes to X^T (beta + dbeta) with Newton's step of the free multipliers. On w this is Newton's step
//                 for F, so that a short enough part of it always lowers F. Each feature moves along the shorter of its
//                 two paths (partition.advance).
//
// Either goal has multipliers of its own, a point for the dual half of the certificate. What is hard is the system, and
// that is what one output and several differ in: feature_steps_one.hpp, feature_steps_many.hpp. One output also counts
// passes more generously: scores that were at hand, and those that are measured anew.
#pragma once

#include <cmath>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "medlar/numerics/backtrack.hpp"
#include "medlar/problem/best_pair.hpp"
#include "medlar/problem/group_curvature.hpp"
#include "medlar/problem/line.hpp"
#include "medlar/solvers/newton/feature_model.hpp"
#include "medlar/solvers/newton/feature_steps_many.hpp"
#include "medlar/solvers/newton/feature_steps_one.hpp"
#include "medlar/solvers/newton/newton_steps.hpp"
#include "medlar/thresholds/certificates.hpp"

namespace medlar {

template <class P>
class NewtonOverFeatures {
 public:
  NewtonOverFeatures(const P& problem, BestPair<P>& best, Run& run, double tolerance, NewtonSteps::Told told)
      : problem_(problem),
        best_(best),
        tolerance_(tolerance),
        steps_(run, tolerance, std::move(told)),
        system_(problem, best, steps_.passes) {}

  // Steps from the best pair so far until the gap is closed or no step helps.
  void descend(Index most_steps) {
    AnsweredPoint point{best_.primal(), {}, {}};
    answer(problem_, point);
    best_.consider(point);
    steps_.repeat(best_, most_steps, [&] { return lower_primal(point); });
    if constexpr (P::kOne) best_.make_exact();
  }

  Index passes() const { return steps_.passes; }

 private:
  bool lower_primal(AnsweredPoint& point) {
    const DualPoint dual = system_.follow(point);
    ++steps_.passes;
    if (may_close(dual, point)) {
      best_.consider(dual_point(problem_, point.lambda));
      if (closed(point)) return true;
    }
    if (system_.none()) {  // only A* is left
      return follow_line(point, {{}, std::vector<double>(point.w.size(), 0.0), no_bias(problem_)});
    }
    const Goal goal = system_.by_features() ? goal_by_features(dual, point) : goal_by_examples(dual, point);
    return closed(point) || (!goal.empty() && follow_line(point, goal));
  }

  // The gap of multipliers that the margins call for is A's alone: about g.A'' g / 2 with g = V(lambda) - V, which
  // tells when the value of J is worth its logarithms.
  bool may_close(const DualPoint& dual, const AnsweredPoint& point) const {
    const std::vector<double> g = minus(dual.v, point.v);
    std::vector<double> turned(g.size());
    GroupCurvature(problem_.partition, point.v).product(g, turned);
    double gap = 0;
    for (std::size_t i = 0; i < g.size(); ++i) gap += 0.5 * g[i] * turned[i];
    return may_gap_close(gap, tolerance_, point.value);
  }

  // Whether the gap is closed. Scores and V that were carried along are first measured anew.
  bool closed(AnsweredPoint& point) {
    if (best_.relative_gap() > tolerance_) return false;
    if (std::exchange(carried_, false)) {
      measure_anew(problem_, point);
      if constexpr (P::kOne) ++steps_.passes;
      best_.replace(point);
    }
    return best_.closed();
  }

  Goal goal_by_examples(const DualPoint& dual, const AnsweredPoint& point) {
    FreeStep step = system_.free_step(dual, point);
    if (step.beta.empty()) return {};
    Goal goal{plus(statistics_of(problem_, step.beta), minus(dual.v, point.v)), {}, {}};
    best_.consider(dual_point(problem_, std::move(step.lambda)));
    if constexpr (kLinear && !P::kOne) {  // both paths are the same straight line
      goal.w.resize(goal.v.size());
      problem_.partition.mean(plus(point.v, goal.v), goal.w);
    }
    return goal;
  }

  // What the step adds to the multipliers, -(X dw + db) / h over the free ones, is worth a look near the end only.
  Goal goal_by_features(const DualPoint& dual, const AnsweredPoint& point) {
    const std::vector<double> g = slope_of_losses(dual, point);
    Goal goal = least_point(point, g);
    if (goal.bias->empty()) goal.bias = no_bias(problem_);
    const std::vector<double> dw = minus(goal.w, point.w);
    double gain = 0;
    for (std::size_t k = dw.size(); k < g.size(); ++k) gain -= g[k] * (*goal.bias)[k - dw.size()];
    for (std::size_t i = 0; i < dw.size(); ++i) gain -= (g[i] + point.v[i]) * dw[i];
    if (!std::isfinite(gain)) return {};
    system_.promise(gain);
    if (!is_close_by(gain, point.value)) return goal;
    goal.df = scores_of(problem_, dw);
    ++steps_.passes;
    best_.consider(system_.stepped(dual, point, dw, goal));
    return goal;
  }

  // Along w, and then along the biases if there are any.
  std::vector<double> slope_of_losses(const DualPoint& dual, const AnsweredPoint& point) const {
    std::vector<double> g = times(-1, dual.v);
    const std::size_t outputs = problem_.outputs(), examples = dual.beta.size() / outputs;
    for (std::size_t k = 0; k < outputs && problem_.biased(); ++k) {
      double total = compensated_sum(dual.beta.data() + k * examples, examples);
      if (problem_.bias_variance() > 0) total -= point.bias[k] / problem_.bias_variance();
      g.push_back(-total);
    }
    return g;
  }

  Goal least_point(const AnsweredPoint& point, std::span<const double> g) {
    if constexpr (kLinear) {
      return system_.newton_goal(point, g);
    } else {
      auto least = FeatureModel(problem_.partition, system_.losses(point, g)).minimise(point.v, point.w);
      return {{}, std::move(least.w), std::move(least.biases)};
    }
  }

  // Along the straight line of w to the goal; or each feature along its own path, by a part of the step or all of it.
  bool follow_line(AnsweredPoint& point, const Goal& goal) {
    const double before = point.value;
    if (!goal.w.empty()) {
      search_line(problem_, point, goal, 1, system_.flat());
      if (P::kOne || goal.df.empty()) ++steps_.passes;
    } else {
      const AnsweredPoint from = point;
      backtrack(1, 0.3, P::kOne ? 1e-4 : 1e-5, [&](double length) { return go_part(from, goal, length, point); });
    }
    if (!(point.value < before)) return false;
    carried_ = P::kOne || !goal.w.empty();
    best_.consider(point);
    closed(point);
    return true;
  }

  // F is searched on the straight line of w to there. Where that ends soon after its begin, the paths lie too far
  // apart.
  bool go_part(const AnsweredPoint& from, const Goal& goal, double length, AnsweredPoint& point) requires(P::kOne) {
    AnsweredPoint next = from;
    const double reached = search_line(problem_, next, goal, length);
    ++steps_.passes;
    if (next.value < point.value) point = std::move(next);
    return reached > kFarEnough;
  }
  // Straight lines between classes lead away from the paths: the point there is taken as it is.
  bool go_part(const AnsweredPoint& from, const Goal& goal, double length, AnsweredPoint& point) requires(!P::kOne) {
    std::vector<double> v = from.v;
    problem_.partition.advance(v, times(length, goal.v));
    AnsweredPoint next{best_.primal_at(std::move(v), from.bias), {}, {}};
    if (!(next.value < from.value)) return false;
    answer(problem_, next);
    point = std::move(next);
    return true;
  }

  static constexpr bool kLinear = std::remove_cvref_t<decltype(std::declval<P>().partition)>::kLinearMean;
  static constexpr double kFarEnough = 0.25;

  const P& problem_;
  BestPair<P>& best_;
  double tolerance_;
  NewtonSteps steps_;
  std::conditional_t<P::kOne, FeatureStepsOne<P>, FeatureStepsMany<P>> system_;
  bool carried_ = false;  // the scores of the primal point were not computed from its w
};

}  // namespace medlar
