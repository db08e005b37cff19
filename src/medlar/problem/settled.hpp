// Multipliers as they should read at the end of a solve, of one output.
#pragma once

#include <utility>
#include <vector>

#include "medlar/linalg/give_up.hpp"
#include "medlar/problem/certificate.hpp"

namespace medlar {

// lambda with its idle entries at exactly 0 (and, at a closed end, the full ones at the end): those that one exact
// step along their own axis would carry there. Interior points never touch the ends by themselves.
template <class P>
std::vector<double> settled(const P& problem, std::vector<double> lambda, const PrimalPoint& at) {
  cancel_sides(problem, lambda);
  if (!problem.reaches_zero()) return lambda;
  std::vector<double> d(at.v.size()), kappa(static_cast<std::size_t>(problem.partition.group_count()));
  problem.partition.curvature(at.v, d, kappa);
  const bool closed = problem.psi.domain().closed;
  const std::vector<double> slopes = slopes_of(problem, lambda);
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    const double slope = slopes[k] - problem.margin(k, at.f, at.bias);
    if (!(slope < 0 ? lambda[k] > 0 : slope > 0 && closed && lambda[k] < problem.upper(k))) continue;
    double curvature = problem.bias_variance() - problem.curvature(k, lambda[k]);
    if (slope < 0 && lambda[k] * curvature > -slope) continue;  // the row can only shorten the step
    const RowView row = problem.constraints.x->row(problem.constraints.example[k]);
    curvature += dot_squares(row, d);
    pause_after(row.values.size());
    const double goal = lambda[k] + slope / curvature;
    if (slope < 0 && !(goal > 0)) lambda[k] = 0;
    if (slope > 0 && !(goal < problem.upper(k))) lambda[k] = problem.upper(k);
  }
  return lambda;
}

}  // namespace medlar
