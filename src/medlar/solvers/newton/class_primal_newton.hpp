// Newton for linear discriminants between many classes (docs/theory.md#several-classes, #newton-steps), over T(K - 1)
// constraints whose rows are never formed. For potentials with curvature.
//
// The iterate is w = A'(V) with a bias for each class; multipliers follow from the margins, and those above 0 are free.
// Few coefficients: the losses become a parabola over them, A* stays as it is (feature_model.hpp), and F is searched on
// the straight line to the least point. Many: conjugate gradients solve for the step of the free multipliers, as in
// newton_over_features.hpp, and V goes to where their statistics will be, each group of features along the shorter of
// its two paths.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "medlar/linalg/systems/class_parabola.hpp"
#include "medlar/problem/class_best.hpp"
#include "medlar/problem/class_line.hpp"
#include "medlar/problem/group_curvature.hpp"
#include "medlar/problem/stopping.hpp"
#include "medlar/solvers/newton/class_feature_factor.hpp"
#include "medlar/solvers/newton/class_system.hpp"
#include "medlar/solvers/newton/feature_model.hpp"

namespace medlar {

template <class P>
class ClassPrimalNewton {
 public:
  ClassPrimalNewton(const P& problem, const Limits& limits, Observer* observer)
      : problem_(problem), limits_(limits), stopping_(limits, observer), best_(problem) {}

  // From V, biases and multipliers if they are given.
  ClassSolution solve(std::vector<double> v = {}, std::vector<double> bias = {}, ClassDual dual = {}) {
    report_.tolerance = limits_.tolerance;
    report_.solver = "Newton between classes over features";
    const std::size_t size = static_cast<std::size_t>(problem_.partition.dimension());
    const auto classes = static_cast<std::size_t>(problem_.constraints.classes);
    if (bias.empty()) bias.assign(classes, 0.0);
    best_.consider(class_dual(problem_, std::vector<double>(problem_.count(), 0.0)));
    if (!dual.lambda.empty()) best_.consider(std::move(dual));
    AnsweredClasses point;
    take(point, best_.primal_at(std::vector<double>(size, 0.0), std::vector<double>(classes, 0.0)));
    if (!v.empty()) {
      stopping_.graced([&] { take(point, best_.primal_at(std::move(v), std::move(bias))); });
    }
    best_.record("newton", passes(), stopping_, report_);
    Patience patience;
    while (!stopping_.reached(best_.relative_gap(), passes(), report_)) {
      bool moved = false;
      if (!stopping_.whole([&] { moved = step(point); })) continue;
      if (patience.lost(best_.relative_gap()) || !moved) {
        if (!stopping_.reached(best_.relative_gap(), passes(), report_))
          stopping_.give_up(best_.relative_gap(), report_);
        break;
      }
      ++report_.iterations;
      best_.record("newton", passes(), stopping_, report_);
    }
    return best_.finish(passes(), stopping_, std::move(report_));
  }

 private:
  static constexpr bool kLinear = std::remove_cvref_t<decltype(std::declval<P>().partition)>::kLinearMean;

  Index passes() const { return passes_ + best_.points(); }

  void take(AnsweredClasses& point, ClassPrimal from) {
    static_cast<ClassPrimal&>(point) = std::move(from);
    answer(problem_, point);
    best_.consider(point);
  }

  bool step(AnsweredClasses& point) {
    const std::vector<double> v = class_statistics(problem_, point.lambda);
    std::vector<double> g(v.size());
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = v[i] - point.v[i];
    ++passes_;
    if (may_close(g, point)) best_.consider(class_dual(problem_, point.lambda));
    if (closed(point)) return true;
    const ClassGoal goal = few_features(point) ? goal_by_features(v, point) : goal_by_examples(g, point);
    return closed(point) || (!goal.empty() && descend(point, goal));
  }

  // Whether a factor over the coefficients costs little, also against one over the free constraints.
  bool few_features(const AnsweredClasses& point) const {
    if (!ClassFeatureFactor::suits(problem_.rows, problem_.constraints)) return false;
    const auto free = std::count_if(point.lambda.begin(), point.lambda.end(), [](double each) { return each > 0; });
    return 3 * free >= problem_.partition.dimension();
  }

