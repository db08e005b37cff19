// The one check of derivatives by finite differences, for any margin potential and any log-partition.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "medlar/core/concepts.hpp"

namespace medlar::test {

// Central difference with one step of Richardson extrapolation: error O(step^4). Each quotient divides by the distance
// between the points as rounded, which matters where x is close to an end of the domain.
template <class Function>
double finite_difference(Function f, double x, double step) {
  const auto quotient = [&](double h) {
    const double left = x - h;
    const double right = x + h;
    return (f(right) - f(left)) / (right - left);
  };
  return (4 * quotient(step / 2) - quotient(step)) / 3;
}

// A step that is small beside the distance to both ends of the domain, yet leaves ten digits in the difference.
inline double step_inside(double lambda, Domain domain) {
  const double upper = std::isinf(domain.upper) ? 2 * lambda : domain.upper;
  return 3e-3 * std::min(lambda, upper - lambda);
}

// `size` is the size of the margins: slopes are rounded relative to it, values relative to lambda times it.
template <MarginPotential P>
void expect_slope_and_curvature_are_derivatives(const P& psi, double lambda, double size) {
  const double step = step_inside(lambda, psi.domain());
  const double slope = finite_difference([&](double l) { return psi.value(l); }, lambda, step);
  const double curvature = finite_difference([&](double l) { return psi.slope(l); }, lambda, step);
  const double round_off = 4e-16 / step;
  constexpr double kTruncation = 1e-9;  // of the extrapolated difference, (step / distance to the end)^4 and constants
  EXPECT_NEAR(psi.slope(lambda), slope,
              kTruncation * (std::abs(slope) + size) + round_off * (std::abs(psi.value(lambda)) + lambda * size))
      << "lambda = " << lambda;
  EXPECT_NEAR(psi.curvature(lambda), curvature,
              kTruncation * std::abs(curvature) + round_off * (std::abs(psi.slope(lambda)) + size))
      << "lambda = " << lambda;
}

// The Hessian as a dense matrix, row by row: diag(d) + sum_g kappa_g v_g v_g^T.
template <LogPartition A>
std::vector<std::vector<double>> hessian(const A& a, std::span<const double> v) {
  const std::size_t n = v.size();
  std::vector<double> d(n);
  std::vector<double> kappa(static_cast<std::size_t>(a.group_count()));
  a.curvature(v, d, kappa);
  std::vector<std::vector<double>> matrix(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) {
    matrix[i][i] = d[i];
    if (kappa.empty()) continue;
    for (std::size_t j = 0; j < n; ++j) {
      if (a.group_of()[i] == a.group_of()[j]) {
        matrix[i][j] += kappa[static_cast<std::size_t>(a.group_of()[i])] * v[i] * v[j];
      }
    }
  }
  return matrix;
}

template <LogPartition A>
void expect_mean_and_curvature_are_derivatives(const A& a, std::vector<double> v, double tolerance) {
  const std::size_t n = v.size();
  std::vector<double> mean(n), variance(n);
  a.mean(v, mean);
  a.variance(v, variance);
  const auto second = hessian(a, v);
  const double step = 1e-3;
  const auto at = [&](std::size_t i, double x) {
    auto moved = v;
    moved[i] = x;
    return moved;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const double first = finite_difference([&](double x) { return a.value(at(i, x)); }, v[i], step);
    EXPECT_NEAR(mean[i], first, tolerance * (1 + std::abs(first) + std::abs(a.value(v)))) << "feature " << i;
    EXPECT_NEAR(variance[i], second[i][i], 1e-13 * second[i][i]) << "feature " << i;
    for (std::size_t j = 0; j < n; ++j) {
      const auto mean_j = [&](double x) {
        std::vector<double> moved_mean(n);
        a.mean(at(i, x), moved_mean);
        return moved_mean[j];
      };
      const double mixed = finite_difference(mean_j, v[i], step);
      EXPECT_NEAR(second[i][j], mixed, tolerance * (1 + std::abs(mixed) + std::abs(mean[j])))
          << "features " << i << ", " << j;
    }
  }
}

}  // namespace medlar::test
