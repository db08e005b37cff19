// Moments of a prior with switches by brute force: every setting of the switches, and for each a grid over theta.
// The trapezoidal rule is exact to 1e-30 for Gaussians at half a standard deviation a step; only the ends are cut.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "medlar/types.hpp"

namespace medlar::test {

struct BruteMoments {
  double log_partition = 0;
  std::vector<double> mean;                     // E[theta_i s_i]
  std::vector<double> inclusion;                // P(the switch of feature i is on)
  std::vector<std::vector<double>> covariance;  // of theta_i s_i
};

namespace detail {

struct Grid {
  std::vector<double> theta;  // the same points for every feature
  double step = 0;
};

inline Grid grid_for(double variance, std::span<const double> v) {
  double reach = 0;
  for (const double vi : v) reach = std::max(reach, variance * std::abs(vi));
  Grid grid;
  grid.step = std::sqrt(variance) / 2;
  const int half = static_cast<int>(std::ceil((reach + 9 * std::sqrt(variance)) / grid.step));
  for (int j = -half; j <= half; ++j) grid.theta.push_back(j * grid.step);
  return grid;
}

}  // namespace detail

// theta_i ~ N(m_i, variance), with m = 0 when prior_mean is empty; switch g is on with probability p[g].
inline BruteMoments brute_force(std::span<const double> v, std::span<const Index> group_of, std::span<const double> p,
                                double variance, std::span<const double> prior_mean = {}) {
  const std::size_t n = v.size();
  const auto grid = detail::grid_for(variance, v);
  const auto group = [&](std::size_t i) { return static_cast<std::size_t>(group_of[i]); };
  double total = 0;
  std::vector<double> first(n, 0.0), on(n, 0.0);
  std::vector<std::vector<double>> second(n, std::vector<double>(n, 0.0));
  for (std::size_t switches = 0; switches < (std::size_t{1} << p.size()); ++switches) {
    const auto is_on = [&](std::size_t i) { return (switches >> group(i)) & 1U; };
    double prior = 1;
    for (std::size_t g = 0; g < p.size(); ++g) prior *= (switches >> g) & 1U ? p[g] : 1 - p[g];
    std::vector<std::size_t> at(n, 0);
    while (true) {
      double weight = prior;
      std::vector<double> statistic(n, 0.0);
      for (std::size_t i = 0; i < n; ++i) {
        const double mean = prior_mean.empty() ? 0 : prior_mean[i];
        const double theta = mean + grid.theta[at[i]];
        const double distance = theta - mean;
        statistic[i] = is_on(i) ? theta : 0;
        weight *= grid.step * std::exp(-distance * distance / (2 * variance) + v[i] * statistic[i]) /
                  std::sqrt(2 * M_PI * variance);
      }
      total += weight;
      for (std::size_t i = 0; i < n; ++i) {
        first[i] += weight * statistic[i];
        if (is_on(i)) on[i] += weight;
        for (std::size_t j = 0; j < n; ++j) second[i][j] += weight * statistic[i] * statistic[j];
      }
      std::size_t i = 0;
      while (i < n && ++at[i] == grid.theta.size()) at[i++] = 0;
      if (i == n) break;
    }
  }
  BruteMoments moments{std::log(total), first, on, second};
  for (std::size_t i = 0; i < n; ++i) {
    moments.mean[i] /= total;
    moments.inclusion[i] /= total;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      moments.covariance[i][j] = second[i][j] / total - moments.mean[i] * moments.mean[j];
    }
  }
  return moments;
}

}  // namespace medlar::test