  // The gap of multipliers that the margins call for is A's alone, about g.A'' g / 2, where they balance.
  bool may_close(const std::vector<double>& g, const AnsweredClasses& point) const {
    std::vector<double> turned(g.size());
    GroupCurvature(problem_.partition, point.v).product(g, turned);
    double gap = 0;
    for (std::size_t i = 0; i < g.size(); ++i) gap += 0.5 * g[i] * turned[i];
    return !(gap > kWorthALook * limits_.tolerance * point.value);
  }

  // Whether the gap is closed. Scores that were carried along are first measured anew.
  bool closed(AnsweredClasses& point) {
    if (best_.relative_gap() > limits_.tolerance) return false;
    if (!std::exchange(carried_, false)) return true;
    problem_.partition.mean(point.v, point.w);
    point.f = class_scores(problem_, point.w);
    ++passes_;
    answer(problem_, point);
    best_.replace(point);
    return best_.relative_gap() <= limits_.tolerance;
  }

  // The least point of the losses as a parabola, with A* as it is. The multipliers that the parabola has there are a
  // point for J, worth its pass near the end only.
  ClassGoal goal_by_features(std::span<const double> v, const AnsweredClasses& point) {
    const ClassConstraints& all = problem_.constraints;
    if (!parabola_) {
      parabola_.emplace(all.examples, problem_.rows.statistics(), all.classes,
                        [this](Index t, std::span<double> row) { problem_.rows.row(t, row); });
    }
    const bool biased = problem_.bias.kind != BiasPrior::Kind::none;
    const double precision = problem_.sigma2() > 0 ? 1 / problem_.sigma2() : 0.0;
    std::vector<double> g(v.begin(), v.end()), totals = class_totals(problem_, point.lambda);
    for (double& each : g) each = -each;
    if (biased) {
      for (std::size_t k = 0; k < totals.size(); ++k) g.push_back(precision * point.bias[k] - totals[k]);
    }
    ++passes_;
    Parabola losses = biased ? parabola_->around(all.example, all.up, all.down, point.bend, g, precision)
                             : parabola_->without_biases(all.example, all.up, all.down, point.bend, g);
    ClassGoal goal = kLinear ? newton_goal(std::move(losses), point) : model_goal(std::move(losses), point);
    if (!biased) goal.bias->assign(totals.size(), 0.0);
    std::vector<double> dw(goal.w);
    double gain = 0;
    for (std::size_t i = 0; i < dw.size(); ++i) dw[i] -= point.w[i], gain -= (g[i] + point.v[i]) * dw[i];
    for (std::size_t k = 0; biased && k < totals.size(); ++k) gain -= g[dw.size() + k] * (*goal.bias)[k];
    if (!std::isfinite(gain)) return {};
    if (gain > kCloseBy * point.value) return goal;
    const std::vector<double> df = class_scores(problem_, dw);
    std::vector<double> change(point.lambda.size(), 0.0);
    for (std::size_t c = 0; c < change.size(); ++c) {
      if (point.bend[c] > 0) {
        change[c] = -point.bend[c] * (problem_.margin(c, df, *goal.bias) + problem_.constraints.offset[c]);
      }
    }
    best_.consider(class_dual(problem_, moved(point.lambda, change)));
    passes_ += 2;
    return goal;
  }

  ClassGoal newton_goal(Parabola losses, const AnsweredClasses& point) const {
    std::vector<double> d(point.v.size()), rest(point.v.size());
    problem_.partition.curvature(point.v, d, {});
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = losses.slope(i) + point.v[i];
    std::vector<double> dw = losses.newton(CurvatureRoot(d), rest);
    losses.move(dw, losses.times(dw), 1);
    return {{}, plus(std::move(dw), point.w), losses.biases()};
  }

  ClassGoal model_goal(Parabola losses, const AnsweredClasses& point) const {
    auto least = FeatureModel(problem_.partition, std::move(losses)).minimise(point.v, point.w);
    return {{}, std::move(least.w), std::move(least.biases)};
  }

