// Newton's method for generative models (theory 6-8): primal-dual interior-point steps on lambda, with the domain of
// A as its own barrier.
//
// Both ends of each multiplier's domain carry a barrier multiplier; an open end of psi brings its own logarithm along.
// A is not followed by a variable of its own: a step is cut back so that no quantity of its domain shrinks more than
// tenfold, and until the barrier function rises. lambda starts near 0, where the priors lie well inside.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "medlar/solvers/class_best.hpp"
#include "medlar/solvers/class_bias.hpp"
#include "medlar/solvers/class_problem.hpp"
#include "medlar/solvers/class_system.hpp"
#include "medlar/solvers/stopping.hpp"

namespace medlar {

template <class P>
class ClassNewton {
 public:
  // `wanted` is the bias to take where the losses do not decide.
  ClassNewton(const P& problem, const Limits& limits, Observer* observer, std::vector<double> wanted)
      : problem_(problem),
        limits_(limits),
        stopping_(limits, observer),
        system_(problem.rows, problem.constraints, problem.flat(), problem.sigma2()),
        wanted_(std::move(wanted)) {}

  ClassSolution solve() {
    report_.tolerance = limits_.tolerance;
    report_.solver = system_.direct() ? "Newton between classes" : "Newton between classes, by conjugate gradients";
    report_.why = "generative model";
    consider_dual(std::vector<double>(problem_.count(), 0.0));
    consider_primal(best_dual_.v, wanted_);
    record();
    if (!over()) {
      stopping_.whole([this] { start(); });
      Patience patience;
      while (!over()) {
        bool moved = false;
        const bool whole = stopping_.whole([&] {
          moved = step();
          if (!moved) return;
          consider_dual(lambda_);
          consider_primal(class_statistics(problem_, lambda_), bias_);
        });
        if (!whole) continue;
        if (patience.lost(relative_gap()) || !moved) {
          stopping_.give_up(relative_gap(), report_);
          break;
        }
        ++report_.iterations;
        record();
      }
    }
    stopping_.graced([this] { settle(); });
    if (report_.status == Status::converged) over();  // the sentence has the gap of what is handed over
    return finish();
  }

 private:
  bool over() {
    if (best_primal_.value - best_dual_.objective < -1e-9 * (1 + std::abs(best_primal_.value))) {
      stopping_.lost_digits(best_dual_.objective, best_primal_.value, report_);
      return true;
    }
    return stopping_.reached(relative_gap(), passes(), report_);
  }
  double gap() const { return std::max(0.0, best_primal_.value - best_dual_.objective); }
  double relative_gap() const { return gap() / std::max(best_primal_.value, 1e-10); }
  Index passes() const { return passes_ + system_.passes(); }

  void consider_dual(std::vector<double> lambda) {
    ClassDual point = class_dual(problem_, std::move(lambda));
    ++passes_;
    if (point.objective > best_dual_.objective || best_dual_.lambda.empty()) best_dual_ = std::move(point);
  }

  void consider_primal(std::vector<double> v, std::vector<double> hint) {
    ClassPrimal point;
    point.v = std::move(v);
    point.w.resize(point.v.size());
    problem_.partition.mean(point.v, point.w);
    point.f = class_scores(problem_, point.w);
    point.bias = best_biases(problem_, point.f, std::move(hint));
    point.value = class_conjugate(problem_, point) + class_losses(problem_, point.f, point.bias);
    ++passes_;
    if (point.value < best_primal_.value) best_primal_ = std::move(point);
  }

