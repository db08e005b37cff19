// The best lambda and the best (w, b) that a solve between classes has certified, as BestPair has them for two.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "medlar/solvers/class_bias.hpp"
#include "medlar/solvers/class_problem.hpp"
#include "medlar/solvers/stopping.hpp"

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

  double gap() const { return std::max(0.0, primal_.value - dual_.objective); }
  double relative_gap() const { return gap() / std::max(primal_.value, 1e-10); }
  const ClassDual& dual() const { return dual_; }
  const ClassPrimal& primal() const { return primal_; }
  Index points() const { return points_; }  // that primal_at was asked for

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
  const P& problem_;
  ClassDual dual_;
  ClassPrimal primal_;
  Index points_ = 0;
};

}  // namespace medlar
