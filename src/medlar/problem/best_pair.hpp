// The best lambda and the best (w, b) that a solve has certified, kept apart: J never falls, F never rises, and their
// difference is the gap that ends the solve. At the end both are settled, so that they read as they should: idle
// multipliers exactly 0, a bias that is free to move where it is wanted (settle.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "medlar/linalg/give_up.hpp"
#include "medlar/problem/bounds.hpp"
#include "medlar/problem/certificate.hpp"
#include "medlar/problem/settled.hpp"
#include "medlar/thresholds/sums.hpp"

namespace medlar {

template <class P>
class BestPair {
 public:
  BestPair(const P& problem, double tolerance) : problem_(problem), tolerance_(tolerance) {}

  // Points that a pass over the data was spent on.
  void consider(DualPoint point) {
    ++points_;
    adopt(std::move(point));
  }
  void consider(const PrimalPoint& point) {
    ++points_;
    adopt(point);
  }
  // Points that came without a pass of their own.
  void adopt(DualPoint point) {
    if (point.objective > dual_.objective || (dual_.lambda.empty() && !std::isnan(point.objective)))
      dual_ = std::move(point);
  }
  void adopt(const PrimalPoint& point) {
    if (point.value < primal_.value) primal_ = point;
  }

  // The same point, measured anew.
  void replace(const PrimalPoint& point) {
    ++points_;
    primal_ = point;
  }
  // In the place of the pair's own, as settling leaves them.
  void replace(DualPoint point) { dual_ = std::move(point); }
  void set_bias(std::vector<double> b, double value) { primal_.bias = std::move(b), primal_.value = value; }

  // w = A'(V) and the best biases for it, searched from `hint`. One pass over the data, considered or not.
  PrimalPoint primal_at(std::vector<double> v, std::vector<double> hint) {
    ++points_;
    return primal_point(problem_, std::move(v), std::move(hint));
  }

  Bounds bounds() const { return {dual_.objective, primal_.value}; }
  bool consistent() const { return bounds().consistent(); }
  double gap() const { return bounds().gap(); }
  double relative_gap() const { return bounds().relative_gap(); }
  // What settling may cost: nothing that the tolerance would notice.
  double allowed_gap() const { return std::max(gap(), tolerance_ * gap_scale(primal_.value)); }

  const P& problem() const { return problem_; }
  double tolerance() const { return tolerance_; }
  const DualPoint& dual() const { return dual_; }
  const PrimalPoint& primal() const { return primal_; }
  Index points() const { return points_; }  // considered so far, each a pass over the data

  // Summing for points on the way: plain where what they lose is far below what is asked for, even where multipliers up
  // to c nearly cancel in V.
  Summing summing() const {
    return suit_plain_sums(tolerance_, problem_.psi.domain().upper) ? Summing::plain : Summing::exact;
  }

  // Whether the gap is closed, of the best dual point with its V in sums that will do.
  bool closed() {
    if constexpr (P::kOne) {
      const double gap = relative_gap();
      if (gap <= tolerance_) make_exact(gap <= (1 - kRoundingAtTheEnd) * tolerance_ ? last_summing() : Summing::exact);
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
    return error <= kRoundingAtTheEnd * tolerance_ * primal_.value ? Summing::plain : Summing::exact;
  }

  // The best dual point with its V in sums that will do, settled where that costs nothing.
  void make_exact() { make_exact(last_summing()); }
  void make_exact(Summing summing) {
    if (!dual_.rough || (!dual_.carried && summing == Summing::plain)) return;
    DualPoint point = measured(settled(problem_, dual_.lambda, primal_), summing);
    if (!(primal_.value - point.objective <= allowed_gap())) point = measured(dual_.lambda, summing);
    dual_ = std::move(point);
  }
  DualPoint measured(std::vector<double> lambda, Summing summing) {
    ++points_;
    return dual_point(problem_, std::move(lambda), summing);
  }

 private:
  const P& problem_;
  double tolerance_;
  DualPoint dual_;
  PrimalPoint primal_;
  Index points_ = 0;
};

}  // namespace medlar
