#include "medlar/calibration/calibrate.hpp"

#include <algorithm>
#include <cmath>

#include "medlar/linalg/give_up.hpp"

namespace medlar {

std::vector<double> softmax(std::span<const double> f, double slope) {
  const double top = *std::max_element(f.begin(), f.end());
  std::vector<double> p(f.size());
  double sum = 0;
  for (std::size_t k = 0; k < f.size(); ++k) sum += p[k] = std::exp(slope * (f[k] - top));
  for (double& each : p) each /= sum;
  return p;
}

// Golden section on the logarithm of the slope. The loss is convex in the slope, so it has one minimum.
double fit_temperature(std::span<const double> f, std::span<const Index> y, Index classes,
                       std::span<const double> weights) {
  const auto K = static_cast<std::size_t>(classes), T = y.size();
  std::vector<double> row(K);
  double spread = 0;
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t k = 0; k < K; ++k) row[k] = f[k * T + t];
    spread += (*std::max_element(row.begin(), row.end()) - *std::min_element(row.begin(), row.end())) /
              static_cast<double>(T);
  }
  if (!(spread > 0)) return 0;
  // Platt's softened targets: of n examples of a class, a share (n + 1)/(n + 2) counts for that class and the rest for
  // the others.
  std::vector<double> count(K, 0.0);
  const auto weight = [&](std::size_t t) { return weights.empty() ? 1.0 : weights[t]; };
  for (std::size_t t = 0; t < T; ++t) count[static_cast<std::size_t>(y[t])] += weight(t);
  const auto loss = [&](double log_slope) {
    const double slope = std::exp(log_slope);
    double sum = 0;
    Pauses pauses;
    for (std::size_t t = 0; t < T; ++t) {
      pauses.after(2 * K * kNumbersOfALog);
      for (std::size_t k = 0; k < K; ++k) row[k] = f[k * T + t];
      const std::vector<double> p = softmax(row, slope);
      const double n = count[static_cast<std::size_t>(y[t])], own = (n + 1) / (n + 2);
      for (std::size_t k = 0; k < K; ++k) {
        const double target = k == static_cast<std::size_t>(y[t]) ? own : (1 - own) / static_cast<double>(K - 1);
        sum -= weight(t) * target * std::log(std::max(p[k], 1e-300));
      }
    }
    return sum;
  };
  double low = std::log(1e-4 / spread), high = std::log(50 / spread);
  const double ratio = 0.5 * (std::sqrt(5.0) - 1);
  double left = high - ratio * (high - low), right = low + ratio * (high - low);
  double at_left = loss(left), at_right = loss(right);
  for (int step = 0; step < 60; ++step) {
    if (at_left < at_right) {
      high = right, right = left, at_right = at_left;
      left = high - ratio * (high - low), at_left = loss(left);
    } else {
      low = left, left = right, at_left = at_right;
      right = low + ratio * (high - low), at_right = loss(right);
    }
  }
  return std::exp(0.5 * (low + high));
}

}  // namespace medlar
