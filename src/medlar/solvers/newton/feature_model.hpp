// Where Newton over features goes when there are switches: the losses of F as a parabola, A* as it is,
//
//   m(w) = A*(w) + g.(w - w0) + (w - w0)^T M (w - w0) / 2
//
// A* bends within a hair's breadth where a switch turns, so that no parabola follows it; for one switch at a time its
// least point is exact, and costs no pass over the data. Newton steps on m end it. It asks of the losses only what
// LossesOverFeatures says: sums over rows that live elsewhere serve it as well as a Parabola of rows at hand.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <span>
#include <utility>
#include <vector>

#include "medlar/core/concepts.hpp"
#include "medlar/linalg/systems/parabola.hpp"
#include "medlar/problem/group_curvature.hpp"

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

// The losses at w, which they keep: their slope and bends there, M dw, and the step of (A''^-1 + M) dw = -rest.
template <class L>
concept LossesOverFeatures = requires(const L& losses, L& at, std::size_t i, std::span<const std::size_t> features,
                                      std::span<const double> dw, double part, const CurvatureRoot& root) {
  { losses.slope(i) } -> std::convertible_to<double>;
  { losses.bend(i) } -> std::convertible_to<double>;                 // M_ii
  { losses.axes(features) } -> std::convertible_to<Parabola::Axes>;  // of M among the features of a group
  { losses.times(dw) } -> std::convertible_to<std::vector<double>>;
  { losses.newton(root, dw) } -> std::convertible_to<std::vector<double>>;
  { losses.biases() } -> std::convertible_to<std::vector<double>>;  // their changes so far
  at.move(i, part);                                                 // w_i
  at.move(dw, dw, part);                                            // w by a part of dw, whose M dw is known
};

template <LogPartition A, LossesOverFeatures Losses = Parabola>
requires(SeparablePartition<A> || GroupedPartition<A>) class FeatureModel {
 public:
  FeatureModel(const A& partition, Losses losses) : partition_(partition), losses_(std::move(losses)) {
    if constexpr (!SeparablePartition<A>) set_groups();
  }

  struct Minimum {
    std::vector<double> v, w;    // w = A'(v)
    std::vector<double> biases;  // their changes
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
    return {std::move(v_), std::move(w_), losses_.biases()};
  }

 private:
  // Features behind one switch, and M among them.
  struct Group {
    std::vector<std::size_t> features;
    Parabola::Axes axes;
  };
  void set_groups() {
    groups_.resize(static_cast<std::size_t>(partition_.group_count()));
    const std::span<const Index> group_of = partition_.group_of();
    for (std::size_t i = 0; i < group_of.size(); ++i)
      groups_[static_cast<std::size_t>(group_of[i])].features.push_back(i);
    for (Group& group : groups_) group.axes = losses_.axes(group.features);
  }

  std::vector<double> rest() const {
    std::vector<double> slope(v_.size());
    for (std::size_t i = 0; i < slope.size(); ++i) slope[i] = losses_.slope(i) + v_[i];
    return slope;
  }

  // dm/dw . A'' dm/dw, about twice what is left to gain.
  double unrest() const {
    const std::vector<double> slope = rest();
    std::vector<double> turned(slope.size());
    GroupCurvature(partition_, v_).product(slope, turned);
    double sum = 0;
    for (std::size_t i = 0; i < slope.size(); ++i) sum += slope[i] * turned[i];
    return sum;
  }

  void sweep_until_slow(int most) {
    double all = 0;
    for (int sweep = 0; sweep < most; ++sweep) {
      double moved = 0;
      if constexpr (SeparablePartition<A>) {
        for (std::size_t i = 0; i < v_.size(); ++i) moved += minimise_feature(i);
      } else {
        for (std::size_t g = 0; g < groups_.size(); ++g) moved += minimise_group(g);
      }
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

  // The same for the features of a group, along the axes of M among them.
  double minimise_group(std::size_t g) {
    const Group& group = groups_[g];
    const std::size_t size = group.features.size();
    std::vector<double> goal(size, 0.0), v(size), w(size);
    const auto along = [&](std::size_t j) { return std::span(group.axes.directions).subspan(j * size, size); };
    for (std::size_t j = 0; j < size; ++j) {
      double at = 0, slope = 0;
      for (std::size_t i = 0; i < size; ++i) {
        at += along(j)[i] * w_[group.features[i]];
        slope += along(j)[i] * losses_.slope(group.features[i]);
      }
      goal[j] = group.axes.bends[j] * at - slope;
    }
    partition_.least(static_cast<Index>(g), group.axes.bends, goal, v, w);
    std::vector<double> to_v(size, 0.0), to_w(size, 0.0);
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t i = 0; i < size; ++i) to_v[i] += along(j)[i] * v[j], to_w[i] += along(j)[i] * w[j];
    }
    double gain = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t feature = group.features[i];
      gain -= (to_w[i] - w_[feature]) * (losses_.slope(feature) + v_[feature]);
    }
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t feature = group.features[i];
      losses_.move(feature, to_w[i] - w_[feature]);
      v_[feature] = to_v[i], w_[feature] = to_w[i];
    }
    return gain;
  }

  void step() {
    std::vector<double> d(v_.size()), kappa(static_cast<std::size_t>(partition_.group_count()));
    partition_.curvature(v_, d, kappa);
    search(losses_.newton(CurvatureRoot(d, kappa, partition_.group_of(), v_), rest()));
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
  Losses losses_;
  std::vector<Group> groups_;  // none where each feature is its own
  std::vector<double> v_, w_;
};

}  // namespace medlar
