// Where a solve may begin: the certified pair of a neighbouring problem over the same examples and features, with
// another p0, c or prior variance. Both halves are off by the square of the difference only, and neither costs a pass
// over the data: the same w has the same scores, the same multipliers the same V.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "medlar/problem/best_pair.hpp"
#include "medlar/solvers/solution.hpp"

namespace medlar {

struct Neighbour {
  DualPoint dual;
  PrimalPoint primal;
  DualPoint before;          // one step before, from which the next is foretold; without multipliers when unknown
  double reach = 0;          // of the last change, how much to go on
  DualPoint earlier;         // two steps before, where the steps are even: the change has a change of its own
  bool straight = false;     // the multipliers last went on along a line, rather than by powers
  bool same_margins = true;  // else the multipliers are taken from the margins, for psi has another domain
  std::shared_ptr<const FloatRows> rows;      // what its sweeps read, if it made any
  std::shared_ptr<const ColumnPart> columns;  // and the columns that mattered to it
  std::shared_ptr<const ExampleGram> gram;    // or the products of the examples
  std::shared_ptr<CurvedGram> curved;         // and those by the curvature of each column, which the fit goes on with

  bool foretells() const { return !before.lambda.empty(); }
  bool has_earlier() const { return !earlier.lambda.empty(); }

  // lambda (lambda / before)^reach, for multipliers follow powers of p0 where few saturate, and the power changes as it
  // did last where that is known.
  double by_powers(std::size_t k) const {
    const double now = dual.lambda[k], last = before.lambda[k];
    if (now == 0 || last == 0) return now;
    double growth = reach * std::log(now / last);
    if (has_earlier() && earlier.lambda[k] > 0) {
      const double change = growth - std::log(last / earlier.lambda[k]);
      growth += std::clamp(change, -std::abs(growth), std::abs(growth));
    }
    return now * std::exp(growth);
  }
  // lambda + reach (lambda - before), with the change of that change: as a sum of the three, for V goes the same way.
  double by_line(std::size_t k) const {
    const std::array<double, 3> part = parts();
    return part[0] * dual.lambda[k] + part[1] * before.lambda[k] + (has_earlier() ? part[2] * earlier.lambda[k] : 0.0);
  }
  std::array<double, 3> parts() const {
    if (has_earlier()) return {3, -3, 1};
    return {1 + reach, -reach, 0};
  }

  // Which of the two would have foretold these multipliers better; they are those of the next step.
  bool is_straight(std::span<const double> lambda) const {
    double line = 0, powers = 0;
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      line += std::abs(by_line(k) - lambda[k]), powers += std::abs(by_powers(k) - lambda[k]);
    }
    return line < powers;
  }
};

// What a solve leaves to the next.
inline Neighbour neighbour_of(Solution&& solution) {
  Neighbour from;
  from.dual = std::move(solution.dual);
  from.primal = std::move(solution.primal);
  from.rows = std::move(solution.rows);
  from.columns = std::move(solution.columns);
  from.gram = std::move(solution.gram);
  from.curved = std::move(solution.curved);
  return from;
}

struct ForetoldMultipliers {
  std::vector<double> lambda;
  bool whole;  // all of them on the line
};

// What a neighbour foretells, by powers or on a line: each multiplier at most twice or half of what it was, and at most
// half-way to the end of its domain; what was 0 stays.
template <class P>
ForetoldMultipliers foretold_multipliers(const P& problem, const Neighbour& from, bool on_a_line) {
  ForetoldMultipliers ahead{std::vector<double>(from.dual.lambda.size()), on_a_line};
  for (std::size_t k = 0; k < ahead.lambda.size(); ++k) {
    const double now = from.dual.lambda[k], to = on_a_line ? from.by_line(k) : from.by_powers(k);
    const double most = std::min(2 * now, 0.5 * (now + problem.upper(k)));
    ahead.lambda[k] = std::clamp(to, 0.5 * now, most);
    if (ahead.lambda[k] != to) ahead.whole = false;
  }
  return ahead;
}

// The point there. On a line that no multiplier had to leave, V comes without a pass over the data, in sums of three.
// The primal half has the same V.
template <class P>
Certificate foretold(const P& problem, const Neighbour& from, bool on_a_line, const std::vector<double>& bias,
                     Summing summing) {
  ForetoldMultipliers multipliers = foretold_multipliers(problem, from, on_a_line);
  if (!multipliers.whole) return certificate(problem, std::move(multipliers.lambda), bias, summing);
  DualPoint ahead;
  ahead.lambda = std::move(multipliers.lambda);
  const std::array<double, 3> part = from.parts();
  ahead.v.resize(from.dual.v.size());
  for (std::size_t i = 0; i < ahead.v.size(); ++i) {
    ahead.v[i] = part[0] * from.dual.v[i] + part[1] * from.before.v[i];
    if (from.has_earlier()) ahead.v[i] += part[2] * from.earlier.v[i];
  }
  ahead.rough = ahead.carried = true;
  ahead.beta = problem.constraints.beta(ahead.lambda);
  ahead.objective = dual_value(problem, ahead);
  PrimalPoint primal = primal_point(problem, ahead.v, bias);
  return {std::move(ahead), std::move(primal)};
}

// The pair as one of `problem`.
template <class P>
void consider_neighbour(const P& problem, const Neighbour& from, BestPair<P>& best) {
  PrimalPoint primal = from.primal;
  problem.partition.from_mean(from.primal.w, primal.v);
  if (problem.biased()) primal.bias = best_bias(problem, primal.f, primal.bias);
  primal.value = primal_value(problem, primal, primal.bias);
  DualPoint dual;
  if (from.same_margins) {
    dual = from.dual;
    dual.objective = dual_value(problem, dual);
  }
  if (std::isfinite(dual.objective)) {
    best.consider(std::move(dual));
  } else {
    std::vector<double> lambda(problem.count());
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      lambda[k] = problem.multiplier(k, problem.margin(k, primal.f, primal.bias));
    }
    best.consider(dual_point(problem, std::move(lambda)));
  }
  best.consider(primal);
}

}  // namespace medlar
