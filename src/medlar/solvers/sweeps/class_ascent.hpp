// Dual coordinate ascent between classes (docs/theory.md#several-classes, #sweeps): one example at a time, its
// multipliers against all rivals at the maximum of a quadratic model of J. For linear discriminants without switches or
// with one for each feature in all classes, for counts of many columns, and for any product of families; rows of the
// T(K - 1) constraints are never formed.
//
// Biases are those of an augmented Lagrangian, as in dual_ascent.hpp. Examples that idle are left out until the next
// certificate, which is in double and over everything.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "medlar/linalg/systems/class_sweep.hpp"
#include "medlar/problem/best_pair.hpp"
#include "medlar/problem/run.hpp"
#include "medlar/solvers/solution.hpp"
#include "medlar/thresholds/certificates.hpp"
#include "medlar/thresholds/giving_up.hpp"
#include "medlar/thresholds/near.hpp"
#include "medlar/thresholds/newton_pays.hpp"

namespace medlar {

// `kFamilies`: sweeps for any product of families, else those that the partition has.
template <class P, bool kFamilies = false>
class ClassAscent {
 public:
  ClassAscent(const P& problem, const Limits& limits, Observer* observer)
      : problem_(problem),
        limits_(limits),
        run_(limits, observer),
        best_(problem, limits.tolerance),
        classes_(static_cast<std::size_t>(problem.constraints.classes)),
        sweep_(sweep_over(problem)),
        random_(limits.seed),
        bias_(classes_, 0.0) {
    first_.push_back(0);
    for (std::size_t c = 0; c < problem.count(); ++c) {
      if (static_cast<std::size_t>(problem.constraints.example[c]) >= first_.size()) first_.push_back(c);
    }
    first_.push_back(problem.count());
  }

  using Partition = std::remove_cvref_t<decltype(std::declval<P>().partition)>;
  static constexpr bool kCounts = requires(const Partition& a) { a.counts_only(); };  // of a generative model

  // Whether one switch holds exactly one feature in all classes, or there is none; or all columns are counts.
  static bool suits(const P& problem) {
    if constexpr (kCounts) {
      return problem.partition.counts_only();
    } else if constexpr (Partition::kLinearMean) {
      return true;
    } else {
      const std::span<const Index> group_of = problem.partition.group_of();
      const auto n = static_cast<std::size_t>(problem.constraints.rows->statistics());
      for (std::size_t i = 0; i < group_of.size(); ++i) {
        if (group_of[i] != static_cast<Index>(i % n)) return false;
      }
      for (const double p : problem.partition.prior_inclusion()) {
        if (!(p > 0 && p < 1)) return false;
      }
      return true;
    }
  }

  // From multipliers, V and biases if they are given. Not converged: sweeps have become slow, and another solver must
  // take over.
  Solution solve(std::vector<double> lambda = {}, std::vector<double> v = {}, std::vector<double> bias = {}) {
    run_.report.solver = "ascent between classes";
    set_penalty(0);
    if (!v.empty()) best_.adopt(best_.primal_at(std::move(v), bias_ = std::move(bias)));
    if (!begin_at(std::move(lambda))) {
      lambda_.assign(problem_.count(), 0.0);
      certify();
      begin();
    }
    Index sweeps = kFirstSweepsBetweenClasses;
    int slow = 0;
    while (!run_.reached(best_.bounds(), passes())) {
      const double gap = best_.gap(), objective = best_.dual().objective;
      const Index done = sweeps_;
      ascend(sweeps);
      ++run_.report.iterations;
      if (!run_.graced([&] { certify(); })) continue;
      sweeps = sweeps_after(sweeps, best_.gap(), gap);
      slow = hardly_moved(gap, objective, sweeps_ - done) ? slow + 1 : 0;
      if (best_.relative_gap() > limits_.tolerance && slow >= kMostSlowRounds) {
        run_.give_up(best_.bounds());
        break;
      }
    }
    return {best_.dual(), best_.primal(), run_.finish(best_.bounds(), passes())};
  }

