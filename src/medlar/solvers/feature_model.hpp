// Where Newton over features goes when there are switches: the losses of F as a parabola, A* as it is,
//
//   m(w) = A*(w) + g.(w - w0) + (w - w0)^T M (w - w0) / 2
//
// A* bends within a hair's breadth where a switch turns, so that no parabola follows it; one feature at a time its
// least point is exact, and costs no pass over the data. Newton steps on m end it.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "medlar/core/concepts.hpp"
#include "medlar/linalg/parabola.hpp"

namespace medlar {

// The V of a feature where V + bend A'(V) = goal, whose left side rises with V, and its mean A'(V).
struct FeatureMove {
  double v, w;
};
template <SeparablePartition A>
FeatureMove least_along(const A& partition, std::size_t i, double bend, double goal, double guess, double accuracy) {
  const auto feature = static_cast<Index>(i);
  double low = std::min(0.0, goal), high = std::max(0.0, goal), v = guess;
  if (!(v >= low && v <= high)) v = 0.5 * goal;
  double w = partition.mean_at(feature, v);
  for (int tries = 0; tries < 60; ++tries) {
    const double excess = v + bend * w - goal;
    if (std::abs(excess) <= accuracy * std::abs(goal)) break;
    (excess > 0 ? high : low) = v;
    double next = v - excess / (1 + bend * partition.variance_at(feature, v));
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == v) break;
    v = next;
    w = partition.mean_at(feature, v);
  }
  return {v, w};
}

template <SeparablePartition A>
class FeatureModel {
 public:
  FeatureModel(const A& partition, Parabola losses) : partition_(partition), losses_(std::move(losses)) {}

  struct Minimum {
    std::vector<double> v, w;  // w = A'(v)
    double bias = 0;           // its change
  };

  // From w0 = A'(v0).
  Minimum minimise(std::span<const double> v0, std::span<const double> w0) {
    v_.assign(v0.begin(), v0.end());
    w_.assign(w0.begin(), w0.end());
    const double enough = kAccuracy * unrest();
    for (int round = 0; round < kMostRounds && unrest() > enough; ++round) {
      sweep_until_slow(round == 0 ? kFirstSweeps : kSweeps);
      if (unrest() > enough) step();
    }
    return {std::move(v_), std::move(w_), losses_.bias()};
  }

 private:
  double variance(std::size_t i) const { return partition_.variance_at(static_cast<Index>(i), v_[i]); }

  // sum_i A''_i (dm/dw_i)^2, about twice what is left to gain.
  double unrest() const {
    double sum = 0;
    for (std::size_t i = 0; i < v_.size(); ++i) sum += variance(i) * std::pow(losses_.slope(i) + v_[i], 2);
    return sum;
  }

  void sweep_until_slow(int most) {
    double all = 0;
    for (int sweep = 0; sweep < most; ++sweep) {
      double moved = 0;
      for (std::size_t i = 0; i < v_.size(); ++i) moved += minimise_feature(i);
      all += moved;
      if (!(moved > kSlow * all)) return;
    }
  }

  // V + M_ii A'(V) = M_ii w_i - slope_i. Returns what the move was worth, about.
  double minimise_feature(std::size_t i) {
    const double bend = losses_.bend(i), goal = bend * w_[i] - losses_.slope(i);
    const FeatureMove to = least_along(partition_, i, bend, goal, v_[i], 1e-12);
    const double change = to.w - w_[i], rise = to.v - v_[i];
    v_[i] = to.v, w_[i] = to.w;
    losses_.move(i, change);
    return change * (bend * change + rise);
  }

  void step() {
    std::vector<double> d(v_.size()), rest(v_.size());
    for (std::size_t i = 0; i < v_.size(); ++i) d[i] = variance(i), rest[i] = losses_.slope(i) + v_[i];
    search(losses_.newton(d, rest));
  }

  // To about the least m on the line: the root of its slope, which rises, by regula falsi.
  void search(const std::vector<double>& dw) {
    const std::vector<double> m_dw = losses_.times(dw), from = w_;
    double fixed = 0, curvature = 0;
    for (std::size_t i = 0; i < dw.size(); ++i) fixed += losses_.slope(i) * dw[i], curvature += m_dw[i] * dw[i];
    const auto slope_at = [&](double length) {
      for (std::size_t i = 0; i < dw.size(); ++i) w_[i] = from[i] + length * dw[i];
      if (length > 0) partition_.from_mean(w_, v_);
      double sum = fixed + length * curvature;
      for (std::size_t i = 0; i < dw.size(); ++i) sum += v_[i] * dw[i];
      return sum;
    };
    const double begin = slope_at(0);
    if (!(begin < 0)) return;
    double low = 0, high = 1, at_low = begin, length = 1, slope = slope_at(1), at_high = slope;
    for (int tries = 0; tries < kMostTries; ++tries) {
      const bool short_of_it = length < 1 && slope < 0.3 * begin;
      if (!short_of_it && slope <= -0.1 * begin) break;
      if (slope > 0) high = length, at_high = slope;
      if (short_of_it) low = length, at_low = slope;
      length = low - (high - low) * at_low / (at_high - at_low);
      length = std::max(length, low + 0.1 * (high - low));
      slope = slope_at(length);
    }
    losses_.move(dw, m_dw, length);
  }

  static constexpr double kAccuracy = 1e-12;  // of the unrest at the start: equal columns then share to six digits
  static constexpr double kSlow = 0.01;       // of all that was gained in a round
  static constexpr int kFirstSweeps = 20, kSweeps = 3, kMostRounds = 12, kMostTries = 12;

  const A& partition_;
  Parabola losses_;
  std::vector<double> v_, w_;
};

}  // namespace medlar
