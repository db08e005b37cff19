// Newton for linear discriminants between many classes (theory 6, 11): the step of solvers/free_newton.hpp, over T(K -
// 1) constraints whose rows are never formed. For potentials with curvature.
//
// The iterate is a V with w = A'(V) and the best biases for it; multipliers follow from the margins, and those above 0
// are free. Conjugate gradients solve for the step of the free ones; V goes to where their statistics will be, each
// group of features along the shorter of its two paths, as far as F falls.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "medlar/solvers/class_best.hpp"
#include "medlar/solvers/class_system.hpp"
#include "medlar/solvers/group_curvature.hpp"
#include "medlar/solvers/stopping.hpp"

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
    ClassPrimal point = best_.primal_at(std::vector<double>(size, 0.0), std::vector<double>(classes, 0.0));
    best_.consider(point);
    if (!v.empty()) {
      stopping_.graced([&] { point = best_.primal_at(std::move(v), std::move(bias)), best_.consider(point); });
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
  Index passes() const { return passes_ + best_.points(); }

  bool step(ClassPrimal& point) {
    std::vector<double> lambda(problem_.count());
    for (std::size_t c = 0; c < lambda.size(); ++c) {
      lambda[c] = problem_.multiplier(c, problem_.margin(c, point.f, point.bias));
    }
    ClassDual dual = class_dual(problem_, lambda);
    ++passes_;
    std::vector<double> g = class_statistics(problem_, lambda);
    for (std::size_t i = 0; i < g.size(); ++i) g[i] -= point.v[i];
    best_.consider(std::move(dual));
    if (best_.relative_gap() <= limits_.tolerance) return true;

    const Free free = free_constraints(lambda);
    if (free.place.empty()) return false;
    const GroupCurvature curvature(problem_.partition, point.v);
    std::vector<double> turned(g.size());
    curvature.product(g, turned);
    const std::vector<double> shift = class_scores(problem_, turned);
    const std::vector<double> none(static_cast<std::size_t>(problem_.constraints.classes), 0.0);
    ClassSystem system(problem_.rows, free.constraints, problem_.flat(), problem_.sigma2());
    const std::vector<double> totals = class_totals(problem_, lambda);
    std::vector<double> r(free.place.size()), h(r.size()), d(r.size()), b(system.balanced()), missing(b.size());
    for (std::size_t c = 0; c < r.size(); ++c) {
      const std::size_t from = free.place[c];
      r[c] =
          -(problem_.margin(from, shift, none) + problem_.constraints.offset[from]) - prior_slope(from, totals, point);
      h[c] = -problem_.curvature(from, lambda[from]);
    }
    for (std::size_t k = 0; k < missing.size(); ++k) missing[k] = -totals[k];
    system.set_accuracy(std::clamp(std::sqrt(best_.relative_gap()), 1e-8, 0.1));
    system.assemble(
        std::move(h), [&](std::span<const double> from, std::span<double> to) { curvature.product(from, to); },
        curvature.diagonal(problem_.rows, free.constraints));
    if (!system.solve(r, missing, d, b)) return false;
    passes_ += system.passes();
    std::vector<double> change(lambda.size(), 0.0);
    for (std::size_t c = 0; c < d.size(); ++c) change[free.place[c]] = d[c];
    std::vector<double> goal = class_statistics(problem_, change);
    for (std::size_t i = 0; i < goal.size(); ++i) goal[i] += g[i];
    best_.consider(class_dual(problem_, moved(lambda, change)));
    passes_ += 2;
    return descend(point, goal);
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
    const ClassConstraints& all = problem_.constraints;
    free.constraints.classes = all.classes;
    free.constraints.examples = all.examples;
    for (std::size_t c = 0; c < lambda.size(); ++c) {
      if (!(lambda[c] > 0)) continue;
      free.place.push_back(c);
      free.constraints.example.push_back(all.example[c]);
      free.constraints.up.push_back(all.up[c]);
      free.constraints.down.push_back(all.down[c]);
      free.constraints.offset.push_back(all.offset[c]);
      free.constraints.weight.push_back(all.weight[c]);
    }
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

  bool descend(ClassPrimal& point, const std::vector<double>& goal) {
    std::vector<double> part(goal.size());
    for (double length = 1; length > 1e-5; length *= 0.3) {
      for (std::size_t i = 0; i < part.size(); ++i) part[i] = length * goal[i];
      std::vector<double> v = point.v;
      problem_.partition.advance(v, part);
      ClassPrimal next = best_.primal_at(std::move(v), point.bias);
      best_.consider(next);
      if (next.value < point.value) {
        point = std::move(next);
        return true;
      }
    }
    return false;
  }

  const P& problem_;
  Limits limits_;
  Stopping stopping_;
  ClassBest<P> best_;
  Report report_;
  Index passes_ = 0;
};

}  // namespace medlar