 private:
  static auto sweep_over(const P& problem) {
    const Matrix& x = problem.constraints.rows->matrix();
    const Index classes = problem.constraints.classes;
    if constexpr (kFamilies) {
      return problem.partition.sweep_families(
          [&problem](Index t, std::span<double> u) { problem.constraints.rows->row(t, u); });
    } else if constexpr (kCounts) {
      return problem.partition.sweep(x);
    } else if constexpr (Partition::kLinearMean) {
      return ClassSweep(x, classes, {}, problem.partition.prior_variance());
    } else {
      return ClassSweep(x, classes, problem.partition.prior_inclusion(), problem.partition.prior_variance());
    }
  }
  using Sweep = decltype(sweep_over(std::declval<const P&>()));

  // False: there are none, or J is below that of no multipliers.
  bool begin_at(std::vector<double> lambda) {
    if (lambda.empty()) return false;
    lambda_ = std::move(lambda);
    certify();
    return best_.dual().objective > 0;
  }

  // From the best of the multipliers that balance every class, omega over the weight of its class: J is concave on that
  // ray.
  void begin() {
    if (best_.relative_gap() <= limits_.tolerance) return;
    std::vector<double> weight(classes_, 0.0), unit(problem_.count());
    for (std::size_t c = 0; c < unit.size(); ++c) {
      weight[static_cast<std::size_t>(problem_.constraints.up[c])] += problem_.omega(c);
    }
    double largest = 0;  // of the domain that 1 uses
    for (std::size_t c = 0; c < unit.size(); ++c) {
      unit[c] = problem_.omega(c) / weight[static_cast<std::size_t>(problem_.constraints.up[c])];
      largest = std::max(largest, unit[c] / std::min(problem_.upper(c), 1e8 * problem_.omega(c)));
    }
    const std::vector<double> v1 = statistics_of(problem_, problem_.constraints.beta(unit));
    ++passes_;
    std::vector<double> v(v1.size());
    const auto objective = [&](double scale) {
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = scale * v1[i];
      double value = -problem_.partition.value(v);
      for (std::size_t c = 0; c < unit.size(); ++c) {
        value += problem_.value(c, scale * unit[c]) + problem_.constraints.offset[c] * scale * unit[c];
      }
      return value;
    };
    double scale = 0.5 / largest, highest = 0, best = 0;
    for (int tries = 0; tries < 40; ++tries, scale /= 4) {
      const double value = objective(scale);
      if (value > highest) {
        highest = value, best = scale;
      } else if (best > 0) {
        break;
      }
    }
    if (best == 0) return;
    for (std::size_t c = 0; c < unit.size(); ++c) lambda_[c] = best * unit[c];
    certify();
  }

  // Near the optimum: when too many more sweeps are needed. Far from it: when neither half has moved much.
  bool hardly_moved(double gap_before, double objective_before, Index sweeps) const {
    if (best_.relative_gap() < kNearBetweenClasses) return sweeps_left(gap_before, sweeps) > kMostSweepsLeft;
    return best_.gap() > 0.9 * gap_before && !(best_.dual().objective > 1.1 * objective_before);
  }

  // At the pace of the last ones.
  double sweeps_left(double gap_before, Index sweeps) const {
    const double pace = std::log(gap_before / best_.gap()) / static_cast<double>(std::max<Index>(1, sweeps));
    const double goal = limits_.tolerance * gap_scale(best_.primal().value);
    return pace > 0 ? std::log(std::max(1.0, best_.gap() / goal)) / pace : HUGE_VAL;
  }