  void record() {
    TracePoint point;
    point.iteration = report_.iterations;
    point.passes = passes();
    point.objective = best_dual_.objective;
    point.primal = best_primal_.value;
    point.relative_gap = relative_gap();
    point.stage = "newton";
    stopping_.record(point, report_);
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
    const std::vector<double> v = class_statistics(problem_, lambda_), origin(v.size(), 0.0);
    const double inside = problem_.partition.largest_step(origin, v);
    for (double& each : lambda_) each *= inside;
    bias_ = best_primal_.bias;
    lower_.assign(count, 0.0);
    upper_.assign(count, 0.0);
    const std::vector<double> slopes = slopes_at(class_statistics(problem_, lambda_));
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
    const std::vector<double> f = class_scores(problem_, w);
    const std::vector<double> none(static_cast<std::size_t>(problem_.constraints.classes), 0.0);
    const std::vector<double> totals = class_totals(problem_, lambda_);
    std::vector<double> slopes(problem_.count());
    for (std::size_t c = 0; c < slopes.size(); ++c) {
      slopes[c] = problem_.slope(c, lambda_[c]) - problem_.margin(c, f, none);
      if (bounded()) slopes[c] += problem_.end_weight(c) / room_at(c);
      slopes[c] -= problem_.sigma2() * total_of(totals, c);
    }
    ++passes_;
    return slopes;
  }
  double total_of(std::span<const double> totals, std::size_t c) const {
    const double down =
        problem_.constraints.down[c] < 0 ? 0.0 : totals[static_cast<std::size_t>(problem_.constraints.down[c])];
    return totals[static_cast<std::size_t>(problem_.constraints.up[c])] - down;
  }

  // J with its logarithms, at lambda.
  double barrier_value(std::span<const double> lambda, std::span<const double> v) const {
    const double partition = problem_.partition.value(v);
    if (!std::isfinite(partition)) return -HUGE_VAL;
    CompensatedSum sum;
    sum.add(-partition);
    for (const double total : class_totals(problem_, lambda)) sum.add(-0.5 * problem_.sigma2() * total * total);
    for (std::size_t c = 0; c < lambda.size(); ++c) {
      if (!(lambda[c] > 0)) return -HUGE_VAL;
      sum.add(problem_.value(c, lambda[c]) + problem_.constraints.offset[c] * lambda[c] + mu_ * std::log(lambda[c]));
      if (bounded()) sum.add(mu_ * std::log(problem_.upper(c) - lambda[c]));
    }
    return std::isnan(sum.value()) ? -HUGE_VAL : sum.value();
  }

  bool step() {
    const std::size_t count = problem_.count();
    const std::vector<double> v = class_statistics(problem_, lambda_);
    const std::vector<double> slopes = slopes_at(v);
    std::vector<double> h(count), r(count);
    for (std::size_t c = 0; c < count; ++c) {
      h[c] = -problem_.curvature(c, lambda_[c]) + lower_[c] / lambda_[c];
      r[c] = slopes[c] + mu_ / lambda_[c];
      if (!bounded()) continue;
      h[c] += upper_[c] / room_at(c) - problem_.end_weight(c) / (room_at(c) * room_at(c));
      r[c] -= (mu_ + problem_.end_weight(c)) / room_at(c);
    }
    const auto curvature = problem_.partition.curvature(v);
    std::vector<double> diagonal;  // where products with A'' are dear, that of A'' stands for all of it
    if constexpr (requires { curvature.diagonal(); }) {
      if (!system_.direct()) diagonal = problem_.constraints.weighted_squares(problem_.rows, curvature.diagonal());
    }
    system_.assemble(
        std::move(h), [&](std::span<const double> d, std::span<double> out) { curvature.product(d, out); },
        std::move(diagonal));
    std::vector<double> d(count), b(system_.balanced()), missing = system_.received(lambda_);
    for (double& each : missing) each = -each;
    if (!system_.solve(r, missing, d, b)) return false;
    return move(v, d, b);
  }

