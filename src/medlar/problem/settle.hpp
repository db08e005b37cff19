// The end of a solve: idle multipliers become exactly 0 and a bias that the losses leave open goes to where it is
// wanted, never at the cost of the certificate.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "medlar/problem/best_pair.hpp"

namespace medlar {

// F has curvature in b wherever a potential with curvature has a multiplier above 0.
template <class P>
bool bias_is_unique(const BestPair<P>& best) {
  const P& problem = best.problem();
  if (!problem.smooth()) return false;
  for (std::size_t k = 0; k < problem.count(); ++k) {
    if (problem.multiplier(k, problem.margin(k, best.primal().f, best.primal().bias)) > 0) return true;
  }
  return false;
}

// Where F is minimal on an interval of biases, take its middle; never at the cost of the certificate.
template <class P>
void settle_interval(BestPair<P>& best) {
  const P& problem = best.problem();
  if (bias_is_unique(best)) return;
  const std::vector<double> b{middle_bias(problem, best.primal().f, best.primal().bias[0])};
  const double value = primal_value(problem, best.primal(), b);
  if (value - best.dual().objective <= best.allowed_gap()) best.set_bias(b, value);
}

// V goes along with the rows whose multipliers have changed, in plain sums.
template <class P>
DualPoint nearby_point(const P& problem, const DualPoint& from, std::vector<double> lambda) {
  DualPoint point;
  point.lambda = std::move(lambda);
  point.beta = problem.constraints.beta(point.lambda);
  point.v = from.v;
  for (std::size_t t = 0; t < point.beta.size(); ++t) {
    if (point.beta[t] == from.beta[t]) continue;
    add_scaled(problem.constraints.x->row(static_cast<Index>(t)), point.beta[t] - from.beta[t], point.v);
  }
  point.rough = true;
  point.objective = dual_value(problem, point);
  return point;
}

// lambda with a flat bias in balance: what multipliers of a side have lost is taken up by others of it, each by a
// tenth of its room at most. None when a quarter of the multipliers or more differ from those before.
template <class P>
std::vector<double> few_changes(const P& problem, const DualPoint& from, std::vector<double> lambda) {
  std::size_t changed = 0;
  double lost[2] = {0, 0};  // by the sides with sign -1 and +1
  for (std::size_t k = 0; k < lambda.size(); ++k) {
    if (lambda[k] == from.lambda[k]) continue;
    ++changed;
    if (problem.bias.flat()) lost[problem.sign(k) > 0 ? 1 : 0] += from.lambda[k] - lambda[k];
  }
  for (std::size_t k = 0; k < lambda.size() && 4 * changed < lambda.size(); ++k) {
    double& left = lost[problem.sign(k) > 0 ? 1 : 0];
    const double most = 0.1 * lambda[k] * (1 - lambda[k] / problem.upper(k));
    if (left == 0 || !(most > 0) || lambda[k] != from.lambda[k]) continue;
    const double taken = std::clamp(left, -most, most);
    lambda[k] += taken;
    left -= taken;
    ++changed;
  }
  if (4 * changed >= lambda.size() || lost[0] != 0 || lost[1] != 0) lambda.clear();
  return lambda;
}

// Idle multipliers become exactly 0 unless that would cost the tolerance.
template <class P>
void settle_multipliers(BestPair<P>& best) requires(P::kOne) {
  const P& problem = best.problem();
  std::vector<double> lambda = settled(problem, best.dual().lambda, best.primal());
  if (lambda == best.dual().lambda) return;
  DualPoint point;
  const Summing summing = best.last_summing();
  if (std::vector<double> few = few_changes(problem, best.dual(), lambda); summing == Summing::plain && !few.empty()) {
    point = nearby_point(problem, best.dual(), std::move(few));
  } else {
    point = best.measured(std::move(lambda), summing);
  }
  if (best.primal().value - point.objective <= best.allowed_gap()) best.replace(std::move(point));
}

// All idle ones if their certificate allows, else as many of the smallest as it does.
template <class P>
void settle_multipliers(BestPair<P>& best) requires(!P::kOne) {
  const P& problem = best.problem();
  const PrimalPoint& primal = best.primal();
  const double allowed = best.allowed_gap();
  std::vector<double> lambda = best.dual().lambda;
  std::vector<std::size_t> idle;
  for (std::size_t c = 0; c < lambda.size(); ++c) {
    const double margin = problem.margin(c, primal.f, primal.bias);
    if (problem.multiplier(c, margin) == 0 && lambda[c] > 0) idle.push_back(c);
    if (problem.reaches_end() && margin < problem.slope(c, 0) && lambda[c] > (1 - 1e-6) * problem.upper(c))
      lambda[c] = problem.upper(c);
  }
  const auto share = [&](std::size_t c) { return best.dual().lambda[c] / problem.omega(c); };
  std::stable_sort(idle.begin(), idle.end(), [&](std::size_t a, std::size_t b) { return share(a) < share(b); });
  constexpr int most_tries = 8;
  DualPoint settled = best.dual();
  std::size_t low = 0, high = idle.size() + 1;  // so many may go, so many may not
  for (int tries = 0; tries == 0 || (tries < most_tries && low + 1 < high); ++tries) {
    const std::size_t gone = tries == 0 ? idle.size() : (low + high) / 2;
    std::vector<double> fewer = lambda;
    for (std::size_t i = 0; i < gone; ++i) fewer[idle[i]] = 0;
    DualPoint point = dual_point(problem, std::move(fewer));
    if (primal.value - point.objective <= allowed) {
      settled = std::move(point);
      low = gone;
    } else {
      high = std::max<std::size_t>(gone, 1);
    }
  }
  best.replace(std::move(settled));
}

// Of several outputs the bias that is wanted where the losses do not decide.
template <class P>
void settle_bias(BestPair<P>& best, std::span<const double> wanted) {
  const P& problem = best.problem();
  const PrimalPoint& at = best.primal();
  const double losses = losses_at(problem, at.f, at.bias);
  // It may move where the losses are equal to their last digits.
  const double allowed = losses + 1e-3 * best.tolerance() * at.value;
  std::vector<double> moved = nearest_biases(problem, at.f, at.bias, wanted, allowed);
  const double value = primal_value(problem, at, moved);
  if (value - best.dual().objective <= best.allowed_gap()) best.set_bias(std::move(moved), value);
}

template <class P>
void settle(BestPair<P>& best) requires(P::kOne) {
  best.make_exact();
  settle_multipliers(best);
  if (best.problem().flat()) settle_interval(best);
}
template <class P>
void settle(BestPair<P>& best, std::span<const double> wanted) requires(!P::kOne) {
  settle_multipliers(best);
  if (best.problem().flat()) settle_bias(best, wanted);
}

}  // namespace medlar
