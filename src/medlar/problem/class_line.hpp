// F between classes along a straight line of w and the biases, as primal_line.hpp has it for two.
#pragma once

#include <span>
#include <vector>

#include "medlar/linalg/systems/small_system.hpp"
#include "medlar/problem/class_bias.hpp"
#include "medlar/problem/class_problem.hpp"
#include "medlar/problem/group_curvature.hpp"
#include "medlar/problem/primal_line.hpp"

namespace medlar {

// A primal point with what its margins call for, one of each per constraint.
struct AnsweredClasses : ClassPrimal {
  std::vector<double> lambda, bend;
};
using ClassGoal = GoalOf<std::vector<double>>;

template <class Psi, class A>
void answer(const ClassProblem<Psi, A>& problem, AnsweredClasses& point) {
  pause_after(kNumbersOfALog * (problem.count() + point.v.size()));
  CompensatedSum value;
  value.add(class_conjugate(problem, point));
  if (problem.sigma2() > 0) {
    for (const double each : point.bias) value.add(0.5 * each * each / problem.sigma2());
  }
  point.lambda.resize(problem.count());
  point.bend.resize(problem.count());
  for (std::size_t c = 0; c < problem.count(); ++c) {
    const Response response = problem.respond(c, problem.margin(c, point.f, point.bias));
    value.add(response.loss);
    point.lambda[c] = response.multiplier;
    point.bend[c] = response.bend;
  }
  point.value = value.value();
}

template <class Psi, class A>
void go_along(const ClassProblem<Psi, A>& problem, const ClassPrimal& from, std::span<const double> dw,
              std::span<const double> df, double length, ClassPrimal& to) {
  for (std::size_t i = 0; i < dw.size(); ++i) to.w[i] = from.w[i] + length * dw[i];
  for (std::size_t t = 0; t < df.size(); ++t) to.f[t] = from.f[t] + length * df[t];
  problem.partition.from_mean(to.w, to.v);
}

template <class Psi, class A>
std::vector<double> line_scores(const ClassProblem<Psi, A>& problem, std::span<const double> dw) {
  return class_scores(problem, dw);
}
template <class Psi, class A>
std::vector<double> line_bias(const ClassProblem<Psi, A>& problem, const ClassPrimal& to, std::vector<double> hint) {
  return best_biases(problem, to.f, std::move(hint));
}

// dA*/dw = V, and A*'' is the inverse of A''.
template <class Psi, class A>
LineStepOf<std::vector<double>> step_along(const ClassProblem<Psi, A>& problem, const AnsweredClasses& at,
                                           std::span<const double> dw, std::span<const double> df) {
  const auto classes = static_cast<std::size_t>(problem.constraints.classes);
  const auto examples = static_cast<std::size_t>(problem.constraints.examples);
  const std::size_t size = classes + 1;  // the biases, then the length
  std::vector<double> m(size * size, 0.0), r(size, 0.0);
  const auto add = [&](std::size_t i, std::size_t j, double value) { m[i * size + j] += value; };
  for (std::size_t i = 0; i < dw.size(); ++i) r[classes] -= at.v[i] * dw[i];
  add(classes, classes, GroupCurvature(problem.partition, at.v).inverse_along(dw));
  if (problem.sigma2() > 0) {
    for (std::size_t k = 0; k < classes; ++k) {
      r[k] -= at.bias[k] / problem.sigma2();
      add(k, k, 1 / problem.sigma2());
    }
  }
  const bool biased = problem.bias.kind != BiasPrior::Kind::none;
  for (std::size_t c = 0; c < problem.count(); ++c) {
    if (!(at.lambda[c] > 0)) continue;
    const auto t = static_cast<std::size_t>(problem.constraints.example[c]);
    const auto up = static_cast<std::size_t>(problem.constraints.up[c]);
    const auto down = static_cast<std::size_t>(problem.constraints.down[c]);
    const double along = df[up * examples + t] - df[down * examples + t], bend = at.bend[c];
    r[classes] += at.lambda[c] * along;
    add(classes, classes, bend * along * along);
    if (!biased) continue;
    r[up] += at.lambda[c], r[down] -= at.lambda[c];
    add(up, up, bend), add(down, down, bend), add(up, down, -bend), add(down, up, -bend);
    add(classes, up, bend * along), add(up, classes, bend * along);
    add(classes, down, -bend * along), add(down, classes, -bend * along);
  }
  const std::vector<double> step = solve_semidefinite(m, r);
  return {-r[classes], step[classes], {step.begin(), step.end() - 1}};
}

}  // namespace medlar