  void ascend(Index most) {
    std::vector<std::size_t> active(first_.size() - 1);
    std::iota(active.begin(), active.end(), std::size_t{0});
    double first = 0;
    for (Index sweep = 0; sweep < most && !run_.asked() && passes() < limits_.max_passes; ++sweep) {
      std::shuffle(active.begin(), active.end(), random_);
      raise_biases();
      worth_ = curvature_ = 0;
      std::size_t kept = 0, visits = 0;
      for (const std::size_t t : active) {
        if (++visits % kVisitsBetweenLooks == 0 && run_.asked()) return;
        if (visit(t) || sweep == 0) active[kept++] = t;
      }
      set_penalty(curvature_ / static_cast<double>(std::max<std::size_t>(1, visits)));
      ++sweeps_;
      first = std::max(first, worth_);
      active.resize(kept);
      if (active.empty() || worth_ <= kWorthOfLastSweep * first) return;
    }
  }

  void raise_biases() {
    if (!problem_.biased()) return;
    const std::vector<double> totals = totals_of(problem_, lambda_);
    double largest = 0;
    for (const double total : totals) largest = std::max(largest, std::abs(total));
    if (problem_.flat()) firm_ = std::clamp(largest > 0.9 * imbalance_ ? 1.5 * firm_ : firm_ / 1.5, 1.0, kFirmest);
    imbalance_ = largest;
    for (std::size_t k = 0; k < classes_; ++k) bias_[k] = back() * (bias_[k] + penalty_ * totals[k]);
  }
  void set_penalty(double curvature) { penalty_ = firm_ * kPenalty * (curvature + problem_.least_bend()); }
  // How far a bias with a prior is drawn back to it.
  double back() const { return problem_.bias_variance() > 0 ? 1 / (1 + penalty_ / problem_.bias_variance()) : 1.0; }

  // Moves the multipliers of example t; true unless all idle at 0.
  bool visit(std::size_t t) {
    sweep_.look(static_cast<Index>(t), look_);
    const bool biased = problem_.biased();
    const double share = biased ? back() * penalty_ : 0.0;
    curvature_ += look_.own;
    change_.setZero(static_cast<Eigen::Index>(classes_));
    before_.assign(lambda_.begin() + at(first_[t]), lambda_.begin() + at(first_[t + 1]));
    double rise = 0;  // the slope of J along the move, where it begins
    const typename Sweep::Scores f = look_.f;
    const std::vector<double> bias = bias_;
    bool busy = false, moved = false;
    for (int inside = 0; inside < kInside; ++inside) {
      bool any = false;
      for (std::size_t c = first_[t]; c < first_[t + 1]; ++c) any = raise(c, share) || any;
      moved = moved || any;
      if (!any) break;
    }
    for (std::size_t c = first_[t]; c < first_[t + 1]; ++c) {
      busy = busy || lambda_[c] > 0;
      const double was = before_[c - first_[t]];
      if (lambda_[c] != was) rise += (lambda_[c] - was) * (problem_.slope(c, was) - margin(c, f, bias));
    }
    if (!moved) return busy;
    if (const double part = sweep_.largest_part(static_cast<Index>(t), change_); part < 1) {
      pull_back(t, part, share);
      change_ *= part;
      rise *= part;
    }
    worth_ += rise;
    sweep_.move(static_cast<Index>(t), change_, look_.f);
    if (!Partition::kLinearMean) turn_back(t, rise, share);
    return true;
  }

  double margin(std::size_t c, const typename Sweep::Scores& f, const std::vector<double>& bias) const {
    const auto up = static_cast<std::size_t>(problem_.constraints.up[c]),
               down = static_cast<std::size_t>(problem_.constraints.down[c]);
    return f[at(up)] - f[at(down)] + bias[up] - bias[down] - problem_.constraints.offset[c];
  }

