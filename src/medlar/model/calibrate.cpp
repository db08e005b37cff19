// See the header.
#include "medlar/model/calibrate.hpp"

#include <algorithm>
#include <cmath>

namespace medlar {

namespace {

double softplus(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}
double logistic(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

}  // namespace

Logistic fit_platt(std::span<const double> score, std::span<const Index> y, std::span<const double> weights) {
  const auto weight = [&](std::size_t t) { return weights.empty() ? 1.0 : weights[t]; };
  double size = 0, positive = 0, negative = 0;
  for (std::size_t t = 0; t < y.size(); ++t) {
    size = std::max(size, std::abs(score[t]));
    (y[t] == 1 ? positive : negative) += weight(t);
  }
  const double high = (positive + 1) / (positive + 2), low = 1 / (negative + 2);
  if (size == 0) size = 1;
  const auto loss = [&](double a, double b) {
    double sum = 0;
    for (std::size_t t = 0; t < y.size(); ++t) {
      const double f = a * score[t] / size + b, target = y[t] == 1 ? high : low;
      sum += weight(t) * (softplus(f) - target * f);
    }
    return sum;
  };
  double a = 0, b = std::log((positive + 1) / (negative + 1));
  double value = loss(a, b);
  for (int step = 0; step < 100; ++step) {
    double ga = 0, gb = 0, haa = 1e-12, hab = 0, hbb = 1e-12;
    for (std::size_t t = 0; t < y.size(); ++t) {
      const double x = score[t] / size, p = logistic(a * x + b), target = y[t] == 1 ? high : low;
      ga += weight(t) * (p - target) * x;
      gb += weight(t) * (p - target);
      const double bend = weight(t) * p * (1 - p);
      haa += bend * x * x;
      hab += bend * x;
      hbb += bend;
    }
    const double determinant = haa * hbb - hab * hab;
    const double da = -(hbb * ga - hab * gb) / determinant, db = -(haa * gb - hab * ga) / determinant;
    double length = 1;
    for (; length > 1e-8 && !(loss(a + length * da, b + length * db) < value); length *= 0.5) {
    }
    if (length <= 1e-8) break;
    a += length * da;
    b += length * db;
    const double next = loss(a, b);
    const bool settled = value - next < 1e-12 * (1 + value);
    value = next;
    if (settled) break;
  }
  if (a < 0) a = 0, b = std::log((positive + 1) / (negative + 1));
  return {a / size, b};
}

std::vector<double> softmax(std::span<const double> f, double slope) {
  const double top = *std::max_element(f.begin(), f.end());
  std::vector<double> p(f.size());
  double sum = 0;
  for (std::size_t k = 0; k < f.size(); ++k) sum += p[k] = std::exp(slope * (f[k] - top));
  for (double& each : p) each /= sum;
  return p;
}

// Golden section on the logarithm of the slope: the loss is convex in the slope, hence has one minimum along it.
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
  const auto loss = [&](double log_slope) {
    const double slope = std::exp(log_slope);
    double sum = 0;
    for (std::size_t t = 0; t < T; ++t) {
      for (std::size_t k = 0; k < K; ++k) row[k] = f[k * T + t];
      const double p = softmax(row, slope)[static_cast<std::size_t>(y[t])];
      sum -= (weights.empty() ? 1.0 : weights[t]) * std::log(std::max(p, 1e-300));
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
