// Where a solve may begin: the certified pair of a neighbouring problem over the same examples and features, with
// another p0, c or prior variance. Both halves are off by the square of the difference only, and neither costs a pass
// over the data: the same w has the same scores, the same multipliers the same V.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "medlar/solvers/best_pair.hpp"
#include "medlar/solvers/solution.hpp"

namespace medlar {

struct Neighbour {
  DualPoint dual;
  PrimalPoint primal;
  std::vector<double> before;   // multipliers one step before, from which the next are foretold; empty when unknown
  double reach = 0;             // of the last change, how much to go on
  std::vector<double> earlier;  // two steps before, where the steps are even: the change has a change of its own
  bool same_margins = true;     // else the multipliers are taken from the margins, for psi has another domain
  std::shared_ptr<const FloatRows> rows;      // what its sweeps read, if it made any
  std::shared_ptr<const ColumnPart> columns;  // and the columns that mattered to it
  std::shared_ptr<const ExampleGram> gram;    // or the products of the examples
  std::shared_ptr<CurvedGram> curved;         // and those by the curvature of each column, which the fit goes on with
};

// lambda (lambda / before)^reach, for multipliers follow powers of p0 where few saturate, and the power changes as it
// did last where that is known: at most half-way to an end of the domain; what was 0 stays.
template <class P>
std::vector<double> foretold(const P& problem, const Neighbour& from) {
  std::vector<double> lambda = from.dual.lambda;
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    if (lambda[k] == 0 || from.before[k] == 0) continue;
    double growth = from.reach * std::log(lambda[k] / from.before[k]);
    if (!from.earlier.empty() && from.earlier[k] > 0) {
      const double change = growth - std::log(from.before[k] / from.earlier[k]);
      growth += std::clamp(change, -std::abs(growth), std::abs(growth));
    }
    const double factor = std::clamp(std::exp(growth), 0.5, 2.0);
    lambda[k] = std::min(factor * lambda[k], 0.5 * (lambda[k] + problem.upper(k)));
  }
  return lambda;
}

// The pair as one of `problem`.
template <class P>
void consider_neighbour(const P& problem, const Neighbour& from, BestPair<P>& best) {
  PrimalPoint primal = from.primal;
  problem.partition.from_mean(from.primal.w, primal.v);
  if (problem.bias.kind != BiasPrior::Kind::none) primal.bias = best_bias(problem, primal.f, primal.bias);
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
