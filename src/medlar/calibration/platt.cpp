// Newton's steps on the convex loss, each halved until the loss falls. Scores are divided by the largest one first, so
// that the 2 x 2 system is well scaled whatever their units.
#include "medlar/calibration/platt.hpp"

#include <algorithm>
#include <cmath>

#include "medlar/numerics/backtrack.hpp"

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
    const double length =
        backtrack(1, 0.5, 1e-8, [&](double part) { return loss(a + part * da, b + part * db) < value; });
    if (length == 0) break;
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

}  // namespace medlar
