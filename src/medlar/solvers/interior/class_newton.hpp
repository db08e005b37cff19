// Newton's method for generative models (docs/theory.md#generative, #generative-switches, #anomalies): primal-dual
// interior-point steps on lambda, with the domain of A as its own barrier.
//
// Both ends of each multiplier's domain carry a barrier multiplier; an open end of psi brings its own logarithm along.
// A is not followed by a variable of its own: a step is cut back so that no quantity of its domain shrinks more than
// tenfold, and until the barrier function rises. lambda starts near 0, where the priors lie well inside. Margins of
// thousands of nats stand beside margins of a few: hence each multiplier has a barrier of its own size, and a step goes
// either straight or with every multiplier stopped at its own end, whichever lifts the barrier function more.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "medlar/numerics/backtrack.hpp"
#include "medlar/problem/run.hpp"
#include "medlar/problem/settle.hpp"
#include "medlar/solvers/newton/class_system.hpp"
#include "medlar/solvers/solution.hpp"
#include "medlar/thresholds/direct_factor.hpp"

namespace medlar {

template <class P>
class ClassNewton {
 public:
  // `wanted` is the bias to take where the losses do not decide.
  ClassNewton(const P& problem, const Limits& limits, Observer* observer, std::vector<double> wanted)
      : problem_(problem),
        limits_(limits),
        run_(limits, observer),
        best_(problem, limits.tolerance),
        system_(problem.constraints, problem.flat(), problem.bias_variance(), classes_apart()),
        wanted_(std::move(wanted)) {}

  Solution solve() {
    run_.report.solver = system_.direct() ? "Newton between classes" : "Newton between classes, by conjugate gradients";
    run_.report.why = "generative model";
    best_.consider(dual_point(problem_, std::vector<double>(problem_.count(), 0.0)));
    best_.consider(primal_point(problem_, best_.dual().v, wanted_));
    record();
    bool stuck = false;
    if (!over()) {
      run_.whole([this] { start(); });
      Patience patience;
      while (!over()) {
        bool moved = false;
        const bool whole = run_.whole([&] {
          moved = step();
          if (moved) consider();
        });
        if (!whole) continue;
        stuck = patience.lost(best_.relative_gap()) || !moved;
        if (stuck) break;
        ++run_.report.iterations;
        record();
      }
    }
    run_.graced([this] { settle(best_, wanted_); });
    // The sentence has the gap of what is handed over.
    if (!over() && stuck) run_.give_up(best_.bounds());
    return {best_.dual(), best_.primal(), run_.finish(best_.bounds(), passes())};
  }

 private:
  bool over() {
    if (!best_.consistent() && std::isfinite(best_.gap())) {
      run_.lost_digits(best_.bounds());
      return true;
    }
    return run_.reached(best_.bounds(), passes());
  }
  bool classes_apart() const {
    if constexpr (requires { problem_.partition.classes_apart(); }) return problem_.partition.classes_apart();
    return false;
  }
  Index passes() const { return passes_ + best_.points() + system_.passes(); }
  void record() { run_.record(best_.bounds(), passes(), "newton"); }

  void consider() {
    DualPoint dual = dual_point(problem_, lambda_);
    best_.consider(primal_point(problem_, dual.v, bias_));
    best_.consider(std::move(dual));
  }

  // lambda_c in proportion to omega_c over the weight of its class, which balances every class; small enough for the
  // domain of A, and for its own.
  void start() {
    const std::size_t count = problem_.count();
    std::vector<double> weight(static_cast<std::size_t>(problem_.constraints.classes), 0.0);
    for (std::size_t c = 0; c < count; ++c)
      weight[static_cast<std::size_t>(problem_.constraints.up[c])] += problem_.omega(c);
    lambda_.resize(count);
    double room = HUGE_VAL;  // to a tenth of the smallest domain
    for (std::size_t c = 0; c < count; ++c) {
      lambda_[c] = problem_.omega(c) / weight[static_cast<std::size_t>(problem_.constraints.up[c])];
      // Without an end: what an example gets whose margin is 1 less than would make it idle.
      const double size = bounded() ? problem_.upper(c) : problem_.multiplier(c, problem_.slope(c, 0) - 1);
      room = std::min(room, 0.1 * size / lambda_[c]);
    }
    for (double& each : lambda_) each *= room;
    const std::vector<double> v = statistics_of(problem_, problem_.constraints.beta(lambda_)), origin(v.size(), 0.0);
    const double inside = problem_.partition.largest_step(origin, v);
    for (double& each : lambda_) each *= inside;
    bias_ = best_.primal().bias;
    lower_.assign(count, 0.0);
    upper_.assign(count, 0.0);
    const std::vector<double> slopes = slopes_at(statistics_of(problem_, problem_.constraints.beta(lambda_)));
    double product = 0;
    for (std::size_t c = 0; c < count; ++c) product += lambda_[c] * std::abs(slopes[c]);
    mu_ = std::max(product / static_cast<double>(count), 1e-6 * mean_omega());
    for (std::size_t c = 0; c < count; ++c) {
      lower_[c] = mu_ / lambda_[c];
      if (bounded()) upper_[c] = (mu_ + problem_.end_weight(c)) / room_at(c);
    }
  }