  // What V should move by, from the step of the free multipliers.
  ClassGoal goal_by_examples(const std::vector<double>& g, const AnsweredClasses& point) {
    const Free free = free_constraints(point.lambda);
    if (free.place.empty()) return {};
    const GroupCurvature curvature(problem_.partition, point.v);
    std::vector<double> turned(g.size());
    curvature.product(g, turned);
    const std::vector<double> shift = class_scores(problem_, turned);
    const std::vector<double> none(static_cast<std::size_t>(problem_.constraints.classes), 0.0);
    ClassSystem system(problem_.rows, free.constraints, problem_.flat(), problem_.sigma2());
    const std::vector<double> totals = class_totals(problem_, point.lambda);
    std::vector<double> r(free.place.size()), h(r.size()), d(r.size()), b(system.balanced()), missing(b.size());
    for (std::size_t c = 0; c < r.size(); ++c) {
      const std::size_t from = free.place[c];
      r[c] =
          -(problem_.margin(from, shift, none) + problem_.constraints.offset[from]) - prior_slope(from, totals, point);
      h[c] = 1 / point.bend[from];
    }
    for (std::size_t k = 0; k < missing.size(); ++k) missing[k] = -totals[k];
    system.set_accuracy(std::clamp(std::sqrt(best_.relative_gap()), 1e-8, 0.1));
    system.assemble(
        std::move(h), [&](std::span<const double> from, std::span<double> to) { curvature.product(from, to); },
        curvature.diagonal(problem_.rows, free.constraints));
    if (!system.solve(r, missing, d, b)) return {};
    passes_ += system.passes();
    std::vector<double> change(point.lambda.size(), 0.0);
    for (std::size_t c = 0; c < d.size(); ++c) change[free.place[c]] = d[c];
    ClassGoal goal{class_statistics(problem_, change), {}, {}};
    for (std::size_t i = 0; i < g.size(); ++i) goal.v[i] += g[i];
    best_.consider(class_dual(problem_, moved(point.lambda, change)));
    passes_ += 2;
    if (kLinear) {  // both paths are the same straight line
      goal.w.resize(g.size());
      problem_.partition.mean(plus(std::move(goal.v), point.v), goal.w);
    }
    return goal;
  }

  // With Gaussian biases lambda must follow b: b_k = sigma2 S_k at the end.
  double prior_slope(std::size_t c, std::span<const double> totals, const ClassPrimal& point) const {
    if (problem_.sigma2() == 0) return 0;
    const auto up = static_cast<std::size_t>(problem_.constraints.up[c]);
    const auto down = static_cast<std::size_t>(problem_.constraints.down[c]);
    return problem_.sigma2() * (totals[up] - totals[down]) - (point.bias[up] - point.bias[down]);
  }

  struct Free {
    std::vector<std::size_t> place;
    ClassConstraints constraints;
  };
  Free free_constraints(std::span<const double> lambda) const {
    Free free;
    for (std::size_t c = 0; c < lambda.size(); ++c) {
      if (lambda[c] > 0) free.place.push_back(c);
    }
    free.constraints = problem_.constraints.only(free.place);
    return free;
  }

  std::vector<double> moved(std::vector<double> lambda, std::span<const double> change) const {
    for (std::size_t c = 0; c < lambda.size(); ++c) {
      if (change[c] == 0) continue;
      const double to = lambda[c] + change[c], end = problem_.upper(c);
      lambda[c] = std::max(0.0, to < end ? to : problem_.psi.domain().closed ? end : 0.5 * (lambda[c] + end));
    }
    return lambda;
  }

  // Along the straight line of w to the goal; or by the whole of each group's path, or a part of it.
  bool descend(AnsweredClasses& point, const ClassGoal& goal) {
    const double before = point.value;
    if (!goal.w.empty()) {
      search_line(problem_, point, goal, 1);
      ++passes_;
      carried_ = true;
    }
    std::vector<double> part(goal.v.size());
    for (double length = 1; goal.w.empty() && length > 1e-5 && !(point.value < before); length *= 0.3) {
      for (std::size_t i = 0; i < part.size(); ++i) part[i] = length * goal.v[i];
      std::vector<double> v = point.v;
      problem_.partition.advance(v, part);
      ClassPrimal next = best_.primal_at(std::move(v), point.bias);
      if (next.value < before) take(point, std::move(next));
    }
    if (!(point.value < before)) return false;
    best_.consider(point);
    closed(point);
    return true;
  }

  static constexpr double kWorthALook = 10;  // of the tolerance
  static constexpr double kCloseBy = 0.1;    // of F: what a step promises, when the multipliers are worth a look

  const P& problem_;
  Limits limits_;
  Stopping stopping_;
  ClassBest<P> best_;
  std::optional<ClassParabola> parabola_;
  Report report_;
  bool carried_ = false;  // the scores of the primal point were not computed from its w
  Index passes_ = 0;
};

}  // namespace medlar
