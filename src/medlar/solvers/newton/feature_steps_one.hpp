// What Newton over features solves for one output (newton_over_features.hpp). Examples outnumber features as a rule:
// the bends of the losses become a matrix of the features, on the pass that V(lambda) needs anyway. Where few examples
// are free, a factor over those serves (free_multipliers.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "medlar/linalg/systems/feature_system.hpp"
#include "medlar/linalg/systems/parabola.hpp"
#include "medlar/problem/best_pair.hpp"
#include "medlar/problem/line.hpp"
#include "medlar/solvers/newton/free_multipliers.hpp"
#include "medlar/solvers/newton/newton_steps.hpp"
#include "medlar/thresholds/rough_matrix.hpp"
#include "medlar/thresholds/tall.hpp"

namespace medlar {

template <class P>
class FeatureStepsOne {
 public:
  FeatureStepsOne(const P& problem, const BestPair<P>& best, Index& passes)
      : problem_(problem), best_(best), passes_(passes), free_(problem, passes), system_(*problem.constraints.x) {}

  // The multipliers of `point` with their V: with a flat bias they need not balance yet.
  DualPoint follow(const AnsweredPoint& point) {
    DualPoint dual;
    dual.beta = problem_.constraints.beta(point.lambda);
    free_.follow(point);
    const Index n = problem_.constraints.x->columns();
    few_ = std::ssize(free_.examples()) <= n && kIndependent && (kLinear || !is_modelled(n));
    if (few_ || none()) {
      dual.v = statistics(*problem_.constraints.x, dual.beta);
    } else {
      assemble(dual);
    }
    ++followed_;
    return dual;
  }
  bool none() const { return free_.examples().empty(); }
  bool by_features() const { return !few_; }

  FreeStep free_step(const DualPoint& dual, const AnsweredPoint& point) {
    std::vector<double> step = free_.direction(point.lambda, dual, point);
    if (step.empty()) return {};
    passes_ += 2;
    std::vector<double> lambda = free_.moved(point.lambda, step, 1);
    return {std::move(step), std::move(lambda)};
  }

  Parabola losses(const AnsweredPoint&, std::span<const double> g) const {
    return {system_.gram(), g, system_.has_bias() ? 1 : 0};
  }

  Goal newton_goal(const AnsweredPoint& point, std::span<const double> g) {
    std::vector<double> d(point.v.size()), downhill(point.v.size());
    problem_.partition.curvature(point.v, d, {});
    for (std::size_t i = 0; i < d.size(); ++i) downhill[i] = -g[i] - point.v[i];
    system_.factor(d);
    const FeatureSystem::Step step = system_.solve(downhill, system_.has_bias() ? -g.back() : 0.0);
    Goal goal{{}, point.w, std::vector<double>{step.bias}};
    for (std::size_t i = 0; i < d.size(); ++i) goal.w[i] += d[i] * step.v[i];
    return goal;
  }

  // V of the new multipliers follows from what was assembled, except for those that are held at an end. These unbalance
  // the others, which db makes up for under a flat bias.
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
        to.lambda[k] = point.lambda[k];
        problem_.move(to.lambda, k, change[j]);
        const double reached = one_sided(to.lambda, k);
        excess += side * reached;
        weight += std::abs(reached);
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
      const double before = point.lambda[free_.constraint(j)], after = one_sided(to.lambda, free_.constraint(j));
      const double off = after - before - change[j];
      if (std::abs(off) <= 1e-15 * (std::abs(after) + before)) continue;
      if (++stopped > problem_.constraints.examples() / 4) return dual_point(problem_, std::move(to.lambda));
      add_scaled(problem_.constraints.x->row(free[j]), free_.side(free[j]) * off, to.v);
    }
    to.rough = to.carried = true;
    balance(problem_, to.lambda);
    to.beta = problem_.constraints.beta(to.lambda);
    to.objective = dual_value(problem_, to);
    return to;
  }

  void promise(double gain) { last_gain_ = gain; }
  double flat() const { return flat_enough(plenty()); }

 private:
  // The bends of the losses and V on one pass. Where examples are plenty, the bends of every fourth free one will do
  // for the first step, and those of the step before where it promised little.
  void assemble(DualPoint& dual) {
    const Matrix& x = *problem_.constraints.x;
    const bool first = plenty() && followed_ == 0;
    const bool again =
        std::exchange(exact_bends_, true) && plenty() && are_bends_settled(last_gain_, best_.primal().value);
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
    for (std::size_t j = 0; j < free_.examples().size(); j += kExamplesPerBend) {
      const auto t = static_cast<std::size_t>(free_.examples()[j]);
      h[t] = metric[t] / static_cast<double>(kExamplesPerBend);
    }
    system_.assemble(h, dual.beta, problem_.bias_variance(), problem_.bias.flat());
  }

  // lambda_k, below 0 where it has gone over to the other side.
  double one_sided(const std::vector<double>& lambda, std::size_t k) const {
    return problem_.crosses() ? lambda[k] - lambda[problem_.other_side(k)] : lambda[k];
  }

  bool plenty() const {
    const Matrix& x = *problem_.constraints.x;
    return has_plenty_of_examples(x.rows(), x.columns());
  }

  using Partition = std::remove_cvref_t<decltype(std::declval<P>().partition)>;
  static constexpr bool kLinear = Partition::kLinearMean, kIndependent = Partition::kIndependent;
  static constexpr int kMostShifts = 8;       // of the bias, to balance the multipliers of a step
  static constexpr double kBalanced = 1e-12;  // of all multipliers: an excess that is none

  const P& problem_;
  const BestPair<P>& best_;
  Index& passes_;
  FreeMultipliers<P> free_;
  FeatureSystem system_;
  bool few_ = false;             // free examples: the factor is over those
  bool exact_bends_ = false;     // what was assembled is of this step, and of all examples
  double last_gain_ = HUGE_VAL;  // what the last step promised
  Index followed_ = 0;
};

}  // namespace medlar