  double mean_omega() const {
    double sum = 0;
    for (std::size_t c = 0; c < problem_.count(); ++c) sum += problem_.omega(c);
    return sum / static_cast<double>(problem_.count());
  }
  bool bounded() const { return std::isfinite(problem_.psi.domain().upper); }
  double room_at(std::size_t c) const { return problem_.upper(c) - lambda_[c]; }

  // psi' + o - m without the bias, and without the logarithm of an open end.
  std::vector<double> slopes_at(std::span<const double> v) {
    std::vector<double> w(v.size());
    problem_.partition.mean(v, w);
    const std::vector<double> f = scores_of(problem_, w);
    const std::vector<double> none(static_cast<std::size_t>(problem_.constraints.classes), 0.0);
    const std::vector<double> totals = totals_of(problem_, lambda_);
    std::vector<double> slopes = slopes_of(problem_, lambda_);
    for (std::size_t c = 0; c < slopes.size(); ++c) {
      slopes[c] -= problem_.margin(c, f, none);
      if (bounded()) slopes[c] += problem_.end_weight(c) / room_at(c);
      slopes[c] -= problem_.bias_variance() * problem_.constraints.between(c, totals);
    }
    ++passes_;
    return slopes;
  }
  // J with its logarithms, at lambda.
  double barrier_value(std::span<const double> lambda, std::span<const double> v) const {
    const double partition = problem_.partition.value(v);
    if (!std::isfinite(partition)) return -HUGE_VAL;
    pause_after(2 * kNumbersOfALog * lambda.size());
    CompensatedSum sum;
    sum.add(-partition);
    for (const double total : totals_of(problem_, lambda)) sum.add(-0.5 * problem_.bias_variance() * total * total);
    return by_margin(problem_, [&, begun = sum](const auto& own) {
      CompensatedSum all = begun;
      for (std::size_t c = 0; c < lambda.size(); ++c) {
        if (!(lambda[c] > 0)) return -HUGE_VAL;
        all.add(own.value(c, lambda[c]) + own.constraints.offset[c] * lambda[c] + mu_ * std::log(lambda[c]));
        if (bounded()) all.add(mu_ * std::log(own.upper(c) - lambda[c]));
      }
      return std::isnan(all.value()) ? -HUGE_VAL : all.value();
    });
  }

  bool step() {
    const std::size_t count = problem_.count();
    const std::vector<double> v = statistics_of(problem_, problem_.constraints.beta(lambda_));
    const std::vector<double> slopes = slopes_at(v);
    ++passes_;
    std::vector<double> h = curvatures_of(problem_, lambda_), r(count);
    for (std::size_t c = 0; c < count; ++c) {
      h[c] = -h[c] + lower_[c] / lambda_[c];
      r[c] = slopes[c] + mu_ / lambda_[c];
      if (bounded()) {
        h[c] += upper_[c] / room_at(c) - problem_.end_weight(c) / (room_at(c) * room_at(c));
        r[c] -= (mu_ + problem_.end_weight(c)) / room_at(c);
      }
      // A barrier is at least as stiff as keeps a multiplier on its own inside: a wide margin has a strong push.
      const double pull =
          r[c] - (problem_.flat() ? problem_.constraints.between(c, bias_) : 0.0);  // what a flat bias leaves of it
      h[c] = std::max(h[c], pull < 0 ? -pull / lambda_[c] : bounded() ? pull / room_at(c) : 0.0);
    }
    const auto curvature = problem_.partition.curvature(v);
    system_.set_accuracy(std::clamp(0.1 * std::sqrt(best_.relative_gap()), 1e-6, 1e-2));
    system_.assemble(
        std::move(h), [&](std::span<const double> d, std::span<double> out) { curvature.product(d, out); },
        diagonal_of(curvature), cross_of(problem_.partition, curvature));
    std::vector<double> d(count), b(system_.balanced()), missing = system_.received(lambda_);
    for (double& each : missing) each = -each;
    if (!system_.solve(r, missing, d, b)) return false;
    return move(v, d, b);
  }

  // u . A'' u of each constraint, which conjugate gradients want; of so many that they would cost more than they save,
  // the system takes a sample. Where products with A'' are dear, its diagonal stands for all of it.
  template <class Curvature>
  std::vector<double> diagonal_of(const Curvature& curvature) const {
    if (system_.direct() || (system_.by_crosses() && cross_of(problem_.partition, curvature))) return {};
    if constexpr (requires { curvature.diagonal(); }) {
      return problem_.constraints.weighted_squares(curvature.diagonal());
    } else if constexpr (requires(std::span<double> out) { curvature.variances(out, out); }) {
      const double numbers = static_cast<double>(problem_.constraints.examples * problem_.constraints.classes) *
                             static_cast<double>(problem_.constraints.rows->statistics());
      if (!is_worth_an_exact_diagonal(numbers)) return {};
      return class_variances(*problem_.constraints.rows, problem_.constraints, curvature);
    } else {
      return {};
    }
  }

