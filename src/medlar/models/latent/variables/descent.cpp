// Near the minimum the values of two points differ by rounding only, so the line search then judges a step by its
// slope. Under a flat bias s(b) is steep, and L-BFGS alone closes its gap slowly; a bracketed root search does it once
// the coefficients' own gap is closed.
#include "medlar/models/latent/variables/descent.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

#include "medlar/numerics/duality_gap.hpp"
#include "medlar/numerics/sum.hpp"

namespace medlar {
namespace {

constexpr std::size_t kMemory = 12;  // pairs of step and change of slope that L-BFGS keeps

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

struct Pair {
  std::vector<double> step, change;
  double inverse = 0;  // 1 / (step . change)
};

}  // namespace

LatentPoint Descent::at(std::vector<double> v, double bias) const {
  ++evaluations_;
  LatentPoint point;
  point.v = std::move(v);
  point.w.resize(point.v.size());
  prior_.mean(point.v, point.w);
  point.bias = bias;
  point.terms = terms_.at(point.w, bias);
  point.value = prior_.conjugate_at(point.v) + point.terms.value;
  if (bias_.kind == BiasPrior::Kind::gaussian) point.value += 0.5 * bias * bias / bias_.variance;
  return point;
}

double Descent::coefficient_gap(const LatentPoint& point) const {
  CompensatedSum gap;
  gap.add(prior_.conjugate_at(point.v));
  gap.add(prior_.value(point.terms.v));
  for (std::size_t i = 0; i < point.w.size(); ++i) gap.add(-point.w[i] * point.terms.v[i]);
  return std::max(0.0, gap.value());
}

double Descent::bias_gap(const LatentPoint& point) const {
  if (bias_.kind == BiasPrior::Kind::none) return 0;
  if (bias_.flat()) return std::abs(point.terms.s) * (1 + std::abs(point.bias));
  const double apart = point.bias - bias_.variance * point.terms.s;
  return 0.5 * apart * apart / bias_.variance;
}

// The slope in V, followed by that in the bias.
std::vector<double> Descent::slope(const LatentPoint& point) const {
  const std::size_t n = point.v.size();
  std::vector<double> d(n), kappa(static_cast<std::size_t>(prior_.group_count())), slope(n + 1, 0.0);
  prior_.curvature(point.v, d, kappa);
  std::vector<double> along(kappa.size(), 0.0);  // v_g . (V - V_lambda)
  const auto group_of = prior_.group_of();
  for (std::size_t i = 0; i < n; ++i) {
    const double apart = point.v[i] - point.terms.v[i];
    slope[i] = d[i] * apart;
    if (!kappa.empty()) along[static_cast<std::size_t>(group_of[i])] += point.v[i] * apart;
  }
  for (std::size_t i = 0; i < n && !kappa.empty(); ++i) {
    const auto g = static_cast<std::size_t>(group_of[i]);
    slope[i] += kappa[g] * along[g] * point.v[i];
  }
  if (bias_.flat()) slope[n] = -point.terms.s;
  if (bias_.kind == BiasPrior::Kind::gaussian) slope[n] = point.bias / bias_.variance - point.terms.s;
  return slope;
}

// The metric of the first guess: the inverse of the diagonal of A''. A feature that can never be on does not move.
std::vector<double> Descent::scaled(const LatentPoint& point, std::vector<double> slope) const {
  const std::size_t n = point.v.size();
  std::vector<double> d(n), kappa(static_cast<std::size_t>(prior_.group_count()));
  prior_.curvature(point.v, d, kappa);
  for (std::size_t i = 0; i < n; ++i) slope[i] = d[i] > 0 ? slope[i] / d[i] : 0.0;
  return slope;
}

LatentPoint Descent::moved(const LatentPoint& point, const std::vector<double>& direction, double step) const {
  std::vector<double> v = point.v;
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += step * direction[i];
  return at(std::move(v), point.bias + step * direction.back());
}

// Weak Wolfe conditions by doubling and bisection. A step whose value is equal up to rounding is judged by its slope.
bool Descent::search(LatentPoint& point, const std::vector<double>& direction, std::vector<double>& slope_there) const {
  const double downhill = dot(slope_there, direction);
  if (!(downhill < 0)) return false;
  const double noise = 4e-16 * std::abs(point.value);
  double low = 0, high = HUGE_VAL, step = 1;
  bool found = false;
  LatentPoint best;
  std::vector<double> best_slope;
  for (int k = 0; k < 40; ++k) {
    LatentPoint tried = moved(point, direction, step);
    const double wanted = -1e-4 * step * downhill;  // how much lower, at least
    const bool lower = std::isfinite(tried.value) &&
                       (wanted > noise ? tried.value <= point.value - wanted : tried.value <= point.value);
    if (!lower) {
      high = step;
    } else {
      std::vector<double> there = slope(tried);
      const bool flat_enough = dot(there, direction) >= 0.9 * downhill;
      best = std::move(tried), best_slope = std::move(there), found = true;
      if (flat_enough) break;
      low = step;
    }
    step = std::isfinite(high) ? 0.5 * (low + high) : 2 * low;
  }
  if (!found) return false;
  point = std::move(best);
  slope_there = std::move(best_slope);
  return true;
}

// Under a flat bias, finds the root of s(b) near the point by regula falsi inside a bracket. If there is no bracket,
// the point stays.
LatentPoint Descent::settled(LatentPoint point) const {
  if (!bias_.flat() || point.terms.s == 0) return point;
  const double direction = point.terms.s > 0 ? 1 : -1;  // s falls as the bias grows, near a minimum
  LatentPoint other = point;
  for (double reach = 1e-6 * (1 + std::abs(point.bias)); other.terms.s * direction > 0; reach *= 8) {
    if (reach > 1) return point;
    other = at(point.v, point.bias + direction * reach);
  }
  LatentPoint near = std::abs(point.terms.s) < std::abs(other.terms.s) ? point : other;
  LatentPoint a = point, b = std::move(other);
  double weight_a = 1, weight_b = 1;
  for (int k = 0; k < 60 && near.terms.s != 0; ++k) {
    const double sa = weight_a * a.terms.s, sb = weight_b * b.terms.s;
    const double middle = (a.bias * sb - b.bias * sa) / (sb - sa);
    if (!(middle > std::min(a.bias, b.bias) && middle < std::max(a.bias, b.bias))) break;
    LatentPoint tried = at(point.v, middle);
    if (std::abs(tried.terms.s) < std::abs(near.terms.s)) near = tried;
    if ((tried.terms.s > 0) == (a.terms.s > 0)) {
      a = std::move(tried), weight_a = 1, weight_b *= 0.5;
    } else {
      b = std::move(tried), weight_b = 1, weight_a *= 0.5;
    }
    if (std::abs(near.terms.s) <= 1e-14 * (1 + std::abs(near.value))) break;
  }
  return near.value <= point.value + 1e-12 * std::abs(point.value) ? near : point;
}

LatentPoint Descent::descend(LatentPoint point, double tolerance, const Watch& watch) const {
  std::deque<Pair> pairs;
  std::vector<double> here = slope(point);
  for (int restarts = 0;;) {
    // Settling a flat bias pays only once the coefficients' own gap is closed.
    const auto closed = [&](double apart) { return apart <= tolerance * gap_scale(point.primal()); };
    if (closed(coefficient_gap(point)) && !closed(gap(point))) {
      point = settled(std::move(point));
      here = slope(point);
    }
    const double apart = gap(point);
    if (watch(point, apart) || closed(apart)) return point;
    std::vector<double> direction = here;
    std::vector<double> alpha(pairs.size());
    for (std::size_t k = pairs.size(); k-- > 0;) {
      alpha[k] = pairs[k].inverse * dot(pairs[k].step, direction);
      for (std::size_t i = 0; i < direction.size(); ++i) direction[i] -= alpha[k] * pairs[k].change[i];
    }
    direction = scaled(point, std::move(direction));
    if (!pairs.empty()) {
      const Pair& last = pairs.back();
      const double size = dot(last.change, scaled(point, last.change));
      const double gamma = 1 / (last.inverse * size);
      for (double& each : direction) each *= gamma;
    }
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const double beta = pairs[k].inverse * dot(pairs[k].change, direction);
      for (std::size_t i = 0; i < direction.size(); ++i) direction[i] += (alpha[k] - beta) * pairs[k].step[i];
    }
    for (double& each : direction) each = -each;
    const LatentPoint before = point;
    const std::vector<double> slope_before = here;
    if (!search(point, direction, here)) {
      if (pairs.empty() || ++restarts > 5) return settled(std::move(point));
      pairs.clear();
      continue;
    }
    Pair pair;
    for (std::size_t i = 0; i < point.v.size(); ++i) pair.step.push_back(point.v[i] - before.v[i]);
    pair.step.push_back(point.bias - before.bias);
    for (std::size_t i = 0; i < here.size(); ++i) pair.change.push_back(here[i] - slope_before[i]);
    const double product = dot(pair.step, pair.change);
    if (product > 1e-14 * std::sqrt(dot(pair.step, pair.step) * dot(pair.change, pair.change))) {
      pair.inverse = 1 / product;
      pairs.push_back(std::move(pair));
      if (pairs.size() > kMemory) pairs.pop_front();
    }
  }
}

}  // namespace medlar