  // One multiplier at the maximum of the model.
  bool raise(std::size_t c, double share) {
    const auto up = at(static_cast<std::size_t>(problem_.constraints.up[c])),
               down = at(static_cast<std::size_t>(problem_.constraints.down[c]));
    const double m = margin(c, look_.f, bias_), lambda = lambda_[c];
    if (lambda == 0 && m >= idle_margin_) return false;
    const double own = look_.round ? 2 * look_.own : look_.q(up, up) + look_.q(down, down) - 2 * look_.q(up, down);
    const double q = std::max(own + 2 * share, 1e-12);
    const double to = problem_.proximal(c, q * lambda - m, q, lambda), d = to - lambda;
    if (d == 0) return false;
    lambda_[c] = to;
    change_[up] += d, change_[down] -= d;
    if (look_.round) {
      look_.f[up] += look_.own * d, look_.f[down] -= look_.own * d;
    } else {
      look_.f += d * (look_.q.col(up) - look_.q.col(down)).array();
    }
    bias_[static_cast<std::size_t>(up)] += share * d, bias_[static_cast<std::size_t>(down)] -= share * d;
    return true;
  }

  // Where switches turned on, the curvature has risen along the way: back by the secant if that was too far.
  void turn_back(std::size_t t, double rise, double share) {
    double slope = 0;
    for (std::size_t c = first_[t]; c < first_[t + 1]; ++c) {
      const double was = before_[c - first_[t]];
      if (lambda_[c] != was) slope += (lambda_[c] - was) * (problem_.slope(c, lambda_[c]) - margin(c, look_.f, bias_));
    }
    if (!(slope < -0.2 * rise && rise > 0)) return;
    const double part = rise / (rise - slope);
    pull_back(t, part, share);
    change_ *= part - 1;
    sweep_.move(static_cast<Index>(t), change_, look_.f);
  }

  // The multipliers of example t and the biases to a part of the way that they went.
  void pull_back(std::size_t t, double part, double share) {
    for (std::size_t c = first_[t]; c < first_[t + 1]; ++c) {
      const double was = before_[c - first_[t]];
      lambda_[c] = was + part * (lambda_[c] - was);
    }
    for (std::size_t k = 0; k < classes_; ++k) bias_[k] += share * (part - 1) * change_[at(k)];
  }

  void certify() {
    DualPoint dual = dual_point(problem_, lambda_);
    const PrimalPoint primal = primal_point(problem_, dual.v, bias_);
    if (problem_.biased() && sweeps_ <= kFirstSweepsBetweenClasses) bias_ = primal.bias;
    if (sweeps_ <= kFirstSweepsBetweenClasses || !problem_.flat()) {
      lambda_ = dual.lambda;  // later on sweeps balance the classes in a better way
      sweep_.start(dual.v);
    } else {
      sweep_.start(statistics_of(problem_, problem_.constraints.beta(lambda_)));
      ++passes_;
    }
    best_.consider(std::move(dual));
    best_.consider(primal);
    run_.record(best_.bounds(), passes(), "ascent");
  }

  Index passes() const { return passes_ + best_.points() + 2 * sweeps_; }
  static std::ptrdiff_t at(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

  static constexpr double kPenalty = 0.01;  // of the mean curvature along a multiplier
  static constexpr double kFirmest = 8;
  static constexpr int kInside = 3;  // rounds over the rivals of an example
  static constexpr std::size_t kVisitsBetweenLooks = 64;

  const P& problem_;
  Limits limits_;
  Run run_;
  BestPair<P> best_;
  std::size_t classes_;
  Sweep sweep_;
  typename Sweep::Look look_;
  typename Sweep::Scores change_;
  std::mt19937_64 random_;
  std::vector<double> lambda_, before_, bias_;
  std::vector<std::size_t> first_;          // of each example's constraints
  double firm_ = 1, imbalance_ = HUGE_VAL;  // how much more an imbalance of classes costs, and the last one
  double penalty_ = 0, curvature_ = 0, worth_ = 0;
  double idle_margin_ = problem_.psi.slope(0);
  Index sweeps_ = 0, passes_ = 0;
};

}  // namespace medlar