  // Where a part of a step leads, and what the barrier function is there.
  struct Trial {
    std::vector<double> lambda;
    double length = 1, value = -HUGE_VAL;
  };

  bool move(const std::vector<double>& v, const std::vector<double>& d, const std::vector<double>& b) {
    const double before = barrier_value(lambda_, v), least = before - 1e-13 * std::abs(before);
    Trial to = straight(v, d, least);
    if (to.length < 1) {
      Trial other = stopped(v, d, least);
      if (other.value > to.value) to = std::move(other);
    }
    if (!(to.value >= least)) return false;
    for (std::size_t c = 0; c < d.size(); ++c) {
      move_barrier(lower_[c], lambda_[c], d[c], mu_);
      if (bounded()) move_barrier(upper_[c], room_at(c), -d[c], mu_ + problem_.end_weight(c));
    }
    lambda_ = std::move(to.lambda);
    set_bias(b);
    mu_ *= to.length > 0.9 ? 0.1 : to.length > 0.5 ? 0.3 : to.length > 0.1 ? 0.7 : 1.0;
    // Barriers much below what the gap is worth to each constraint would let the ends block every step.
    if (to.length <= 0.9) mu_ = std::max(mu_, kOfTheGap * best_.gap() / static_cast<double>(d.size()));
    return true;
  }

  // Along the straight line, as far as every multiplier keeps a part of its room.
  Trial straight(const std::vector<double>& v, std::span<const double> d, double least) {
    Trial trial{lambda_};
    for (std::size_t c = 0; c < d.size(); ++c) {
      if (d[c] < 0) trial.length = std::min(trial.length, -kBoundary * lambda_[c] / d[c]);
      if (d[c] > 0 && bounded()) trial.length = std::min(trial.length, kBoundary * room_at(c) / d[c]);
    }
    const std::vector<double> dv = statistics_of(problem_, problem_.constraints.beta(d));
    ++passes_;
    std::vector<double> part(dv), there(v);
    for (double& each : part) each *= trial.length;
    trial.length *= problem_.partition.largest_step(v, part);
    trial.length = backtrack(trial.length, 0.5, std::ldexp(trial.length, -kMostCuts), [&](double length) {
      for (std::size_t c = 0; c < d.size(); ++c) trial.lambda[c] = lambda_[c] + length * d[c];
      for (std::size_t i = 0; i < there.size(); ++i) there[i] = v[i] + length * dv[i];
      trial.value = barrier_value(trial.lambda, there);
      return trial.value >= least;
    });
    return trial;
  }

  // Every multiplier as far as it keeps a part of its own room.
  Trial stopped(const std::vector<double>& v, std::span<const double> d, double least) {
    Trial trial{lambda_};
    std::vector<double> dv(v.size());
    for (int cut = 0; cut < kMostCuts; ++cut) {
      for (std::size_t c = 0; c < d.size(); ++c) {
        double& to = trial.lambda[c] = std::max(lambda_[c] + trial.length * d[c], (1 - kBoundary) * lambda_[c]);
        if (bounded()) to = std::min(to, lambda_[c] + kBoundary * room_at(c));
      }
      balance(problem_, trial.lambda);
      const std::vector<double> there = statistics_of(problem_, problem_.constraints.beta(trial.lambda));
      ++passes_;
      for (std::size_t i = 0; i < dv.size(); ++i) dv[i] = there[i] - v[i];
      const double inside = problem_.partition.largest_step(v, dv);
      if (inside == 1 && is_balanced(problem_, trial.lambda, 1e-12)) trial.value = barrier_value(trial.lambda, there);
      if (trial.value >= least) break;
      trial.length *= inside < 1 ? inside : 0.5;
    }
    return trial;
  }

  // z + dz with z dlambda + lambda dz = mu - lambda z, kept above 0; all of it, however short the step of lambda: where
  // an end was met, its barrier is then stiff enough for the next one.
  static void move_barrier(double& z, double distance, double d, double mu) {
    const double dz = (mu - z * d) / distance - z;
    z += dz < 0 ? std::max(dz, -kBoundary * z) : dz;
  }

  void set_bias(const std::vector<double>& b) {
    if (problem_.flat()) {
      std::copy(b.begin(), b.end(), bias_.begin());
      bias_.back() = 0;
      centre(bias_);
    } else if (problem_.bias_variance() > 0) {
      bias_ = totals_of(problem_, lambda_);
      for (double& each : bias_) each *= problem_.bias_variance();
    }
  }

  static constexpr double kBoundary = 0.99;
  static constexpr double kOfTheGap = 0.1;
  static constexpr int kMostCuts = 40;

  const P& problem_;
  Limits limits_;
  Run run_;
  BestPair<P> best_;
  ClassSystem system_;
  std::vector<double> wanted_;
  std::vector<double> lambda_, lower_, upper_, bias_;
  double mu_ = 1;
  Index passes_ = 0;
};

}  // namespace medlar
