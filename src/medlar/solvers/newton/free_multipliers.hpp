// The free multipliers, neither 0 nor held at an end, and Newton's step of them (docs/theory.md#newton-steps), for
// potentials with curvature: all but hinge and svr. With D = A''(V), h = -psi''(lambda) and g = X^T beta
// - V the step solves
//
//   (diag(h) + X_F D X_F^T) dbeta + b 1 = -X_F D g,     sum dbeta = -sum beta (flat bias)
//
// in T_F dimensions (more features than free examples) or in n (Woodbury).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "medlar/linalg/systems/example_factor.hpp"
#include "medlar/linalg/systems/feature_factor.hpp"
#include "medlar/problem/line.hpp"
#include "medlar/simd/sum_loops.hpp"

namespace medlar {

template <class P>
class FreeMultipliers {
 public:
  // Passes over the data are added to `passes`. `kept`, of few examples, saves most of a step's products.
  FreeMultipliers(const P& problem, Index& passes, std::shared_ptr<CurvedGram> kept = nullptr)
      : problem_(problem),
        passes_(passes),
        examples_(*problem.constraints.x, std::move(kept)),
        features_(*problem.constraints.x) {}

  // Newton's step of beta from lambda, and from the margins and V of `point`; empty if the algebra has no digits left.
  std::vector<double> direction(std::span<const double> lambda, const DualPoint& dual, const PrimalPoint& point) {
    const Matrix& x = *problem_.constraints.x;
    std::vector<double> r = set_free(lambda, point);
    Curvature curvature;
    curvature.d.resize(point.v.size());
    problem_.partition.curvature(point.v, curvature.d, curvature.kappa);
    curvature.v = point.v;
    curvature.sigma2 = problem_.bias_variance();
    curvature.flat = problem_.bias.flat();
    if (dual.v != point.v) {
      std::vector<double> g(point.v.size());
      for (std::size_t i = 0; i < g.size(); ++i) g[i] = curvature.d[i] * (dual.v[i] - point.v[i]);
      for (const Index t : free_) r[static_cast<std::size_t>(t)] -= dot(x.row(t), g);
      ++passes_;
    }
    std::vector<double> step(r.size(), 0.0);
    if (free_.empty()) return {};
    if (std::ssize(free_) <= x.columns()) {
      examples_.assemble(h_, curvature, free_);
      examples_.solve(r, -compensated_sum(dual.beta), step);
    } else {
      if (columns_.empty()) {
        columns_.resize(static_cast<std::size_t>(x.columns()));
        std::iota(columns_.begin(), columns_.end(), Index{0});
      }
      features_.assemble(h_, curvature, columns_);
      features_.solve(r, -compensated_sum(dual.beta), step);
    }
    ++passes_;
    promised_ = 0;
    for (const Index t : free_) promised_ += 0.5 * r[static_cast<std::size_t>(t)] * step[static_cast<std::size_t>(t)];
    if (!std::isfinite(promised_)) step.clear();
    return step;
  }

  // lambda after `length` of the step, kept inside its domain.
  std::vector<double> moved(std::vector<double> lambda, std::span<const double> step, double length) const {
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      const std::size_t t = problem_.example(k);
      if (!std::isfinite(h_[t]) || side_[t] != problem_.sign(k)) continue;
      problem_.move(lambda, k, length * problem_.sign(k) * step[t]);
    }
    return lambda;
  }

  // Which are free where all are those that the margins call for: no slope is left.
  void follow(const AnsweredPoint& point) {
    const auto examples = static_cast<std::size_t>(problem_.constraints.examples());
    h_.assign(examples, std::numeric_limits<double>::infinity());
    side_.assign(examples, 0);
    free_.clear();
    constraint_.clear();
    for (std::size_t k = 0; k < point.lambda.size(); ++k) {
      const std::size_t t = problem_.example(k);
      if (!(point.lambda[k] > 0) || std::isfinite(h_[t])) continue;
      h_[t] = 1 / point.bend[k];
      side_[t] = problem_.sign(k);
      free_.push_back(static_cast<Index>(t));
      constraint_.push_back(k);
    }
  }

  std::span<const Index> examples() const { return free_; }
  std::size_t constraint(std::size_t j) const { return constraint_[j]; }  // of the j-th, after follow()
  const std::vector<double>& metric() const { return h_; }
  double side(Index t) const { return side_[static_cast<std::size_t>(t)]; }
  double promised() const { return promised_; }  // of J, by the last direction
  ExampleFactor& factor() { return examples_; }

 private:
  // Free are the examples with lambda > 0 or a slope upwards; h = -psi'' is infinite elsewhere, which keeps an example
  // out of the system. Returns the slopes of the free ones, with the sign of beta.
  std::vector<double> set_free(std::span<const double> lambda, const PrimalPoint& point) {
    const auto examples = static_cast<std::size_t>(problem_.constraints.examples());
    h_.assign(examples, std::numeric_limits<double>::infinity());
    side_.assign(examples, 0);
    std::vector<double> r(examples, 0.0);
    free_.clear();
    const std::vector<double> slopes = slopes_of(problem_, lambda);
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      const double slope = slopes[k] - problem_.margin(k, point.f, point.bias);
      const std::size_t t = problem_.example(k);
      const bool rises = slope > 0 && lambda[k] < problem_.upper(k), falls = slope <= 0 && lambda[k] > 0;
      if (!(rises || falls) || std::isfinite(h_[t])) continue;
      h_[t] = -problem_.curvature(k, lambda[k]);
      r[t] = problem_.sign(k) * slope;
      side_[t] = problem_.sign(k);
      free_.push_back(static_cast<Index>(t));
    }
    return r;
  }

  const P& problem_;
  Index& passes_;
  ExampleFactor examples_;
  FeatureFactor features_;
  std::vector<Index> free_, columns_;
  std::vector<std::size_t> constraint_;
  std::vector<double> h_, side_;  // per example: metric, and the sign of its free side
  double promised_ = 0;
};

}  // namespace medlar
