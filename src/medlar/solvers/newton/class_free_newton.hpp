// Newton's method on the free multipliers of a generative model (docs/theory.md#generative, #newton-steps), from where
// sweeps have left them.
//
// Most multipliers idle at 0, and most of the others stand so near their end that they hardly move. Those that are left
// have a system small enough for a factor. A multiplier's own bend is taken as the one that would lead it, alone, to
// the maximum along its axis: psi is far from a parabola where margins are hundreds of nats wide. A step ends each
// multiplier at its own end, and is halved until J rises.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "medlar/numerics/backtrack.hpp"
#include "medlar/problem/best_pair.hpp"
#include "medlar/problem/run.hpp"
#include "medlar/solvers/newton/class_system.hpp"
#include "medlar/solvers/newton/newton_steps.hpp"
#include "medlar/solvers/solution.hpp"
#include "medlar/thresholds/direct_factor.hpp"

namespace medlar {

template <class P>
class ClassFreeNewton {
 public:
  // From the pair `from` of a solver before it. psi must bend at 0.
  ClassFreeNewton(const P& problem, const Limits& limits, Observer* observer, const Solution& from)
      : problem_(problem), limits_(limits), run_(limits, observer), best_(problem, limits.tolerance) {
    best_.adopt(from.dual);
    best_.adopt(from.primal);
  }

  Solution solve() {
    run_.report.solver = "Newton over the free multipliers";
    record();
    Patience patience;
    NewtonSteps steps(run_, limits_.tolerance, [&](Index, bool) {
      ++run_.report.iterations;
      record();
      return passes() < limits_.max_passes && !patience.lost(best_.relative_gap());
    });
    steps.repeat(best_, limits_.max_passes, [this] { return step(); });
    if (!run_.reached(best_.bounds(), passes())) run_.give_up(best_.bounds());
    return {best_.dual(), best_.primal(), run_.finish(best_.bounds(), passes())};
  }

 private:
  Index passes() const { return passes_ + best_.points(); }
  void record() { run_.record(best_.bounds(), passes(), "free newton"); }

  // One step from the best multipliers; false if J could not rise.
  bool step() {
    const std::vector<double> lambda = best_.dual().lambda;
    const auto curvature = problem_.partition.curvature(best_.dual().v);
    const PrimalPoint here = best_.primal_at(best_.dual().v, best_.primal().bias);
    best_.adopt(here);
    const std::vector<Axis> axes = free_axes(lambda, here.f, bias_at(lambda, here), curvature);
    if (axes.empty()) return false;
    std::vector<std::size_t> places;
    std::vector<double> h, r, d(axes.size());
    for (const Axis& axis : axes) {
      places.push_back(axis.place);
      h.push_back(axis.bend);
      r.push_back(axis.slope);
    }
    const ClassConstraints free = problem_.constraints.only(places);
    ClassSystem system(free, problem_.flat(), problem_.bias_variance(), problem_.partition.classes_apart(),
                       kMostWorkOfFreeFactor);
    std::vector<double> b(system.balanced()), missing(b.size());
    const std::vector<double> totals = totals_of(problem_, lambda);
    for (std::size_t k = 0; k < missing.size(); ++k) missing[k] = -totals[k];
    system.set_accuracy(std::clamp(0.1 * std::sqrt(best_.relative_gap()), 1e-6, 1e-2));
    system.assemble(
        std::move(h), [&](std::span<const double> from, std::span<double> to) { curvature.product(from, to); },
        system.direct() ? std::vector<double>() : class_variances(*problem_.constraints.rows, free, curvature),
        cross_of(problem_.partition, curvature));
    const bool solved = system.solve(r, missing, d, b);
    passes_ += system.passes();
    return solved && climb(lambda, axes, d);
  }

  // What one constraint would do on its own.
  struct Axis {
    std::size_t place;
    double slope, bend;
  };

  // With a prior the bias follows the multipliers; a flat one is that of the losses.
  std::vector<double> bias_at(std::span<const double> lambda, const PrimalPoint& here) const {
    if (problem_.flat()) return here.bias;
    std::vector<double> bias = totals_of(problem_, lambda);
    for (double& each : bias) each *= problem_.bias_variance();
    return bias;
  }

  template <class Curvature>
  std::vector<Axis> free_axes(std::span<const double> lambda, std::span<const double> f, std::span<const double> bias,
                              const Curvature& curvature) const {
    const std::vector<double> q = class_variances(*problem_.constraints.rows, problem_.constraints, curvature);
    if (q.empty()) return {};
    std::vector<Axis> axes;
    for (std::size_t c = 0; c < lambda.size(); ++c) {
      const double margin = problem_.margin(c, f, bias), slope = problem_.slope(c, lambda[c]) - margin;
      if (lambda[c] == 0 && slope <= 0) continue;
      const double own = std::max(q[c] + 2 * problem_.bias_variance(), 1e-12);
      const double alone = problem_.proximal(c, own * lambda[c] - margin, own, lambda[c]);
      const double secant = alone != lambda[c] ? slope / (alone - lambda[c]) - own : 0.0;
      axes.push_back({c, slope, std::max(secant, -problem_.curvature(c, lambda[c]))});
    }
    return axes;
  }

  // A part of the step, every multiplier stopped at its own end.
  std::vector<double> moved(const std::vector<double>& from, const std::vector<Axis>& axes, std::span<const double> d,
                            double length) const {
    std::vector<double> to = from;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const std::size_t c = axes[i].place;
      const double end = problem_.upper(c);
      to[c] = std::max(problem_.reaches_zero() ? 0.0 : (1 - kBoundary) * from[c], from[c] + length * d[i]);
      if (to[c] > end - (1 - kBoundary) * (end - from[c])) {
        to[c] = problem_.reaches_end() ? end : from[c] + kBoundary * (end - from[c]);
      }
    }
    return to;
  }

  // Halves the step until J rises by a part of what its slope promises.
  bool climb(const std::vector<double>& from, const std::vector<Axis>& axes, std::span<const double> d) {
    const double before = best_.dual().objective;
    DualPoint there;
    const double length = backtrack(1, 0.5, kShortest, [&](double part) {
      std::vector<double> to = moved(from, axes, d, part);
      double promised = 0;
      for (const Axis& axis : axes) promised += axis.slope * (to[axis.place] - from[axis.place]);
      there = dual_point(problem_, std::move(to));
      ++passes_;
      return there.objective > before + kOfThePromise * std::max(0.0, promised);
    });
    if (length == 0) return false;
    best_.adopt(std::move(there));
    best_.adopt(best_.primal_at(best_.dual().v, best_.primal().bias));
    return true;
  }

  static constexpr double kBoundary = 0.99, kShortest = 1e-7, kOfThePromise = 1e-4;

  const P& problem_;
  Limits limits_;
  Run run_;
  BestPair<P> best_;
  Index passes_ = 0;
};

}  // namespace medlar
