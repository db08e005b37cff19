#include "peer_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"

namespace medlar::bench {

namespace {

double squared_excess(double z) {
  return z > 0 ? z * z : 0;
}

// log(1 + e^{-m}) without overflow
double log_loss(double m) {
  return std::max(0.0, -m) + std::log1p(std::exp(-std::abs(m)));
}

// a log(a / c), 0 at a = 0
double entropy(double a, double c) {
  return a > 0 ? a * std::log(a / c) : 0;
}

double loss_at(const PeerProblem& p, double y, double f) {
  switch (p.loss) {
    case PeerLoss::hinge:
      return std::max(0.0, 1 - y * f);
    case PeerLoss::squared_hinge:
      return squared_excess(1 - y * f);
    case PeerLoss::logistic:
      return log_loss(y * f);
    case PeerLoss::tube:
      return std::max(0.0, std::abs(y - f) - p.epsilon);
    case PeerLoss::squared_tube:
      return squared_excess(std::abs(y - f) - p.epsilon);
  }
  return NAN;
}

// Minus the slope of C loss in f.
double multiplier_at(const PeerProblem& p, double y, double f) {
  switch (p.loss) {
    case PeerLoss::squared_hinge:
      return y * 2 * p.c * std::max(0.0, 1 - y * f);
    case PeerLoss::logistic:
      return y * p.c / (1 + std::exp(y * f));
    case PeerLoss::squared_tube:
      return std::copysign(2 * p.c * std::max(0.0, std::abs(y - f) - p.epsilon), y - f);
    default:
      throw Error("the multipliers of a loss with a kink do not follow from the weights");
  }
}

// min over f of C loss(f) + beta f, the concave conjugate.
double gain_at(const PeerProblem& p, double y, double beta) {
  const double size = std::abs(beta);
  switch (p.loss) {
    case PeerLoss::squared_hinge:
      return size - size * size / (4 * p.c);
    case PeerLoss::logistic:
      return -entropy(size, p.c) - entropy(p.c - size, p.c);
    case PeerLoss::squared_tube:
      return y * beta - p.epsilon * size - size * size / (4 * p.c);
    default:
      throw Error("the multipliers of a loss with a kink do not follow from the weights");
  }
}

double sum(std::span<const double> values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

// Multipliers at scores f + shift. A free bias asks that they sum to 0: the shift is searched for that (their sum falls
// as it rises), and what rounding leaves is scaled away on the heavier side.
std::vector<double> feasible_multipliers(const PeerProblem& p, std::span<const double> y, std::span<const double> f) {
  std::vector<double> beta(f.size());
  const auto at = [&](double shift) {
    for (std::size_t t = 0; t < f.size(); ++t) beta[t] = multiplier_at(p, y[t], f[t] + shift);
    return sum(beta);
  };
  if (p.bias != PeerBias::free) return at(0), beta;
  double low = -1, high = 1;
  while (at(low) < 0) low *= 2;
  while (at(high) > 0) high *= 2;
  for (int step = 0; step < 60; ++step) (at(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  double side[2] = {0, 0};
  for (const double b : beta) side[b > 0] += std::abs(b);
  const bool heavy = side[1] > side[0];
  for (double& b : beta) {
    if ((b > 0) == heavy) b *= side[!heavy] / side[heavy];
  }
  return beta;
}

}  // namespace

std::string PeerProblem::text() const {
  constexpr const char* kLosses[] = {"hinge", "squared hinge", "logistic", "tube", "squared tube"};
  constexpr const char* kBiases[] = {"none", "penalised", "free"};
  return fmt::format("{} {} C={} bias={} B={} epsilon={}", penalty == PeerPenalty::ridge ? "ridge" : "lasso",
                     kLosses[static_cast<int>(loss)], c, kBiases[static_cast<int>(bias)], bias_scale, epsilon);
}

double primal(const PeerProblem& problem, const ContestSet& set, std::span<const double> w, double b) {
  const bool ridge = problem.penalty == PeerPenalty::ridge;
  const auto penalty_of = [&](double weight) { return ridge ? 0.5 * weight * weight : std::abs(weight); };
  double penalty = problem.bias == PeerBias::penalised ? penalty_of(b / problem.bias_scale) : 0;
  for (const double weight : w) penalty += penalty_of(weight);
  std::vector<double> f;
  for (Index t = 0; t < set.x().rows(); ++t) f.push_back(dot(set.x().row(t), w) + b);
  const auto value = [&](double s) {
    double losses = 0;
    for (std::size_t t = 0; t < f.size(); ++t) losses += loss_at(problem, set.y()[t], s * f[t]);
    return (ridge ? s * s : s) * penalty + problem.c * losses;
  };
  // Convex in s: golden section from either side of 1.
  constexpr double kGolden = 0.6180339887498949;
  double low = 0.9, high = 1.1, best = value(1);
  for (int step = 0; step < 50; ++step) {
    const double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
    const double at_left = value(left), at_right = value(right);
    best = std::min({best, at_left, at_right});
    (at_left < at_right ? high : low) = at_left < at_right ? right : left;
  }
  return best;
}

double dual(const PeerProblem& problem, const ContestSet& set, std::span<const double> w, double b) {
  std::vector<double> f;
  for (Index t = 0; t < set.x().rows(); ++t) f.push_back(dot(set.x().row(t), w) + b);
  const std::vector<double> beta = feasible_multipliers(problem, set.y(), f);
  std::vector<double> v(w.size(), 0.0);
  for (Index t = 0; t < set.x().rows(); ++t) add_scaled(set.x().row(t), beta[static_cast<std::size_t>(t)], v);
  const double s = problem.bias == PeerBias::penalised ? problem.bias_scale * sum(beta) : 0;
  double value = 0, shrink = 1;
  if (problem.penalty == PeerPenalty::ridge) {
    value = -0.5 * s * s;
    for (const double vi : v) value -= 0.5 * vi * vi;
  } else {
    double largest = std::abs(s);
    for (const double vi : v) largest = std::max(largest, std::abs(vi));
    shrink = std::min(1.0, 1 / largest);
  }
  for (std::size_t t = 0; t < beta.size(); ++t) value += gain_at(problem, set.y()[t], shrink * beta[t]);
  return value;
}

}  // namespace medlar::bench
