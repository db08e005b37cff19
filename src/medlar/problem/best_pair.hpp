// The best lambda and the best (w, b) that a solve has certified, kept apart: J never falls, F never rises, and their
// difference is the gap that ends the solve. At the end both are settled, so that they read as they should: idle
// multipliers exactly 0, a bias that is free to move in the middle of where it may be.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "medlar/linalg/give_up.hpp"
#include "medlar/numerics/duality_gap.hpp"
#include "medlar/problem/certificate.hpp"

namespace medlar {

template <class P>
class BestPair {
 public:
  BestPair(const P& problem, double tolerance) : problem_(problem), tolerance_(tolerance) {}

  void consider(DualPoint point) {
    ++points_;
    if (point.objective > dual_.objective) dual_ = std::move(point);
  }
  void consider(const PrimalPoint& point) {
    ++points_;
    if (point.value < primal_.value) primal_ = point;
  }

  // The same point, measured anew.
  void replace(const PrimalPoint& point) {
    ++points_;
    primal_ = point;
  }

  // F >= J holds exactly; a difference below 0 is rounding, and says that none is left to close. One that is not small
  // against F and J says that their digits are gone, and certifies nothing.
  bool consistent() const {
    const double size = std::abs(primal_.value) + std::abs(dual_.objective);
    return std::isfinite(size) && primal_.value - dual_.objective >= -1e-9 * size;
  }
  double gap() const { return duality_gap(primal_.value, dual_.objective); }
  double relative_gap() const { return gap() / std::max(primal_.value, 1e-10); }

  const DualPoint& dual() const { return dual_; }
  const PrimalPoint& primal() const { return primal_; }
  Index points() const { return points_; }  // considered so far, each a pass over the data

  // Summing for points on the way: plain where what they lose is far below what is asked for, even where multipliers up
  // to c nearly cancel in V.
  Summing summing() const {
    return tolerance_ >= kPlainTolerance && problem_.psi.domain().upper <= kPlainEnd ? Summing::plain : Summing::exact;
  }

  // Whether the gap is closed, of the best dual point with its V in sums that will do.
  bool closed() {
    if (relative_gap() <= tolerance_) {
      make_exact(relative_gap() <= (1 - kRounding) * tolerance_ ? last_summing() : Summing::exact);
    }
    return relative_gap() <= tolerance_;
  }

  // How V is to be summed at the end. T plain additions err by at most T eps / 2 times the sum of their sizes, hence J
  // by T eps / 2 sum_t |beta_t| |x_t| |w| (A' = w): plain sums will do where that is a hundredth of the tolerance.
  Summing last_summing() const {
    if (summing() == Summing::exact || !std::isfinite(problem_.constraints.longest)) return Summing::exact;
    double size = 0, squares = 0;
    for (const double lambda : dual_.lambda) size += lambda;
    for (const double w : primal_.w) squares += w * w;
    const double unit = 0.5 * std::numeric_limits<double>::epsilon() * static_cast<double>(dual_.beta.size());
    const double error = unit * size * problem_.constraints.longest * std::sqrt(squares);
    return error <= kRounding * tolerance_ * primal_.value ? Summing::plain : Summing::exact;
  }

  // The best dual point with its V in sums that will do, settled where that costs nothing.
  void make_exact() { make_exact(last_summing()); }
  void make_exact(Summing summing) {
    if (!dual_.rough || (!dual_.carried && summing == Summing::plain)) return;
    DualPoint point = dual_point(problem_, settled(dual_.lambda, primal_), summing);
    ++points_;
    if (!(primal_.value - point.objective <= allowed_gap())) {
      point = dual_point(problem_, dual_.lambda, summing);
      ++points_;
    }
    dual_ = std::move(point);
  }

  void settle() {
    make_exact();
    settle_multipliers();
    if (problem_.bias.flat()) settle_bias();
  }

