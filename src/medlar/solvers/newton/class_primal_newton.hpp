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
#include "medlar/problem/best_pair.hpp"
#include "medlar/problem/group_curvature.hpp"
#include "medlar/problem/line.hpp"
#include "medlar/problem/run.hpp"
#include "medlar/solvers/newton/class_feature_factor.hpp"
#include "medlar/solvers/newton/class_system.hpp"
#include "medlar/solvers/newton/feature_model.hpp"
#include "medlar/solvers/solution.hpp"

namespace medlar {

template <class P>
class ClassPrimalNewton {
 public:
  ClassPrimalNewton(const P& problem, const Limits& limits, Observer* observer)
      : problem_(problem), limits_(limits), run_(limits, observer), best_(problem, limits.tolerance) {}

  // From V, biases and multipliers if they are given.
  Solution solve(std::vector<double> v = {}, std::vector<double> bias = {}, DualPoint dual = {}) {
    run_.report.solver = "Newton between classes over features";
    const std::size_t size = static_cast<std::size_t>(problem_.partition.dimension());
    const auto classes = static_cast<std::size_t>(problem_.constraints.classes);
    if (bias.empty()) bias.assign(classes, 0.0);
    best_.adopt(dual_point(problem_, std::vector<double>(problem_.count(), 0.0)));
    if (!dual.lambda.empty()) best_.adopt(std::move(dual));
    AnsweredPoint point;
    take(point, best_.primal_at(std::vector<double>(size, 0.0), std::vector<double>(classes, 0.0)));
    if (!v.empty()) {
      run_.graced([&] { take(point, best_.primal_at(std::move(v), std::move(bias))); });
    }
    run_.record(best_.bounds(), passes(), "newton");
    Patience patience;
    while (!run_.reached(best_.bounds(), passes())) {
      bool moved = false;
      if (!run_.whole([&] { moved = step(point); })) continue;
      if (patience.lost(best_.relative_gap()) || !moved) {
        if (!run_.reached(best_.bounds(), passes())) run_.give_up(best_.bounds());
        break;
      }
      ++run_.report.iterations;
      run_.record(best_.bounds(), passes(), "newton");
    }
    return {best_.dual(), best_.primal(), run_.finish(best_.bounds(), passes())};
  }

 private:
  static constexpr bool kLinear = std::remove_cvref_t<decltype(std::declval<P>().partition)>::kLinearMean;

  Index passes() const { return passes_ + best_.points(); }

  void take(AnsweredPoint& point, PrimalPoint from) {
    static_cast<PrimalPoint&>(point) = std::move(from);
    answer(problem_, point);
    best_.adopt(point);
  }

  bool step(AnsweredPoint& point) {
    const std::vector<double> v = statistics_of(problem_, problem_.constraints.beta(point.lambda));
    std::vector<double> g(v.size());
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = v[i] - point.v[i];
    ++passes_;
    if (may_close(g, point)) best_.adopt(dual_point(problem_, point.lambda));
    if (closed(point)) return true;
    const Goal goal = few_features(point) ? goal_by_features(v, point) : goal_by_examples(g, point);
    return closed(point) || (!goal.empty() && descend(point, goal));
  }

  // Whether a factor over the coefficients costs little, also against one over the free constraints.
  bool few_features(const AnsweredPoint& point) const {
    if (!ClassFeatureFactor::suits(problem_.constraints)) return false;
    const auto free = std::count_if(point.lambda.begin(), point.lambda.end(), [](double each) { return each > 0; });
    return 3 * free >= problem_.partition.dimension();
  }

  // The gap of multipliers that the margins call for is A's alone, about g.A'' g / 2, where they balance.
  bool may_close(const std::vector<double>& g, const AnsweredPoint& point) const {
    std::vector<double> turned(g.size());
    GroupCurvature(problem_.partition, point.v).product(g, turned);
    double gap = 0;
    for (std::size_t i = 0; i < g.size(); ++i) gap += 0.5 * g[i] * turned[i];
    return !(gap > kWorthALook * limits_.tolerance * point.value);
  }

  // Whether the gap is closed. Scores that were carried along are first measured anew.
  bool closed(AnsweredPoint& point) {
    if (best_.relative_gap() > limits_.tolerance) return false;
    if (!std::exchange(carried_, false)) return true;
    measure_anew(problem_, point);
    best_.replace(point);
    return best_.relative_gap() <= limits_.tolerance;
  }

