// The best lambda and the best (w, b) that a solve between classes has certified, as BestPair has them for two.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "medlar/numerics/duality_gap.hpp"
#include "medlar/problem/class_bias.hpp"
#include "medlar/problem/class_problem.hpp"
#include "medlar/problem/stopping.hpp"

namespace medlar {

struct ClassSolution {
  ClassDual dual;
  ClassPrimal primal;
  Report report;
};

template <class P>
class ClassBest {
 public:
  explicit ClassBest(const P& problem) : problem_(problem) {}

  void consider(ClassDual point) {
    if (point.objective > dual_.objective || dual_.lambda.empty()) dual_ = std::move(point);
  }
  void consider(const ClassPrimal& point) {
    if (point.value < primal_.value) primal_ = point;
  }

  // The same point, measured anew.
  void replace(const ClassPrimal& point) { primal_ = point; }

  // w = A'(V), with the best biases for it, searched from `hint`. One pass over the data for each class.
  ClassPrimal primal_at(std::vector<double> v, std::vector<double> hint) {
    ++points_;
    ClassPrimal point;
    point.v = std::move(v);
    point.w.resize(point.v.size());
    problem_.partition.mean(point.v, point.w);
    point.f = class_scores(problem_, point.w);
    point.bias = best_biases(problem_, point.f, std::move(hint));
    point.value = class_conjugate(problem_, point) + class_losses(problem_, point.f, point.bias);
    return point;
  }

  double gap() const { return duality_gap(primal_.value, dual_.objective); }
  double relative_gap() const { return gap() / std::max(primal_.value, 1e-10); }
  const ClassDual& dual() const { return dual_; }
  const ClassPrimal& primal() const { return primal_; }
  Index points() const { return points_; }  // that primal_at was asked for

  // Idle multipliers become exactly 0, and a bias that the losses leave open goes to where it is wanted; never at the
  // cost of the certificate.
  void settle(std::span<const double> wanted, double tolerance) {
    const double allowed = std::max(gap(), tolerance * std::max(primal_.value, 1e-10));
    settle_multipliers(allowed);
    if (!problem_.flat()) return;
    const double losses = class_losses(problem_, primal_.f, primal_.bias);
    // The bias may move where the losses are equal to their last digits.
    const std::vector<double> moved =
        nearest_biases(problem_, primal_.f, primal_.bias, wanted, losses + 1e-3 * tolerance * primal_.value);
    const double value = class_conjugate(problem_, primal_) + class_losses(problem_, primal_.f, moved);
    if (value - dual_.objective > allowed) return;
    primal_.bias = moved;
    primal_.value = value;
  }

  void record(const char* stage, Index passes, Stopping& stopping, Report& report) const {
    TracePoint point;
    point.iteration = report.iterations;
    point.passes = passes;
    point.objective = dual_.objective;
    point.primal = primal_.value;
    point.relative_gap = relative_gap();
    point.stage = stage;
    stopping.record(point, report);
  }

  ClassSolution finish(Index passes, const Stopping& stopping, Report report) {
    report.objective = dual_.objective;
    report.primal = primal_.value;
    report.gap = gap();
    report.relative_gap = relative_gap();
    report.passes = passes;
    report.seconds = stopping.seconds();
    return {std::move(dual_), std::move(primal_), std::move(report)};
  }

 private:
  // All idle ones if their certificate allows, else as many of the smallest as it does.
  void settle_multipliers(double allowed) {
    std::vector<double> lambda = dual_.lambda;
    std::vector<std::size_t> idle;
    for (std::size_t c = 0; c < lambda.size(); ++c) {
      const double margin = problem_.margin(c, primal_.f, primal_.bias);
      if (problem_.multiplier(c, margin) == 0 && lambda[c] > 0) idle.push_back(c);
      if (problem_.psi.domain().closed && margin < problem_.slope(c, 0) && lambda[c] > (1 - 1e-6) * problem_.upper(c))
        lambda[c] = problem_.upper(c);
    }
    const auto share = [&](std::size_t c) { return dual_.lambda[c] / problem_.omega(c); };
    std::stable_sort(idle.begin(), idle.end(), [&](std::size_t a, std::size_t b) { return share(a) < share(b); });
    constexpr int most_tries = 8;
    ClassDual settled = dual_;
    std::size_t low = 0, high = idle.size() + 1;  // so many may go, so many may not
    for (int tries = 0; tries == 0 || (tries < most_tries && low + 1 < high); ++tries) {
      const std::size_t gone = tries == 0 ? idle.size() : (low + high) / 2;
      std::vector<double> fewer = lambda;
      for (std::size_t i = 0; i < gone; ++i) fewer[idle[i]] = 0;
      ClassDual point = class_dual(problem_, std::move(fewer));
      if (primal_.value - point.objective <= allowed) {
        settled = std::move(point);
        low = gone;
      } else {
        high = std::max<std::size_t>(gone, 1);
      }
    }
    dual_ = std::move(settled);
  }

  const P& problem_;
  ClassDual dual_;
  ClassPrimal primal_;
  Index points_ = 0;
};

}  // namespace medlar
