// What Newton over features solves for several outputs (newton_over_features.hpp), over T(K - 1) constraints whose rows
// are never formed. Few coefficients: the losses become a parabola over them. Many: conjugate gradients solve for the
// step of the free multipliers, those above 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "medlar/linalg/systems/class_parabola.hpp"
#include "medlar/problem/best_pair.hpp"
#include "medlar/problem/group_curvature.hpp"
#include "medlar/problem/line.hpp"
#include "medlar/solvers/newton/class_feature_factor.hpp"
#include "medlar/solvers/newton/class_system.hpp"
#include "medlar/solvers/newton/newton_steps.hpp"

namespace medlar {

template <class P>
class FeatureStepsMany {
 public:
  FeatureStepsMany(const P& problem, const BestPair<P>& best, Index& passes)
      : problem_(problem), best_(best), passes_(passes) {}

  // The multipliers of `point` with their V: with flat biases they need not balance yet.
  DualPoint follow(const AnsweredPoint& point) {
    DualPoint dual;
    dual.beta = problem_.constraints.beta(point.lambda);
    dual.v = statistics_of(problem_, dual.beta);
    free_.clear();
    for (std::size_t c = 0; c < point.lambda.size(); ++c) {
      if (point.lambda[c] > 0) free_.push_back(c);
    }
    return dual;
  }
  bool none() const { return free_.empty(); }
  // Whether a factor over the coefficients costs little, also against one over the free constraints.
  bool by_features() const {
    return ClassFeatureFactor::suits(problem_.constraints) && 3 * std::ssize(free_) >= problem_.partition.dimension();
  }

  FreeStep free_step(const DualPoint& dual, const AnsweredPoint& point) {
    const ClassConstraints free = problem_.constraints.only(free_);
    const GroupCurvature curvature(problem_.partition, point.v);
    std::vector<double> turned(point.v.size());
    curvature.product(minus(dual.v, point.v), turned);
    const std::vector<double> shift = scores_of(problem_, turned), none = no_bias(problem_);
    ClassSystem system(free, problem_.flat(), problem_.bias_variance());
    const std::vector<double> totals = totals_of(problem_, point.lambda);
    std::vector<double> r(free_.size()), h(r.size()), d(r.size()), b(system.balanced()), missing(b.size());
    for (std::size_t j = 0; j < r.size(); ++j) {
      const std::size_t c = free_[j];
      r[j] = -(problem_.margin(c, shift, none) + problem_.constraints.offset[c]) - prior_slope(c, totals, point);
      h[j] = 1 / point.bend[c];
    }
    for (std::size_t k = 0; k < missing.size(); ++k) missing[k] = -totals[k];
    system.set_accuracy(std::clamp(std::sqrt(best_.relative_gap()), 1e-8, 0.1));
    system.assemble(
        std::move(h), [&](std::span<const double> from, std::span<double> to) { curvature.product(from, to); },
        curvature.diagonal(free));
    if (!system.solve(r, missing, d, b)) return {};
    passes_ += system.passes();
    std::vector<double> change(point.lambda.size(), 0.0);
    for (std::size_t j = 0; j < d.size(); ++j) change[free_[j]] = d[j];
    return {problem_.constraints.beta(change), moved(point.lambda, change)};
  }

  Parabola losses(const AnsweredPoint& point, std::span<const double> g) {
    const ClassConstraints& all = problem_.constraints;
    if (!parabola_) {
      parabola_.emplace(all.examples, all.rows->statistics(), all.classes,
                        [&all](Index t, std::span<double> row) { all.rows->row(t, row); });
    }
    if (!problem_.biased()) return parabola_->without_biases(all.example, all.up, all.down, point.bend, g);
    const double precision = problem_.bias_variance() > 0 ? 1 / problem_.bias_variance() : 0.0;
    return parabola_->around(all.example, all.up, all.down, point.bend, g, precision);
  }

  Goal newton_goal(const AnsweredPoint& point, std::span<const double> g) {
    Parabola parabola = losses(point, g);
    std::vector<double> d(point.v.size()), rest(point.v.size());
    problem_.partition.curvature(point.v, d, {});
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = parabola.slope(i) + point.v[i];
    std::vector<double> dw = parabola.newton(CurvatureRoot(d), rest);
    parabola.move(dw, parabola.times(dw), 1);
    return {{}, plus(std::move(dw), point.w), parabola.biases()};
  }

  DualPoint stepped(const DualPoint&, const AnsweredPoint& point, std::span<const double>, const Goal& goal) const {
    std::vector<double> change(point.lambda.size(), 0.0);
    for (const std::size_t c : free_) {
      change[c] = -point.bend[c] * (problem_.margin(c, goal.df, *goal.bias) + problem_.constraints.offset[c]);
    }
    return dual_point(problem_, moved(point.lambda, change));
  }

  void promise(double) {}
  static constexpr double flat() { return 0.02; }

 private:
  // With Gaussian biases lambda must follow b: b_k = sigma2 S_k at the end.
  double prior_slope(std::size_t c, std::span<const double> totals, const PrimalPoint& point) const {
    if (problem_.bias_variance() == 0) return 0;
    return problem_.bias_variance() * problem_.constraints.between(c, totals) -
           problem_.constraints.between(c, point.bias);
  }

  std::vector<double> moved(std::vector<double> lambda, std::span<const double> change) const {
    for (const std::size_t c : free_) lambda[c] = problem_.held(c, lambda[c], change[c]);
    return lambda;
  }

  const P& problem_;
  const BestPair<P>& best_;
  Index& passes_;
  std::vector<std::size_t> free_;  // constraints
  std::optional<ClassParabola> parabola_;
};

}  // namespace medlar