  // The least point of the losses as a parabola, with A* as it is. The multipliers that the parabola has there are a
  // point for J, worth its pass near the end only.
  Goal goal_by_features(std::span<const double> v, const AnsweredPoint& point) {
    const ClassConstraints& all = problem_.constraints;
    if (!parabola_) {
      parabola_.emplace(all.examples, problem_.constraints.rows->statistics(), all.classes,
                        [this](Index t, std::span<double> row) { problem_.constraints.rows->row(t, row); });
    }
    const bool biased = problem_.biased();
    const double precision = problem_.bias_variance() > 0 ? 1 / problem_.bias_variance() : 0.0;
    std::vector<double> g(v.begin(), v.end()), totals = totals_of(problem_, point.lambda);
    for (double& each : g) each = -each;
    if (biased) {
      for (std::size_t k = 0; k < totals.size(); ++k) g.push_back(precision * point.bias[k] - totals[k]);
    }
    ++passes_;
    Parabola losses = biased ? parabola_->around(all.example, all.up, all.down, point.bend, g, precision)
                             : parabola_->without_biases(all.example, all.up, all.down, point.bend, g);
    Goal goal = kLinear ? newton_goal(std::move(losses), point) : model_goal(std::move(losses), point);
    if (!biased) goal.bias->assign(totals.size(), 0.0);
    std::vector<double> dw(goal.w);
    double gain = 0;
    for (std::size_t i = 0; i < dw.size(); ++i) dw[i] -= point.w[i], gain -= (g[i] + point.v[i]) * dw[i];
    for (std::size_t k = 0; biased && k < totals.size(); ++k) gain -= g[dw.size() + k] * (*goal.bias)[k];
    if (!std::isfinite(gain)) return {};
    if (gain > kCloseBy * point.value) return goal;
    const std::vector<double> df = scores_of(problem_, dw);
    std::vector<double> change(point.lambda.size(), 0.0);
    for (std::size_t c = 0; c < change.size(); ++c) {
      if (point.bend[c] > 0) {
        change[c] = -point.bend[c] * (problem_.margin(c, df, *goal.bias) + problem_.constraints.offset[c]);
      }
    }
    best_.adopt(dual_point(problem_, moved(point.lambda, change)));
    passes_ += 2;
    return goal;
  }

  Goal newton_goal(Parabola losses, const AnsweredPoint& point) const {
    std::vector<double> d(point.v.size()), rest(point.v.size());
    problem_.partition.curvature(point.v, d, {});
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = losses.slope(i) + point.v[i];
    std::vector<double> dw = losses.newton(CurvatureRoot(d), rest);
    losses.move(dw, losses.times(dw), 1);
    return {{}, plus(std::move(dw), point.w), losses.biases()};
  }

  Goal model_goal(Parabola losses, const AnsweredPoint& point) const {
    auto least = FeatureModel(problem_.partition, std::move(losses)).minimise(point.v, point.w);
    return {{}, std::move(least.w), std::move(least.biases)};
  }

  // What V should move by, from the step of the free multipliers.
  Goal goal_by_examples(const std::vector<double>& g, const AnsweredPoint& point) {
    const Free free = free_constraints(point.lambda);
    if (free.place.empty()) return {};
    const GroupCurvature curvature(problem_.partition, point.v);
    std::vector<double> turned(g.size());
    curvature.product(g, turned);
    const std::vector<double> shift = scores_of(problem_, turned);
    const std::vector<double> none(static_cast<std::size_t>(problem_.constraints.classes), 0.0);
    ClassSystem system(free.constraints, problem_.flat(), problem_.bias_variance());
    const std::vector<double> totals = totals_of(problem_, point.lambda);
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
        curvature.diagonal(free.constraints));
    if (!system.solve(r, missing, d, b)) return {};
    passes_ += system.passes();
    std::vector<double> change(point.lambda.size(), 0.0);
    for (std::size_t c = 0; c < d.size(); ++c) change[free.place[c]] = d[c];
    Goal goal{statistics_of(problem_, problem_.constraints.beta(change)), {}, {}};
    for (std::size_t i = 0; i < g.size(); ++i) goal.v[i] += g[i];
    best_.adopt(dual_point(problem_, moved(point.lambda, change)));
    passes_ += 2;
    if (kLinear) {  // both paths are the same straight line
      goal.w.resize(g.size());
      problem_.partition.mean(plus(std::move(goal.v), point.v), goal.w);
    }
    return goal;
  }

  // With Gaussian biases lambda must follow b: b_k = sigma2 S_k at the end.
  double prior_slope(std::size_t c, std::span<const double> totals, const PrimalPoint& point) const {
    if (problem_.bias_variance() == 0) return 0;
    return problem_.bias_variance() * problem_.constraints.between(c, totals) -
           problem_.constraints.between(c, point.bias);
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
      if (change[c] != 0) lambda[c] = problem_.held(c, lambda[c], change[c]);
    }
    return lambda;
  }

  // Along the straight line of w to the goal; or by the whole of each group's path, or a part of it.
  bool descend(AnsweredPoint& point, const Goal& goal) {
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
      PrimalPoint next = best_.primal_at(std::move(v), point.bias);
      if (next.value < before) take(point, std::move(next));
    }
    if (!(point.value < before)) return false;
    best_.adopt(point);
    closed(point);
    return true;
  }

  static constexpr double kWorthALook = 10;  // of the tolerance
  static constexpr double kCloseBy = 0.1;    // of F: what a step promises, when the multipliers are worth a look

  const P& problem_;
  Limits limits_;
  Run run_;
  BestPair<P> best_;
  std::optional<ClassParabola> parabola_;
  bool carried_ = false;  // the scores of the primal point were not computed from its w
  Index passes_ = 0;
};

}  // namespace medlar