  bool move(const std::vector<double>& v, const std::vector<double>& d, const std::vector<double>& b) {
    const std::size_t count = problem_.count();
    double length = 1;
    for (std::size_t c = 0; c < count; ++c) {
      if (d[c] < 0) length = std::min(length, -kBoundary * lambda_[c] / d[c]);
      if (d[c] > 0 && bounded()) length = std::min(length, kBoundary * room_at(c) / d[c]);
    }
    std::vector<double> dv = class_statistics(problem_, d), part(dv), next(count), there(v);
    for (double& each : part) each *= length;
    length *= problem_.partition.largest_step(v, part);
    const double before = barrier_value(lambda_, v);
    bool risen = false;
    for (int cut = 0; cut < 40 && !risen; ++cut, length *= risen ? 1.0 : 0.5) {
      for (std::size_t c = 0; c < count; ++c) next[c] = lambda_[c] + length * d[c];
      for (std::size_t i = 0; i < there.size(); ++i) there[i] = v[i] + length * dv[i];
      const double value = barrier_value(next, there);
      risen = value >= before - 1e-13 * std::abs(before);
      ++passes_;
    }
    if (!risen) return false;
    for (std::size_t c = 0; c < count; ++c) {
      move_barrier(lower_[c], lambda_[c], d[c], length, mu_);
      if (bounded()) move_barrier(upper_[c], room_at(c), -d[c], length, mu_ + problem_.end_weight(c));
    }
    lambda_ = std::move(next);
    set_bias(b);
    mu_ *= length > 0.9 ? 0.1 : length > 0.5 ? 0.3 : length > 0.1 ? 0.7 : 1.0;
    return true;
  }

  // z + dz with z dlambda + lambda dz = mu - lambda z, kept above 0.
  static void move_barrier(double& z, double distance, double d, double length, double mu) {
    const double dz = (mu - z * d) / distance - z;
    const double part = dz < 0 ? std::min(length, -kBoundary * z / dz) : length;
    z += part * dz;
  }

  void set_bias(const std::vector<double>& b) {
    if (problem_.flat()) {
      std::copy(b.begin(), b.end(), bias_.begin());
      bias_.back() = 0;
      centre(bias_);
    } else if (problem_.sigma2() > 0) {
      bias_ = class_totals(problem_, lambda_);
      for (double& each : bias_) each *= problem_.sigma2();
    }
  }

  // Idle multipliers become exactly 0, and a bias that the losses leave open goes to where it is wanted; never at the
  // cost of the certificate.
  void settle() {
    const double allowed = std::max(gap(), limits_.tolerance * std::max(best_primal_.value, 1e-10));
    std::vector<double> lambda = best_dual_.lambda;
    for (std::size_t c = 0; c < lambda.size(); ++c) {
      const double margin = problem_.margin(c, best_primal_.f, best_primal_.bias);
      if (problem_.multiplier(c, margin) == 0) lambda[c] = 0;
      if (problem_.psi.domain().closed && margin < problem_.slope(c, 0) && lambda[c] > (1 - 1e-6) * problem_.upper(c))
        lambda[c] = problem_.upper(c);
    }
    ClassDual point = class_dual(problem_, std::move(lambda));
    if (best_primal_.value - point.objective <= allowed) best_dual_ = std::move(point);
    if (!problem_.flat()) return;
    const double losses = class_losses(problem_, best_primal_.f, best_primal_.bias);
    // The bias may move where the losses are equal to their last digits.
    const std::vector<double> moved = nearest_biases(problem_, best_primal_.f, best_primal_.bias, wanted_,
                                                     losses + 1e-3 * limits_.tolerance * best_primal_.value);
    const double value = class_conjugate(problem_, best_primal_) + class_losses(problem_, best_primal_.f, moved);
    if (value - best_dual_.objective > allowed) return;
    best_primal_.bias = moved;
    best_primal_.value = value;
  }

  ClassSolution finish() {
    report_.objective = best_dual_.objective;
    report_.primal = best_primal_.value;
    report_.gap = gap();
    report_.relative_gap = relative_gap();
    report_.passes = passes();
    report_.seconds = stopping_.seconds();
    return {std::move(best_dual_), std::move(best_primal_), std::move(report_)};
  }

  static constexpr double kBoundary = 0.99;

  const P& problem_;
  Limits limits_;
  Stopping stopping_;
  ClassSystem system_;
  std::vector<double> wanted_;
  ClassDual best_dual_;
  ClassPrimal best_primal_;
  std::vector<double> lambda_, lower_, upper_, bias_;
  double mu_ = 1;
  Report report_;
  Index passes_ = 0;
};

}  // namespace medlar
