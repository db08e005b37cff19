// Descent of F over features, where a sparse matrix has too many examples and too many features for a factor on either
// side, and sweeps over examples have become slow (theory 11). Each step takes the losses as a parabola, leaves A* as
// it is, and goes to about the least point of both, one feature after the other: for each the turn of its switch is
// exact, which no step over examples can say. Then F is searched on the line to there.
//
// The bends of a loss hold near by only; where the line ends soon they are firmed, that is, moved towards the largest
// bend that a loss has anywhere, with which no step would be too long.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/sparse_parabola.hpp"
#include "medlar/solvers/best_pair.hpp"
#include "medlar/solvers/feature_model.hpp"
#include "medlar/solvers/primal_line.hpp"
#include "medlar/solvers/stopping.hpp"

namespace medlar {

template <class P>
class FeatureDescent {
 public:
  // Losses must bend.
  static bool suits(const P& problem, Index largest_factor) {
    const Matrix& x = *problem.constraints.x;
    return x.is_sparse() && std::min(x.rows(), x.columns()) > largest_factor && problem.psi.curvature(0) < 0;
  }

  // `told` hears of each step, for the trace; it says whether there may be more.
  FeatureDescent(const P& problem, BestPair<P>& best, Stopping& stopping, double tolerance, std::mt19937_64& random,
                 std::function<bool(Index passes)> told)
      : problem_(problem),
        best_(best),
        stopping_(stopping),
        tolerance_(tolerance),
        random_(random),
        told_(std::move(told)),
        losses_(*problem.constraints.x),
        steepest_(-1 / problem.psi.curvature(0)) {}

  // Steps from the best pair so far until the gap is closed (true), no step helps, or most of the gap is J's: then
  // sweeps over examples do more.
  bool descend(Index most_steps) {
    AnsweredPoint point{best_.primal(), {}, {}};
    answer(problem_, point);
    for (Index count = 0; count < most_steps && best_.relative_gap() > tolerance_ && !stopping_.asked(); ++count) {
      const double before = point.value;
      double reached = 0;
      const bool whole = stopping_.whole([&] { reached = search_line(problem_, point, least_of_model(point), 1); });
      if (!whole || !(point.value < before)) break;
      firmness_ = reached < 0.5   ? std::min(1.0, 3 * firmness_)
                  : reached > 1.5 ? std::max(kSoft, firmness_ / 2)
                                  : firmness_;
      best_.consider(point);
      if (!stopping_.graced([&] { best_.consider(dual_point(problem_, multipliers(point))); })) break;
      ++steps_, passes_ += 1;
      if (best_.relative_gap() <= tolerance_) {
        measure_anew(problem_, point);
        best_.replace(point);
      }
      if (!told_(passes_) || before - point.value < kMine * best_.gap()) break;
    }
    return best_.relative_gap() <= tolerance_;
  }

  Index passes() const { return passes_; }
  Index steps() const { return steps_; }

 private:
  Goal least_of_model(const AnsweredPoint& point) {
    std::vector<double> bend(static_cast<std::size_t>(problem_.constraints.examples()), 0.0);
    for (std::size_t k = 0; k < problem_.count(); ++k) {
      double& each = bend[problem_.example(k)];
      each = std::max(each, point.bend[k] + firmness_ * (problem_.omega(k) * steepest_ - point.bend[k]));
    }
    losses_.start(problem_.constraints.signed_multipliers(point.lambda), std::move(bend));
    ++passes_;
    v_ = point.v;
    w_ = point.w;
    active_.resize(v_.size());
    std::iota(active_.begin(), active_.end(), std::size_t{0});
    double most = 0;  // that a sweep was worth
    for (int sweep = 0; sweep < kMostSweeps && !active_.empty() && !stopping_.asked(); ++sweep) {
      const double worth = sweep_once(sweep > 0 ? kIdle * most / static_cast<double>(v_.size()) : -1.0);
      settle_bias(point.bias);
      most = std::max(most, worth);
      if (worth < kSlow * most) break;
    }
    return {{}, w_, losses_.bias()};
  }

  // Over the active features; those whose move is worth no more than `idle` rest until the next model.
  double sweep_once(double idle) {
    std::shuffle(active_.begin(), active_.end(), random_);
    double all = 0;
    std::size_t kept = 0;
    const Matrix& x = *problem_.constraints.x;
    const auto entries = static_cast<std::size_t>(x.stored() / std::max<Index>(1, x.columns()));
    Pauses pauses;
    for (const std::size_t i : active_) {
      pauses.after(4 * kNumbersOfALog + 2 * entries);
      const double bend = losses_.bend(i);
      const FeatureMove to =
          least_along(problem_.partition, i, bend, bend * w_[i] - losses_.slope(i), v_[i], kAccuracy);
      const double change = to.w - w_[i], worth = change * (bend * change + to.v - v_[i]);
      v_[i] = to.v, w_[i] = to.w;
      losses_.move(i, change);
      all += worth;
      if (worth > idle) active_[kept++] = i;
    }
    passes_ += static_cast<Index>(2 * active_.size() / v_.size());
    active_.resize(kept);
    return all;
  }

  void settle_bias(double from) {
    if (problem_.bias.kind == BiasPrior::Kind::none) return;
    const double variance = problem_.bias_variance(), precision = variance > 0 ? 1 / variance : 0.0;
    losses_.settle_bias((from + losses_.bias()) * precision, precision);
  }

  // Those of the model at its least point, inside their domain.
  std::vector<double> multipliers(const AnsweredPoint& point) const {
    std::vector<double> lambda(problem_.count());
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      const double to = problem_.sign(k) * losses_.multipliers()[problem_.example(k)], end = problem_.upper(k);
      lambda[k] = std::max(0.0, to < end ? to : problem_.psi.domain().closed ? end : 0.5 * (point.lambda[k] + end));
    }
    return lambda;
  }

  static constexpr double kMine = 0.02;  // of the gap: a step over features that lowers F by less is not worth it
  static constexpr int kMostSweeps = 20;
  static constexpr double kSlow = 0.02;      // of what the best sweep was worth
  static constexpr double kIdle = 1e-3;      // of the mean worth of a feature
  static constexpr double kAccuracy = 1e-6;  // of V along a feature
  static constexpr double kSoft = 0.02;      // least firmness

  const P& problem_;
  BestPair<P>& best_;
  Stopping& stopping_;
  double tolerance_;
  std::mt19937_64& random_;
  std::function<bool(Index passes)> told_;
  SparseParabola losses_;
  double steepest_;  // bend of a loss of weight 1
  double firmness_ = 0.1;
  std::vector<double> v_, w_;
  std::vector<std::size_t> active_;
  Index passes_ = 0, steps_ = 0;
};

}  // namespace medlar
