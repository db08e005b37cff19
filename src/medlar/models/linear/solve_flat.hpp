// A linear model with flat columns: the user's prior as a type, and rounds over it (solvers/flat_rounds.hpp).
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "medlar/prepare/priors.hpp"
#include "medlar/solvers/flat_rounds.hpp"

namespace medlar {

// Rows as solvers see them. `at` makes and returns those with `scale` q_j in the places of the flat columns; the rows
// before are then gone. Fits begin with `scale`.
struct FlatRows {
  const Matrix& x;
  const FlatColumns& flat;
  double scale;
  std::function<const Matrix&(double scale)> at;
};

// The constraints are over rows.x. `round` is called with rows, Q t, settings, an observer and a
// neighbour or none.
template <class C, class Round>
FlatSolution solve_flat_over(const C& constraints, const ParameterPrior& prior, const FlatRows& rows,
                             std::vector<double> t, const Settings& settings, Observer* observer, const Neighbour* from,
                             Round round) {
  return std::visit(
      [&](const auto& partition) {
        const Problem problem{margin_at(settings, settings.margin_location.value_or(1)), partition, constraints,
                              bias_prior(settings)};
        return FlatRounds(problem, rows.flat, limits_of(settings), observer)
            .solve(std::move(t), from, rows.scale,
                   [&](std::span<const double> known, double scale, const Limits& limits, Observer* watching,
                       const Neighbour* near) {
                     Settings inner = settings;
                     inner.tolerance = limits.tolerance;
                     inner.max_passes = limits.max_passes;
                     inner.max_seconds = limits.max_seconds;
                     return round(rows.at(scale), known, inner, watching, near);
                   });
      },
      prior);
}

// F at no scores but the best bias.
template <class C>
double loss_of_bias_over(const C& constraints, const Settings& settings, std::size_t examples) {
  const GaussianPartition none(1, 1);
  const Problem problem{margin_at(settings, settings.margin_location.value_or(1)), none, constraints,
                        bias_prior(settings)};
  const std::vector<double> f(problem.outputs() * examples, 0.0);
  return primal_bound(problem, 0, f, best_bias(problem, f, no_bias(problem)));
}

}  // namespace medlar
