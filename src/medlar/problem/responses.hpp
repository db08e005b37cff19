// What the margins of all constraints call for, and psi of all multipliers, in blocks that stay near: F, its slope
// along the bias, Newton's steps and J are made of them (docs/theory.md#margins). Example weights enter here as they do
// in problem.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "medlar/core/concepts.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/numerics/sum.hpp"
#include "medlar/simd/sum_loops.hpp"

namespace medlar {

inline constexpr std::size_t kResponseBlock = 256;
using ResponseBlock = std::array<double, kResponseBlock>;

// The constraints from `first` on, at scores f and bias b: a number for one output, or one for each.
struct Responses {
  std::size_t first;
  std::span<double> loss, multiplier, bend;
};

template <bool with_loss = true, class P, class Bias, class Each>
void for_responses(const P& problem, std::span<const double> f, const Bias& b, Each each) {
  ResponseBlock margin, loss, multiplier, bend;
  pause_after(kNumbersOfALog * problem.count());
  for (std::size_t first = 0; first < problem.count(); first += kResponseBlock) {
    const std::size_t size = std::min(kResponseBlock, problem.count() - first);
    for (std::size_t j = 0; j < size; ++j) margin[j] = problem.margin(first + j, f, b);
    const Responses part{first, {loss.data(), with_loss ? size : 0}, {multiplier.data(), size}, {bend.data(), size}};
    respond_all(problem.psi, std::span<const double>(margin.data(), size), part.loss, part.multiplier, part.bend);
    for (std::size_t j = 0; j < size; ++j) {
      const double omega = problem.omega(first + j);
      if constexpr (with_loss) loss[j] *= omega;
      multiplier[j] *= omega, bend[j] *= omega;
    }
    each(part);
  }
}

// sum_k loss_k at scores f and bias b
template <class P, class Bias>
double sum_of_losses(const P& problem, std::span<const double> f, const Bias& b) {
  CompensatedSum sum;
  for_responses(problem, f, b, [&](const Responses& part) { sum.add(compensated_sum(part.loss)); });
  return sum.value();
}

// sum_k s_k lambda_k of the multipliers that the margins call for, and the sum of their bends: minus the slope of the
// losses along the bias, and their bend along it.
struct BiasPull {
  double pull = 0, bend = 0;
};
template <class P>
BiasPull pull_of_margins(const P& problem, std::span<const double> f, double b) {
  CompensatedSum pull;
  BiasPull all;
  for_responses<false>(problem, f, b, [&](const Responses& part) {
    for (std::size_t j = 0; j < part.bend.size(); ++j) {
      all.bend += part.bend[j];
      part.multiplier[j] *= problem.sign(part.first + j);
    }
    pull.add(compensated_sum(part.multiplier));
  });
  all.pull = pull.value();
  return all;
}

// sum_k psi_k(lambda_k) + o_k lambda_k
template <class P>
double sum_of_potentials(const P& problem, std::span<const double> lambda) {
  ResponseBlock unit, value;
  CompensatedSum sum;
  for (std::size_t first = 0; first < lambda.size(); first += kResponseBlock) {
    const std::size_t size = std::min(kResponseBlock, lambda.size() - first);
    for (std::size_t j = 0; j < size; ++j) unit[j] = lambda[first + j] / problem.omega(first + j);
    value_all(problem.psi, std::span<const double>(unit.data(), size), std::span<double>(value.data(), size));
    for (std::size_t j = 0; j < size; ++j) {
      value[j] *= problem.omega(first + j);
      unit[j] = problem.constraints.offset[first + j] * lambda[first + j];
    }
    sum.add(compensated_sum(value.data(), size));
    sum.add(compensated_sum(unit.data(), size));
  }
  return sum.value();
}

}  // namespace medlar
