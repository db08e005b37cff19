// A solve by Newton over features, and where it begins (docs/theory.md#newton-steps): with one output and many more
// examples than features at a fit to every 16th example, each counting 16 times, whose w is already near that of all;
// or, with switches and losses that are all but kinked, at the fit with all of them on.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "medlar/problem/run.hpp"
#include "medlar/problem/settle.hpp"
#include "medlar/solvers/neighbour.hpp"
#include "medlar/solvers/newton/newton_over_features.hpp"
#include "medlar/solvers/solution.hpp"
#include "medlar/solvers/sweeps/dual_ascent.hpp"
#include "medlar/thresholds/giving_up.hpp"
#include "medlar/thresholds/kinked.hpp"
#include "medlar/thresholds/rough_fits.hpp"
#include "medlar/thresholds/tall.hpp"

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

// Where a solve of several outputs may begin.
struct Begun {
  std::vector<double> v, bias;
  DualPoint dual;
};

template <class P>
class PrimalNewton {
 public:
  PrimalNewton(const P& problem, const Limits& limits, Observer* observer, const Neighbour* from = nullptr)
      : problem_(problem), from_(from), run_(limits, observer), limits_(limits), best_(problem, limits.tolerance) {}

  // Not converged: another solver must take over.
  Solution solve() requires(P::kOne) {
    if (from_ != nullptr) {
      consider_neighbour(problem_, *from_, best_);
    } else if (!begin_from_subsample()) {
      best_.consider(dual_point(problem_, std::vector<double>(problem_.count(), 0.0)));
      best_.consider(primal_point(problem_, best_.dual().v, no_bias(problem_)));
      if (best_.relative_gap() > limits_.tolerance) begin_from_easier();
    }
    lower();
    // A neighbour's pair that will do has been settled.
    if (run_.report.iterations > 0 || from_ == nullptr) run_.graced([this] { settle(best_); });
    return finish("Newton over features");
  }

  // From V, biases and multipliers if they are given.
  Solution solve(Begun begun = {}) requires(!P::kOne) {
    best_.adopt(dual_point(problem_, std::vector<double>(problem_.count(), 0.0)));
    best_.adopt(primal_point(problem_, best_.dual().v, no_bias(problem_)));
    if (!begun.dual.lambda.empty()) best_.adopt(std::move(begun.dual));
    if (!begun.v.empty()) {
      run_.graced([&] { best_.adopt(best_.primal_at(std::move(begun.v), std::move(begun.bias))); });
    } else if (!ClassFeatureFactor::suits(problem_.constraints) &&
               std::ssize(problem_.constraints.example) > problem_.partition.dimension()) {
      begin_from_relaxed();  // no model of A* guides it
    }
    lower();
    return finish("Newton between classes over features");
  }

 private:
  bool begin_from_subsample() {
    if (!is_worth_a_sample(problem_.constraints.examples(), problem_.partition.dimension())) return false;
    const Subsample part(problem_.constraints, kExamplesPerSampled);
    if (!(part.positive && part.negative)) return false;
    const P smaller{problem_.psi, problem_.partition, part.constraints, problem_.bias};
    Run::Inner observer(run_);
    const Solution begun = PrimalNewton(smaller, run_.inner_limits(kGapOfSample), &observer).solve();
    passes_ += begun.report.passes / kExamplesPerSampled + 1;
    if (begun.report.trace.empty()) return false;
    best_.consider(dual_point(problem_, std::vector<double>(problem_.count(), 0.0)));
    AnsweredPoint point{begun.primal, {}, {}};
    point.f = scores(*problem_.constraints.x, point.w);
    answer(problem_, point);
    best_.consider(point);
    if (sweeps_help() && are_nearly_apart(begun.primal.value, begun.report.trace.front().primal)) begin_by_sweeps();
    return true;
  }

  bool sweeps_help() const { return kLinear && problem_.constraints.x->is_sparse(); }

  void begin_from_easier() {
    if constexpr (kLinear) {
      if (sweeps_help()) begin_by_sweeps();
    } else if constexpr (RelaxablePartition<std::remove_cvref_t<decltype(problem_.partition)>>) {
      if (starts_with_all_switches_on(problem_.sharpness())) begin_from_relaxed();
    }
  }

  // Every switch on: the losses find their place first, where they are all but kinked.
  void begin_from_relaxed() {
    if constexpr (!kLinear) {
      const auto partition = problem_.partition.relaxed();
      const Problem relaxed{problem_.psi, partition, problem_.constraints, problem_.bias};
      Run::Inner observer(run_);
      const Solution begun = medlar::PrimalNewton(relaxed, run_.inner_limits(kGapOfAllSwitchesOn), &observer).solve();
      passes_ += begun.report.passes;
      AnsweredPoint point{begun.primal, {}, {}};
      problem_.partition.from_mean(point.w, point.v);
      answer(problem_, point);
      best_.consider(point);
    }
  }

  // Where the classes are nearly apart, few examples count, and others than in a part. Sparse rows are swept in less
  // time than a step takes: a few epochs find them.
  void begin_by_sweeps() {
    if constexpr (kLinear) {
      Run::Inner observer(run_);
      Limits limits = run_.inner_limits(kGapOfSweepsBeforeNewton);
      limits.max_passes = kMostSweepsBeforeNewton;
      const Solution begun = DualAscent<P>(problem_, limits, &observer).solve();
      passes_ += begun.report.passes;
      best_.consider(begun.dual);
      best_.consider(begun.primal);
    }
  }

  // Newton's steps from the best pair.
  void lower() {
    Patience patience;
    record();
    NewtonOverFeatures<P> newton(problem_, best_, run_, limits_.tolerance, [&](Index passes_of_newton, bool) {
      ++run_.report.iterations;
      record();
      const bool lost = !P::kOne && patience.lost(best_.relative_gap());
      return !lost && passes() + passes_of_newton < limits_.max_passes;
    });
    if (best_.relative_gap() > limits_.tolerance)
      run_.graced([&] { newton.descend(P::kOne ? kMostStepsOverFeatures : limits_.max_passes); });
    passes_ += newton.passes();
    if (!run_.reached(best_.bounds(), passes())) run_.give_up(best_.bounds());
  }

  Index passes() const { return passes_ + best_.points(); }
  void record() { run_.record(best_.bounds(), passes(), "newton"); }

  Solution finish(const char* solver) {
    run_.report.solver = solver;
    return {best_.dual(), best_.primal(), run_.finish(best_.bounds(), passes())};
  }

  static constexpr bool kLinear = std::remove_cvref_t<decltype(std::declval<P>().partition)>::kLinearMean;

  const P& problem_;
  const Neighbour* from_;
  Run run_;
  Limits limits_;
  BestPair<P> best_;
  Index passes_ = 0;
};

}  // namespace medlar
