// Where a solve begins: multipliers inside their domain, balanced between the sides, with the best common scale.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "medlar/problem/certificate.hpp"

namespace medlar {

// J at scale times these multipliers, which balance, and V there.
template <class P>
double value_along(const P& problem, std::span<const double> unit, double scale, std::span<const double> v) {
  return by_margin(problem, [&](const auto& own) {
    double value = -own.partition.value(v);
    for (std::size_t k = 0; k < unit.size(); ++k) {
      value += own.value(k, scale * unit[k]) + own.constraints.offset[k] * scale * unit[k];
    }
    return value;
  });
}

// Well inside: a tenth of the domain, or, where that has no end, what an error as large as the targets calls for.
template <class P>
double start_of_sides(const P& problem) {
  if (const double end = problem.psi.domain().upper; std::isfinite(end)) return 0.1 * std::min(end, 1e8);
  double largest = 0;
  for (const double offset : problem.constraints.offset) largest = std::max(largest, std::abs(offset));
  const double called = problem.psi.multiplier(problem.psi.slope(0) - largest);
  return called > 0 ? called : 1.0;
}

// lambda_k = scale * omega_k, with the heavier side lowered so that sum_t beta_t = 0; scale maximises J on a grid.
// Regression starts from beta = 0 with both sides of every example well inside.
template <class P>
std::vector<double> starting_multipliers(const P& problem) {
  std::vector<double> unit(problem.count());
  for (std::size_t k = 0; k < unit.size(); ++k) unit[k] = problem.omega(k);
  const bool two_sided = problem.constraints.count() > problem.constraints.examples();
  if (two_sided) {
    const double scale = start_of_sides(problem);
    for (double& lambda : unit) lambda *= scale;
    return unit;
  }
  balance(problem, unit);
  // More examples than features: the middle of the domain, where V = 0 is within easy reach of so many multipliers.
  const double end_of_domain = problem.psi.domain().upper;
  if (std::isfinite(end_of_domain) && problem.constraints.examples() > problem.partition.dimension()) {
    for (double& lambda : unit) lambda *= 0.5 * end_of_domain;
    return unit;
  }
  const std::vector<double> v1 = statistics(*problem.constraints.x, problem.constraints.beta(unit));
  const double end = std::min(end_of_domain, 1e8);
  double best_scale = 1e-3 * std::min(end, 1.0), best = -HUGE_VAL;
  std::vector<double> v(v1.size());
  for (double scale = 0.5 * end; scale > 1e-12 * end; scale *= 0.5) {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = scale * v1[i];
    const double objective = value_along(problem, unit, scale, v);
    if (objective > best) best = objective, best_scale = scale;
  }
  for (double& lambda : unit) lambda *= best_scale;
  return unit;
}

// Multipliers from which a solver that moves few at a time may begin: 0, or the middle of a domain whose ends no
// multiplier reaches, balanced.
template <class P>
std::vector<double> multipliers_to_move(const P& problem) {
  std::vector<double> lambda(problem.count(), 0.0);
  if (problem.reaches_zero()) return lambda;
  for (std::size_t k = 0; k < lambda.size(); ++k) lambda[k] = 0.5 * problem.upper(k);
  balance(problem, lambda);
  return lambda;
}

// For sweeps: lambda_k = scale * omega_k, balanced, with the scale in powers of 4 from which J first falls. One pass.
template <class P>
DualPoint best_constant_multipliers(const P& problem) {
  std::vector<double> unit(problem.count());
  for (std::size_t k = 0; k < unit.size(); ++k) unit[k] = problem.omega(k);
  balance(problem, unit);
  const std::vector<double> v1 = statistics(*problem.constraints.x, problem.constraints.beta(unit), Summing::plain);
  std::vector<double> v(v1.size());
  const auto objective = [&](double scale) {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = scale * v1[i];
    return value_along(problem, unit, scale, v);
  };
  double scale = 0.5 * std::min(problem.psi.domain().upper, 1e8), best = -HUGE_VAL;
  for (double value = objective(scale); value > best && scale > 1e-12; value = objective(scale)) {
    best = value;
    scale /= 4;
  }
  DualPoint point;
  for (double& lambda : unit) lambda *= 4 * scale;
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = 4 * scale * v1[i];
  point.lambda = std::move(unit);
  point.beta = problem.constraints.beta(point.lambda);
  point.v = std::move(v);
  point.rough = true;
  point.objective = dual_value(problem, point);
  return point;
}

}  // namespace medlar
