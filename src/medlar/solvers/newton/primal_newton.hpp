// Newton over features for many more examples than features (docs/theory.md#newton-steps): starts from a fit to every
// 16th example, each counting 16 times, whose w is already near that of all; or, with switches and a large c, from the
// fit with all of them on.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "medlar/problem/best_pair.hpp"
#include "medlar/problem/stopping.hpp"
#include "medlar/solvers/neighbour.hpp"
#include "medlar/solvers/newton/newton_over_features.hpp"
#include "medlar/solvers/solution.hpp"
#include "medlar/solvers/sweeps/dual_ascent.hpp"

namespace medlar {

// Every `stride`-th example of a problem, with the weight of those left out.
struct Subsample {
  Subsample(const Constraints& all, Index stride) {
    const Matrix& from = *all.x;
    std::vector<Index> starts{0};
    std::vector<Column> columns;
    std::vector<double> values;
    std::vector<Index> place(static_cast<std::size_t>(from.rows()), -1);
    Index count = 0;
    for (Index t = 0; t < from.rows(); t += stride) {
      place[static_cast<std::size_t>(t)] = count++;
      for_each(from.row(t), [&](Index i, double value) {
        if (from.is_sparse()) columns.push_back(static_cast<Column>(i));
        values.push_back(value);
      });
      starts.push_back(static_cast<Index>(values.size()));
    }
    x = from.is_sparse()
            ? Matrix::sparse(count, from.columns(), std::move(starts), std::move(columns), std::move(values))
            : Matrix::dense(count, from.columns(), std::move(values));
    constraints.x = &x;
    for (std::size_t k = 0; k < all.example.size(); ++k) {
      const Index t = place[static_cast<std::size_t>(all.example[k])];
      if (t < 0) continue;
      constraints.example.push_back(t);
      constraints.sign.push_back(all.sign[k]);
      constraints.offset.push_back(all.offset[k]);
      constraints.weight.push_back(static_cast<double>(stride) * all.weight[k]);
      (all.sign[k] > 0 ? positive : negative) = true;
    }
  }

  Matrix x;
  Constraints constraints;
  bool positive = false, negative = false;  // which signs occur
};

template <class P>
class PrimalNewton {
 public:
  PrimalNewton(const P& problem, const Limits& limits, Observer* observer, const Neighbour* from = nullptr)
      : problem_(problem),
        from_(from),
        stopping_(limits, observer),
        limits_(limits),
        best_(problem, limits.tolerance) {}

  // Not converged: another solver must take over.
  Solution solve() {
    report_.tolerance = limits_.tolerance;
    if (from_ != nullptr) {
      consider_neighbour(problem_, *from_, best_);
    } else if (!begin_from_subsample()) {
      best_.consider(dual_point(problem_, std::vector<double>(problem_.count(), 0.0)));
      best_.consider(primal_point(problem_, best_.dual().v, 0.0));
      if (best_.relative_gap() > limits_.tolerance) begin_from_easier();
    }
    record();
    NewtonOverFeatures<P> newton(problem_, best_, stopping_, limits_.tolerance, [this](Index passes_of_newton, bool) {
      ++report_.iterations;
      record();
      return passes_ + best_.points() + passes_of_newton < limits_.max_passes;
    });
    if (best_.relative_gap() > limits_.tolerance) stopping_.graced([&] { newton.descend(kMostSteps); });
    passes_ += newton.passes();
    if (!stopping_.reached(best_.relative_gap(), passes_ + best_.points(), report_)) {
      stopping_.give_up(best_.relative_gap(), report_);
    }
    return finish();
  }

 private:
  struct StopOnly : Observer {
    explicit StopOnly(Stopping& owner) : stopping(owner) {}
    bool stop_requested() override { return stopping.asked(); }
    Stopping& stopping;
  };

  bool begin_from_subsample() {
    if (problem_.constraints.examples() < kStride * std::max(kFewest, 2 * problem_.partition.dimension())) return false;
    const Subsample part(problem_.constraints, kStride);
    if (!(part.positive && part.negative)) return false;
    const P smaller{problem_.psi, problem_.partition, part.constraints, problem_.bias};
    StopOnly observer(stopping_);
    const Solution begun = PrimalNewton(smaller, limits_of_begin(kSubsampled), &observer).solve();
    passes_ += begun.report.passes / kStride + 1;
    if (begun.report.trace.empty()) return false;
    best_.consider(dual_point(problem_, std::vector<double>(problem_.count(), 0.0)));
    AnsweredPoint point{begun.primal, {}, {}};
    point.f = scores(*problem_.constraints.x, point.w);
    answer(problem_, point);
    best_.consider(point);
    if (sweeps_help() && begun.primal.value < kApart * begun.report.trace.front().primal) begin_by_sweeps();
    return true;
  }

