// A solve with flat coefficients (docs/theory.md#covariates), by rounds of a solver that knows none. In each the flat
// columns are ordinary ones behind a wide Gaussian prior, whose mean is where the round before has ended: t = centre +
// what the round finds. A fixed point of the rounds is the flat optimum, whatever the width.
//
// No bound of a round is one of the flat problem. So each round's multipliers are made to balance, which gives J, and
// its scores are taken without the cost of the flat coefficients, which gives F.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "medlar/problem/bounds.hpp"
#include "medlar/problem/flat_columns.hpp"
#include "medlar/problem/run.hpp"
#include "medlar/solvers/neighbour.hpp"
#include "medlar/solvers/solution.hpp"
#include "medlar/thresholds/kept.hpp"

namespace medlar {

// A pair of the flat problem. The flat columns have no w and no V in it; `t` has their coefficients, output by output.
struct FlatSolution {
  Solution solution;
  std::vector<double> t;
};

// The columns of `problem` in the places of the flat ones are of no account.
template <class P>
class FlatRounds {
 public:
  FlatRounds(const P& problem, const FlatColumns& flat, const Limits& limits, Observer* observer)
      : problem_(problem), flat_(flat), run_(limits, observer) {}

  // `round` is called with Q t, the scale of the flat columns, which begins at `scale`, limits, an observer and a
  // neighbour or none. It returns the Solution of a problem with columns `scale` q_j in the places of the flat ones. A
  // neighbour's pair has coefficients t, and none in these places.
  template <class Round>
  FlatSolution solve(std::vector<double> t, const Neighbour* from, double scale, Round round) {
    constexpr int kMostIdle = 3;
    constexpr double kShareOfRound = 0.5, kFiner = 0.05, kFinest = 1e-14;
    Run::Inner observer(run_);
    double tolerance = kShareOfRound * run_.tolerance(), widened = 1;
    Neighbour beside;
    Index passes = 0;
    int idle = 0, rounds = 0;
    best_.t = t;
    while (true) {
      const std::vector<double> known = flat_.scores(t);
      Limits limits = run_.inner_limits(0);
      limits.tolerance = tolerance;
      limits.max_passes = std::max<Index>(1, run_.limits().max_passes - passes);
      Solution found = round(known, widened * scale, limits, &observer, from);
      ++rounds;
      passes += found.report.passes + 1;
      const double before = relative_gap(), gap_of_round = found.report.relative_gap;
      const bool stuck = found.report.status == Status::stalled || found.report.status == Status::almost;
      run_.report.iterations += found.report.iterations;
      run_.report.solver = found.report.solver;
      run_.report.why = found.report.why;
      DualPoint dual = flat_dual_point(problem_, flat_, found.dual.lambda);
      PrimalPoint primal = flat_point(found.primal, known, widened * scale, t);
      beside = neighbour_of(std::move(found));
      beside.dual = dual;
      beside.primal = primal;
      adopt(std::move(dual), std::move(primal), t);
      run_.record(bounds(), passes, "kept columns");
      if (run_.reached(bounds(), passes)) break;
      // What is left is the solver's to close where its own gap is most of it, else that of a wider prior.
      const bool solver_lags = gap_of_round > kFiner * relative_gap();
      if (solver_lags && !stuck) tolerance = std::max(kFiner * tolerance, kFinest);
      const bool widens = !solver_lags && is_kept_prior_widened(relative_gap() / before, widened);
      if (widens) {
        widened *= kWidening;
        beside.rows = {}, beside.columns = {}, beside.gram = {}, beside.curved = {};  // of other columns
      }
      idle = widens || relative_gap() < 0.5 * before ? 0 : idle + 1;
      if (idle >= kMostIdle || !bounds().consistent()) {
        run_.give_up(bounds());
        break;
      }
      take_away(flat_.scores(t), beside.primal.f);
      from = &beside;
    }
    best_.solution.rows = std::move(beside.rows);
    best_.solution.columns = std::move(beside.columns);
    best_.solution.gram = std::move(beside.gram);
    best_.solution.curved = std::move(beside.curved);
    run_.report.solver += fmt::format(", {} round{} for kept columns", rounds, rounds == 1 ? "" : "s");
    best_.solution.report = run_.finish(bounds(), passes);
    return std::move(best_);
  }

 private:
  Bounds bounds() const { return {best_.solution.dual.objective, best_.solution.primal.value}; }
  double relative_gap() const { return bounds().relative_gap(); }

  // The flat problem's pair at what a round has found; moves t there.
  PrimalPoint flat_point(const PrimalPoint& found, const std::vector<double>& known, double scale,
                         std::vector<double>& t) const {
    PrimalPoint point = found;
    const std::size_t n = point.w.size() / problem_.outputs();
    for (std::size_t k = 0; k < problem_.outputs(); ++k) {
      for (std::size_t j = 0; j < flat_.count(); ++j) {
        t[k * flat_.count() + j] += scale * point.w[k * n + flat_.place[j]];
      }
    }
    for (std::size_t e = 0; e < known.size(); ++e) point.f[e] += known[e];
    clear_flat(flat_, problem_.outputs(), point.w);
    clear_flat(flat_, problem_.outputs(), point.v);
    set_bias_and_value(problem_, point, found.bias);
    return point;
  }

  static void take_away(const std::vector<double>& part, std::vector<double>& from) {
    for (std::size_t e = 0; e < part.size(); ++e) from[e] -= part[e];
  }

  void adopt(DualPoint dual, PrimalPoint primal, const std::vector<double>& t) {
    Solution& best = best_.solution;
    if (best.dual.lambda.empty() || dual.objective > best.dual.objective) best.dual = std::move(dual);
    if (best.primal.w.empty() || primal.value < best.primal.value) best.primal = std::move(primal), best_.t = t;
  }

  const P& problem_;
  const FlatColumns& flat_;
  Run run_;
  FlatSolution best_;
};

}  // namespace medlar