  // lambda with its idle entries at exactly 0 (and, at a closed end, the full ones at the end): those that one exact
  // step along their own axis would carry there. Interior points never touch the ends by themselves.
  std::vector<double> settled(std::vector<double> lambda, const PrimalPoint& at) const {
    cancel_sides(problem_, lambda);
    std::vector<double> d(at.v.size()), kappa(static_cast<std::size_t>(problem_.partition.group_count()));
    problem_.partition.curvature(at.v, d, kappa);
    const bool closed = problem_.psi.domain().closed;
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      const double slope = problem_.slope(k, lambda[k]) - problem_.margin(k, at.f, at.bias);
      if (!(slope < 0 ? lambda[k] > 0 : slope > 0 && closed && lambda[k] < problem_.upper(k))) continue;
      double curvature = problem_.bias_variance() - problem_.curvature(k, lambda[k]);
      if (slope < 0 && lambda[k] * curvature > -slope) continue;  // the row can only shorten the step
      const RowView row = problem_.constraints.x->row(problem_.constraints.example[k]);
      curvature += dot_squares(row, d);
      pause_after(row.values.size());
      const double goal = lambda[k] + slope / curvature;
      if (slope < 0 && !(goal > 0)) lambda[k] = 0;
      if (slope > 0 && !(goal < problem_.upper(k))) lambda[k] = problem_.upper(k);
    }
    return lambda;
  }

 private:
  // Idle multipliers become exactly 0 unless that would cost the tolerance.
  void settle_multipliers() {
    std::vector<double> lambda = settled(dual_.lambda, primal_);
    if (lambda == dual_.lambda) return;
    DualPoint point;
    const Summing summing = last_summing();
    if (std::vector<double> few = few_changes(lambda); summing == Summing::plain && !few.empty()) {
      point = nearby_point(std::move(few));
    } else {
      point = dual_point(problem_, std::move(lambda), summing);
      ++points_;
    }
    if (primal_.value - point.objective <= allowed_gap()) dual_ = std::move(point);
  }

  // lambda with a flat bias in balance: what multipliers of a side have lost is taken up by others of it, each by a
  // tenth of its room at most. None when a quarter of the multipliers or more differ from those before.
  std::vector<double> few_changes(std::vector<double> lambda) const {
    std::size_t changed = 0;
    double lost[2] = {0, 0};  // by the sides with sign -1 and +1
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      if (lambda[k] == dual_.lambda[k]) continue;
      ++changed;
      if (problem_.bias.flat()) lost[problem_.sign(k) > 0 ? 1 : 0] += dual_.lambda[k] - lambda[k];
    }
    for (std::size_t k = 0; k < lambda.size() && 4 * changed < lambda.size(); ++k) {
      double& left = lost[problem_.sign(k) > 0 ? 1 : 0];
      const double most = 0.1 * lambda[k] * (1 - lambda[k] / problem_.upper(k));
      if (left == 0 || !(most > 0) || lambda[k] != dual_.lambda[k]) continue;
      const double taken = std::clamp(left, -most, most);
      lambda[k] += taken;
      left -= taken;
      ++changed;
    }
    if (4 * changed >= lambda.size() || lost[0] != 0 || lost[1] != 0) lambda.clear();
    return lambda;
  }

  // V goes along with the rows whose multipliers have changed, in plain sums.
  DualPoint nearby_point(std::vector<double> lambda) const {
    DualPoint point;
    point.lambda = std::move(lambda);
    point.beta = problem_.constraints.signed_multipliers(point.lambda);
    point.v = dual_.v;
    for (std::size_t t = 0; t < point.beta.size(); ++t) {
      if (point.beta[t] == dual_.beta[t]) continue;
      add_scaled(problem_.constraints.x->row(static_cast<Index>(t)), point.beta[t] - dual_.beta[t], point.v);
    }
    point.rough = true;
    point.objective = dual_value(problem_, point);
    return point;
  }

  // What settling may cost: nothing that the tolerance would notice.
  double allowed_gap() const { return std::max(gap(), tolerance_ * std::max(primal_.value, 1e-10)); }

  // Where F is minimal on an interval of biases, take its middle; never at the cost of the certificate.
  void settle_bias() {
    if (bias_is_unique()) return;
    const double b = middle_bias(problem_, primal_.f, primal_.bias);
    const double value = primal_value(problem_, primal_, b);
    if (value - dual_.objective > allowed_gap()) return;
    primal_.bias = b;
    primal_.value = value;
  }

  // F has curvature in b wherever a potential with curvature has a multiplier above 0.
  bool bias_is_unique() const {
    if (!(problem_.psi.curvature(0) < 0)) return false;
    for (std::size_t k = 0; k < problem_.count(); ++k) {
      if (problem_.multiplier(k, problem_.margin(k, primal_.f, primal_.bias)) > 0) return true;
    }
    return false;
  }

  static constexpr double kPlainTolerance = 1e-8, kPlainEnd = 1e3;
  static constexpr double kRounding = 0.01;  // of the tolerance, that plain sums may cost

  const P& problem_;
  double tolerance_;
  DualPoint dual_;
  PrimalPoint primal_;
  Index points_ = 0;
};

}  // namespace medlar