  bool sweeps_help() const { return kLinear && problem_.constraints.x->is_sparse(); }

  void begin_from_easier() {
    if constexpr (kLinear) {
      if (sweeps_help()) begin_by_sweeps();
    } else {
      const double end = problem_.psi.domain().upper;
      if (std::isfinite(end) && end > kKinked) begin_from_relaxed();
    }
  }

  // Every switch on: the losses find their place first, where they are all but kinked.
  void begin_from_relaxed() {
    const auto partition = problem_.partition.relaxed();
    const Problem relaxed{problem_.psi, partition, problem_.constraints, problem_.bias};
    using Relaxed = std::remove_const_t<decltype(relaxed)>;
    StopOnly observer(stopping_);
    const Solution begun = PrimalNewton<Relaxed>(relaxed, limits_of_begin(kRelaxed), &observer).solve();
    passes_ += begun.report.passes;
    AnsweredPoint point{begun.primal, {}, {}};
    problem_.partition.from_mean(point.w, point.v);
    answer(problem_, point);
    best_.consider(point);
  }

  // Where the classes are nearly apart, few examples count, and others than in a part. Sparse rows are swept in less
  // time than a step takes: a few epochs find them.
  void begin_by_sweeps() {
    if constexpr (kLinear) {
      StopOnly observer(stopping_);
      Limits limits = limits_of_begin(kSwept);
      limits.max_passes = kMostSwept;
      const Solution begun = DualAscent<P>(problem_, limits, &observer).solve();
      passes_ += begun.report.passes;
      best_.consider(begun.dual);
      best_.consider(begun.primal);
    }
  }

  Limits limits_of_begin(double tolerance) const {
    Limits limits = limits_;
    limits.tolerance = std::max(tolerance, limits_.tolerance);
    limits.max_seconds = HUGE_VAL;  // the observer keeps the time
    return limits;
  }

  void record() {
    TracePoint point;
    point.iteration = report_.iterations;
    point.passes = passes_ + best_.points();
    point.objective = best_.dual().objective;
    point.primal = best_.primal().value;
    point.relative_gap = best_.relative_gap();
    point.stage = "newton";
    stopping_.record(point, report_);
  }

  Solution finish() {
    // A neighbour's pair that will do has been settled.
    if (report_.iterations > 0 || from_ == nullptr) stopping_.graced([this] { best_.settle(); });
    if (best_.relative_gap() <= limits_.tolerance) {  // also to tell the gap as it is now
      stopping_.reached(best_.relative_gap(), passes_ + best_.points(), report_);
    }
    report_.solver = "Newton over features";
    report_.objective = best_.dual().objective;
    report_.primal = best_.primal().value;
    report_.gap = best_.gap();
    report_.relative_gap = best_.relative_gap();
    report_.passes = passes_ + best_.points();
    report_.seconds = stopping_.seconds();
    return {best_.dual(), best_.primal(), std::move(report_)};
  }

  static constexpr bool kLinear = std::remove_cvref_t<decltype(std::declval<P>().partition)>::kLinearMean;
  static constexpr double kSubsampled = 1e-3;  // relative gap of the fit to a part
  static constexpr double kApart = 0.02;  // of F at w = 0: at most so much is left where the classes are nearly apart
  static constexpr double kSwept = 0.02;
  static constexpr double kRelaxed = 0.1;  // relative gap of the fit with every switch on
  static constexpr double kKinked = 20;    // c from which it is worth its steps
  static constexpr Index kMostSwept = 30;
  static constexpr Index kStride = 16;
  static constexpr Index kFewest = 250;  // examples that are worth a fit of their own
  static constexpr Index kMostSteps = 100;

  const P& problem_;
  const Neighbour* from_;
  Stopping stopping_;
  Limits limits_;
  BestPair<P> best_;
  Report report_;
  Index passes_ = 0;
};

}  // namespace medlar
