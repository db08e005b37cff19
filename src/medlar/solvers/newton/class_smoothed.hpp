// Newton between classes where losses have kinks, or all but kinks (hinge, large c): on losses that are smoothed by
// logarithms of weight mu (priors/margins/smoothed.hpp), as mu falls to 0. Each stage ends when its own gap is what the
// smoothing costs anyway; every pair is measured on the losses as they are.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "medlar/problem/best_pair.hpp"
#include "medlar/solvers/newton/primal_newton.hpp"
#include "medlar/thresholds/giving_up.hpp"

namespace medlar {

template <class P, MarginPotential Smoothed>
class ClassSmoothed {
 public:
  // `psi` is the problem's, with the logarithm that it brings along at its end (1 or 0).
  ClassSmoothed(const P& problem, const Smoothed& psi, const Limits& limits, Observer* observer)
      : problem_(problem),
        psi_(psi),
        limits_(limits),
        observer_(observer),
        run_(limits, observer),
        best_(problem, limits.tolerance) {}

  // From V and biases if they are given.
  Solution solve(std::vector<double> v = {}, std::vector<double> bias = {}) {
    run_.report.solver = "Newton between classes over features, on smoothed losses";
    const std::size_t size = static_cast<std::size_t>(problem_.partition.dimension());
    const std::vector<double> none(static_cast<std::size_t>(problem_.constraints.classes), 0.0);
    best_.adopt(dual_point(problem_, std::vector<double>(problem_.count(), 0.0)));
    best_.adopt(measured(std::vector<double>(size, 0.0), none));
    if (v.empty()) v.assign(size, 0.0), bias = none;
    run_.graced([&] { best_.adopt(measured(v, bias)); });
    run_.record(best_.bounds(), passes_, "smoothed");
    double weight = 0;
    for (std::size_t c = 0; c < problem_.count(); ++c) weight += problem_.omega(c);
    double mu = kFirst * best_.primal().value / weight;
    int idle = 0;
    while (!run_.reached(best_.bounds(), passes_)) {
      const double before = best_.gap();
      const Solution found = stage(mu, weight, v, bias);
      v = found.primal.v, bias = found.primal.bias;
      run_.graced([&] {
        best_.adopt(measured(v, bias));
        best_.adopt(dual_point(problem_, found.dual.lambda));
      });
      run_.record(best_.bounds(), passes_, "smoothed");
      idle = best_.gap() > 0.9 * before ? idle + 1 : 0;
      if (idle > kMostIdleStages && best_.relative_gap() > limits_.tolerance) {
        run_.give_up(best_.bounds());
        break;
      }
      mu *= kSmaller;
    }
    return {best_.dual(), best_.primal(), run_.finish(best_.bounds(), passes_)};
  }

 private:
  Solution stage(double mu, double weight, const std::vector<double>& v, const std::vector<double>& bias) {
    Smoothed psi = psi_;
    psi.mu = mu;
    psi.end = std::max(psi_.end, mu);
    psi.shift = kShift * mu;
    const Problem smooth{psi, problem_.partition, problem_.constraints, problem_.bias};
    Limits limits = limits_;
    const double size = best_.primal().value + psi.shift * weight;  // of its F, about
    limits.tolerance = std::clamp(kOwnGap * mu * weight / size, 0.1 * limits_.tolerance, 0.1);
    limits.max_seconds = std::max(0.0, limits_.max_seconds - run_.seconds());
    limits.max_passes = std::max<Index>(1, limits_.max_passes - passes_);
    Solution found = PrimalNewton(smooth, limits, observer_).solve({v, bias, {}});
    passes_ += found.report.passes;
    run_.report.iterations += found.report.iterations;
    return found;
  }

  PrimalPoint measured(const std::vector<double>& v, const std::vector<double>& bias) {
    PrimalPoint point = scored_point(problem_, v);
    point.bias = bias;
    point.value = primal_value(problem_, point, bias);
    ++passes_;
    return point;
  }

  static constexpr double kFirst = 0.1, kSmaller = 0.1;  // mu: of F per constraint; from stage to stage
  static constexpr double kOwnGap = 0.3;                 // of what the smoothing costs
  static constexpr double kShift = 40;                   // in units of mu: e^-40 c is less than any multiplier

  const P& problem_;
  Smoothed psi_;
  Limits limits_;
  Observer* observer_;
  Run run_;
  BestPair<P> best_;
  Index passes_ = 0;
};

}  // namespace medlar
