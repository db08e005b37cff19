// Newton between classes where losses have kinks, or all but kinks (hinge, large c): on losses that are smoothed by
// logarithms of weight mu (priors/margins/smoothed.hpp), as mu falls to 0. Each stage ends when its own gap is what the
// smoothing costs anyway; every pair is measured on the losses as they are.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "medlar/problem/class_best.hpp"
#include "medlar/solvers/newton/class_primal_newton.hpp"

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
        stopping_(limits, observer),
        best_(problem) {}

  // From V and biases if they are given.
  ClassSolution solve(std::vector<double> v = {}, std::vector<double> bias = {}) {
    report_.tolerance = limits_.tolerance;
    report_.solver = "Newton between classes over features, on smoothed losses";
    const std::size_t size = static_cast<std::size_t>(problem_.partition.dimension());
    const std::vector<double> none(static_cast<std::size_t>(problem_.constraints.classes), 0.0);
    best_.consider(class_dual(problem_, std::vector<double>(problem_.count(), 0.0)));
    best_.consider(measured(std::vector<double>(size, 0.0), none));
    if (v.empty()) v.assign(size, 0.0), bias = none;
    stopping_.graced([&] { best_.consider(measured(v, bias)); });
    best_.record("smoothed", passes_, stopping_, report_);
    double weight = 0;
    for (std::size_t c = 0; c < problem_.count(); ++c) weight += problem_.omega(c);
    double mu = kFirst * best_.primal().value / weight;
    int idle = 0;
    while (!stopping_.reached(best_.relative_gap(), passes_, report_)) {
      const double before = best_.gap();
      const ClassSolution found = stage(mu, weight, v, bias);
      v = found.primal.v, bias = found.primal.bias;
      stopping_.graced([&] {
        best_.consider(measured(v, bias));
        best_.consider(class_dual(problem_, found.dual.lambda));
      });
      best_.record("smoothed", passes_, stopping_, report_);
      idle = best_.gap() > 0.9 * before ? idle + 1 : 0;
      if (idle > kMostIdle && best_.relative_gap() > limits_.tolerance) {
        stopping_.give_up(best_.relative_gap(), report_);
        break;
      }
      mu *= kSmaller;
    }
    return best_.finish(passes_, stopping_, std::move(report_));
  }

 private:
  ClassSolution stage(double mu, double weight, const std::vector<double>& v, const std::vector<double>& bias) {
    Smoothed psi = psi_;
    psi.mu = mu;
    psi.end = std::max(psi_.end, mu);
    psi.shift = kShift * mu;
    const ClassProblem<Smoothed, std::remove_cvref_t<decltype(problem_.partition)>> smooth{
        psi, problem_.partition, problem_.rows, problem_.constraints, problem_.bias};
    Limits limits = limits_;
    const double size = best_.primal().value + psi.shift * weight;  // of its F, about
    limits.tolerance = std::clamp(kOwnGap * mu * weight / size, 0.1 * limits_.tolerance, 0.1);
    limits.max_seconds = std::max(0.0, limits_.max_seconds - stopping_.seconds());
    limits.max_passes = std::max<Index>(1, limits_.max_passes - passes_);
    ClassSolution found = ClassPrimalNewton(smooth, limits, observer_).solve(v, bias);
    passes_ += found.report.passes;
    report_.iterations += found.report.iterations;
    return found;
  }

  ClassPrimal measured(const std::vector<double>& v, const std::vector<double>& bias) {
    ClassPrimal point;
    point.v = v;
    point.w.resize(v.size());
    problem_.partition.mean(v, point.w);
    point.f = class_scores(problem_, point.w);
    point.bias = bias;
    point.value = problem_.partition.conjugate_at(v) + class_losses(problem_, point.f, bias);
    ++passes_;
    return point;
  }

  static constexpr double kFirst = 0.1, kSmaller = 0.1;  // mu: of F per constraint; from stage to stage
  static constexpr double kOwnGap = 0.3;                 // of what the smoothing costs
  static constexpr double kShift = 40;                   // in units of mu: e^-40 c is less than any multiplier
  static constexpr int kMostIdle = 6;

  const P& problem_;
  Smoothed psi_;
  Limits limits_;
  Observer* observer_;
  Stopping stopping_;
  ClassBest<P> best_;
  Report report_;
  Index passes_ = 0;
};

}  // namespace medlar
