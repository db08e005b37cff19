// The biases of K classes: b minimises the sum of losses, convex in b (docs/theory.md#bias, #several-classes). Flat
// biases are told apart by their differences only, and sum to 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/systems/small_system.hpp"
#include "medlar/problem/class_problem.hpp"

namespace medlar {

inline void centre(std::vector<double>& b) {
  const double mean = std::accumulate(b.begin(), b.end(), 0.0) / static_cast<double>(b.size());
  for (double& each : b) each -= mean;
}

// The losses as a function of b: their slope, and their curvature row by row.
struct BiasSlope {
  double value = 0;
  std::vector<double> slope, curvature;
};

template <class P>
BiasSlope class_bias_slope(const P& problem, std::span<const double> f, std::span<const double> b) {
  pause_after(kNumbersOfALog * problem.count());
  const std::size_t classes = b.size();
  BiasSlope at{0, std::vector<double>(classes, 0.0), std::vector<double>(classes * classes, 0.0)};
  CompensatedSum value;
  for (std::size_t c = 0; c < problem.count(); ++c) {
    const Response response = problem.respond(c, problem.margin(c, f, b));
    value.add(response.loss);
    if (!(response.multiplier > 0)) continue;
    const auto up = static_cast<std::size_t>(problem.constraints.up[c]);
    const auto down = static_cast<std::size_t>(problem.constraints.down[c]);
    at.slope[up] -= response.multiplier;
    at.slope[down] += response.multiplier;
    at.curvature[up * classes + up] += response.bend;
    at.curvature[down * classes + down] += response.bend;
    at.curvature[up * classes + down] -= response.bend;
    at.curvature[down * classes + up] -= response.bend;
  }
  if (problem.sigma2() > 0) {
    for (std::size_t k = 0; k < classes; ++k) {
      value.add(0.5 * b[k] * b[k] / problem.sigma2());
      at.slope[k] += b[k] / problem.sigma2();
      at.curvature[k * classes + k] += 1 / problem.sigma2();
    }
  }
  at.value = value.value();
  return at;
}

// The least loss along one class's bias: bisection on a slope that rises.
template <class P>
void search_one_bias(const P& problem, std::span<const double> f, std::vector<double>& b, std::size_t k) {
  const double start = b[k];
  const auto slope = [&](double at) {
    b[k] = at;
    return class_bias_slope(problem, f, b).slope[k];
  };
  double low = start, high = start;
  double reach = 1e-3 * (1 + std::abs(start));
  for (; slope(low) > 0 && reach < 1e12; reach *= 4) low -= reach;
  for (reach = 1e-3 * (1 + std::abs(start)); slope(high) < 0 && reach < 1e12; reach *= 4) high += reach;
  for (int step = 0; step < 100 && high - low > 1e-14 * (std::abs(low) + std::abs(high)); ++step) {
    const double middle = 0.5 * (low + high);
    (slope(middle) < 0 ? low : high) = middle;
  }
  b[k] = 0.5 * (low + high);
}

// From a hint; never worse than it.
template <class P>
std::vector<double> best_biases(const P& problem, std::span<const double> f, std::vector<double> b) {
  if (problem.bias.kind == BiasPrior::Kind::none || problem.constraints.classes == 1) {
    return std::vector<double>(b.size(), 0.0);
  }
  if (!(problem.psi.curvature(0) < 0)) {  // losses with kinks
    std::vector<double> moved = b;
    for (int round = 0; round < (b.size() == 2 ? 1 : 3); ++round) {
      for (std::size_t k = b.size() == 2 && problem.flat() ? 1 : 0; k < b.size(); ++k) {
        search_one_bias(problem, f, moved, k);
      }
    }
    if (class_losses(problem, f, moved) < class_losses(problem, f, b)) b = std::move(moved);
    if (problem.flat()) centre(b);
    return b;
  }
  BiasSlope at = class_bias_slope(problem, f, b);
  for (int step = 0; step < 60; ++step) {
    std::vector<double> r(at.slope);
    for (double& each : r) each = -each;
    const std::vector<double> change = solve_semidefinite(at.curvature, r);
    double gain = 0;
    for (std::size_t k = 0; k < b.size(); ++k) gain += change[k] * r[k];
    if (!(gain > 1e-18 * std::abs(at.value))) break;
    bool moved = false;
    for (double length = 1; length > 1e-6 && !moved; length *= 0.5) {
      std::vector<double> next = b;
      for (std::size_t k = 0; k < b.size(); ++k) next[k] += length * change[k];
      BiasSlope there = class_bias_slope(problem, f, next);
      if (there.value < at.value) b = std::move(next), at = std::move(there), moved = true;
    }
    if (!moved) break;
  }
  if (problem.flat()) centre(b);
  return b;
}

// Where the losses are least on a set of biases, the point of it nearest the wanted one, on the line towards it.
template <class P>
std::vector<double> nearest_biases(const P& problem, std::span<const double> f, const std::vector<double>& b,
                                   std::span<const double> wanted, double allowed_loss) {
  const auto towards = [&](double part) {
    std::vector<double> at(b);
    for (std::size_t k = 0; k < b.size(); ++k) at[k] += part * (wanted[k] - b[k]);
    return at;
  };
  const auto fine = [&](double part) { return class_losses(problem, f, towards(part)) <= allowed_loss; };
  if (fine(1)) return towards(1);
  double low = 0, high = 1;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (fine(middle) ? low : high) = middle;
  }
  return towards(low);
}

}  // namespace medlar
