// Multipliers that meet the constraints that J puts on them: with a flat bias each output must receive nothing in sum
// (docs/theory.md#the-problem).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/systems/small_system.hpp"
#include "medlar/numerics/sum.hpp"
#include "medlar/problem/problem.hpp"

namespace medlar {

// How far a multiplier may move, about: psi bends ever more towards an open end.
template <class P>
double room_inside(const P& problem, std::size_t k, double lambda) {
  return lambda * (1 - lambda / problem.upper(k));
}

// One output: the multipliers of the heavier side shrink, each by its room, or, if they hold too little, those of the
// lighter side grow. Only when neither will do is the whole heavier side scaled down, which takes it off a closed end.
template <class P>
void balance_sides(const P& problem, std::vector<double>& lambda) {
  CompensatedSum all[2], room[2];  // of the sides with sign -1 and +1
  const auto side = [&](std::size_t k) { return problem.sign(k) > 0 ? 1 : 0; };
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    all[side(k)].add(lambda[k]);
    room[side(k)].add(room_inside(problem, k, lambda[k]));
  }
  const double excess = std::abs(all[1].value() - all[0].value());
  if (excess == 0) return;
  const int heavy = all[1].value() > all[0].value() ? 1 : 0, light = 1 - heavy;
  const bool can_shrink = excess < 0.5 * room[heavy].value(), can_grow = excess < 0.5 * room[light].value();
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    if (can_shrink || can_grow) {
      const double share = excess / room[can_shrink ? heavy : light].value();
      if (side(k) == (can_shrink ? heavy : light)) {
        lambda[k] += (can_shrink ? -share : share) * room_inside(problem, k, lambda[k]);
      }
    } else if (side(k) == heavy) {
      lambda[k] *= all[light].value() / all[heavy].value();
    }
  }
}

// Several outputs: each multiplier moves by its room times the difference of two numbers of its classes, which solve
// for the totals; the least change of that kind. Again while single moves must be shortened.
template <class P>
void balance_outputs(const P& problem, std::vector<double>& lambda) {
  constexpr int most_rounds = 30;
  constexpr double enough = 1e-14;  // of all multipliers
  const auto& constraints = problem.constraints;
  const std::size_t classes = problem.outputs();
  for (int round = 0; round < most_rounds; ++round) {
    pause_after(kNumbersOfALog * lambda.size());
    std::vector<double> totals = totals_of(problem, lambda), matrix(classes * classes, 0.0);
    double size = 0, residue = 0;
    for (const double each : lambda) size += each;
    for (const double total : totals) residue = std::max(residue, std::abs(total));
    if (residue <= enough * size) return;
    for (std::size_t c = 0; c < lambda.size(); ++c) {
      const auto up = static_cast<std::size_t>(constraints.up[c]), down = static_cast<std::size_t>(constraints.down[c]);
      const double room = room_inside(problem, c, lambda[c]);
      matrix[up * classes + up] += room;
      matrix[down * classes + down] += room;
      matrix[up * classes + down] -= room;
      matrix[down * classes + up] -= room;
    }
    for (double& total : totals) total = -total;
    const std::vector<double> shift = solve_semidefinite(matrix, totals);
    const auto [least, most] = std::minmax_element(shift.begin(), shift.end());
    const double span = *most - *least, part = span > 0.5 ? 0.5 / span : 1.0;
    for (std::size_t c = 0; c < lambda.size(); ++c) {
      lambda[c] += part * room_inside(problem, c, lambda[c]) * constraints.between(c, shift);
    }
  }
}

template <class P>
void balance(const P& problem, std::vector<double>& lambda) {
  if (!problem.flat()) return;
  if constexpr (P::kOne) {
    balance_sides(problem, lambda);
  } else {
    balance_outputs(problem, lambda);
  }
}

// lambda of one output from the signed multipliers of its examples.
template <class P>
std::vector<double> multipliers_of(const P& problem, std::span<const double> beta) requires(P::kOne) {
  std::vector<double> lambda(problem.count());
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    lambda[k] = std::max(0.0, problem.sign(k) * beta[problem.example(k)]);
  }
  return lambda;
}

// Whether what each output receives is rounding, `share` of all multipliers.
template <class P>
bool is_balanced(const P& problem, std::span<const double> lambda, double share) {
  if (!problem.flat()) return true;
  double size = 0, residue = 0;
  for (const double each : lambda) size += each;
  for (const double total : totals_of(problem, lambda)) residue = std::max(residue, std::abs(total));
  return residue <= share * size;
}

// Of the two sides of a regression example only their difference counts, and psi' < 0 makes the smaller one a loss.
template <class P>
void cancel_sides(const P& problem, std::vector<double>& lambda) {
  if constexpr (P::kOne) {
    if (!problem.constraints.two_sided()) return;
    lambda = multipliers_of(problem, problem.constraints.beta(lambda));
  }
}

}  // namespace medlar
