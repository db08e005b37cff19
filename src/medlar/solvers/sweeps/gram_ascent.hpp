// Ascent over the Gram matrix of the examples instead of their rows, for a Gaussian prior and few examples
// (docs/theory.md#linear, #sweeps): a move of beta_t by s changes all scores by s v K_t, T products where the row takes
// n. Epochs over single multipliers find which of them are free, Newton steps on those do the rest; both are cheap
// beside one pass over the rows, so that this goes on until the certificate, from the rows, should be the last.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "medlar/linalg/example_gram.hpp"
#include "medlar/problem/certificate.hpp"
#include "medlar/simd/row_loops.hpp"
#include "medlar/solvers/kernel/kernel_newton.hpp"
#include "medlar/solvers/kernel/signed_potential.hpp"

namespace medlar {

template <class P>
class GramAscent {
 public:
  GramAscent(const P& problem, std::shared_ptr<const ExampleGram> gram, std::function<bool()> stop)
      : problem_(problem),
        phi_(problem),
        gram_(std::move(gram)),
        stop_(std::move(stop)),
        newton_(problem, *gram_, *this, stop_),
        order_(phi_.examples()) {
    const std::vector<double> none(static_cast<std::size_t>(problem.partition.dimension()), 0.0);
    std::vector<double> mean(none.size());
    problem.partition.mean(none, mean);
    origin_ = scores(*problem.constraints.x, mean);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }
  GramAscent(const GramAscent&) = delete;
  GramAscent& operator=(const GramAscent&) = delete;

  const std::shared_ptr<const ExampleGram>& gram() const { return gram_; }

  // Raises J from beta, whose scores are f, until the relative gap as K tells it is below `goal`, or nothing moves.
  void raise(std::vector<double>& beta, std::vector<double> f, double& bias, double goal, std::mt19937_64& random) {
    beta_.swap(beta);
    f_ = std::move(f);
    bias_ = bias;
    for (int round = 0; round < kMostRounds && !stop_(); ++round) {
      for (int epoch = 0; epoch < kEpochs; ++epoch) sweep(random);
      if (relative_gap() <= goal) break;
      make_feasible();
      const std::vector<double> before = beta_;
      const bool moved = newton_.round();
      follow(before);
      if (relative_gap() <= goal || (!moved && round > 0)) break;
    }
    beta_.swap(beta);
    bias = bias_;
  }

  Index epochs() const { return epochs_; }
  Index steps() const { return newton_.steps(); }

  // What Newton asks for.
  std::vector<double>& multipliers() { return beta_; }
  std::vector<double> totals() const { return {sum()}; }
  const std::vector<double>& f() const { return f_; }
  const SignedPotential<P>& phi() const { return phi_; }
  double scale() const { return problem_.partition.prior_variance(); }
  std::vector<double> bias() const { return {bias_}; }
  double objective() const { return objective_; }

 private:
  static constexpr int kMostRounds = 30;
  static constexpr int kEpochs = 8;          // between Newton's rounds
  static constexpr double kBiasStep = 0.01;  // of the mean curvature: see DualAscent

  double sum() const { return std::accumulate(beta_.begin(), beta_.end(), 0.0); }

  void pull(std::size_t t, double step) { add_scaled_dense(gram_->row(t), step * scale(), f_.data(), f_.size()); }

  // The scores after beta went from `before` to where it is.
  void follow(const std::vector<double>& before) {
    for (std::size_t t = 0; t < beta_.size(); ++t) {
      if (beta_[t] != before[t]) pull(t, beta_[t] - before[t]);
    }
  }

  // Newton keeps the balance of a flat bias, which sweeps only come near.
  void make_feasible() {
    const std::vector<double> before = beta_;
    balance_moved(problem_, beta_);
    follow(before);
  }

  // One epoch: each multiplier to the maximum along its axis. A flat bias is an augmented Lagrangian.
  void sweep(std::mt19937_64& random) {
    const bool flat = problem_.bias.flat();
    double sum_of_all = sum(), sigma2 = problem_.bias_variance();
    if (flat) {
      for (std::size_t t = 0; t < beta_.size(); ++t) sigma2 += kBiasStep * scale() * gram_->diagonal(t);
      sigma2 /= static_cast<double>(beta_.size());
    }
    if (flat) bias_ += sigma2 * sum_of_all;
    if (!flat) bias_ = sigma2 * sum_of_all;
    std::shuffle(order_.begin(), order_.end(), random);
    by_margin(problem_, [&](const auto& own) {
      const SignedPotential phi(own);
      for (const std::size_t t : order_) {
        const double q = scale() * gram_->diagonal(t) + sigma2;
        const double step = phi.best_alone(t, beta_[t], f_[t] + bias_, q) - beta_[t];
        if (step == 0) continue;
        beta_[t] += step;
        bias_ += sigma2 * step;
        pull(t, step);
      }
    });
    ++epochs_;
  }

  // The Fenchel-Young terms of all examples at the bias that is best for their scores, over F; what an imbalance of a
  // flat bias costs is among them, about.
  double relative_gap() {
    const double s = sum(), sigma2 = problem_.bias_variance();
    if (problem_.biased()) bias_ = best_bias(problem_, f_, {bias_})[0];
    struct Sums {
      double gap = 0, primal = 0, weight = 0;
    } begun;
    for (std::size_t t = 0; t < beta_.size(); ++t) begun.primal += 0.5 * beta_[t] * (f_[t] - origin_[t]);
    if (sigma2 > 0) {
      begun.primal += 0.5 * bias_ * bias_ / sigma2;
      begun.gap += 0.5 * std::pow(bias_ - sigma2 * s, 2) / sigma2;
    }
    auto [gap, primal, weight] = by_margin(problem_, [&](const auto& own) {
      Sums sums = begun;
      for (std::size_t k = 0; k < own.count(); ++k) {
        const double margin = own.margin(k, f_, bias_), loss = own.loss(k, margin);
        const double lambda = std::max(0.0, own.sign(k) * beta_[own.example(k)]);
        sums.primal += loss;
        sums.weight += lambda;
        sums.gap += loss - own.value(k, lambda) + lambda * margin;
      }
      return sums;
    });
    if (problem_.bias.flat() && weight > 0) gap += 2 * s * s / weight;
    objective_ = primal - gap;
    return gap / gap_scale(primal);
  }

  const P& problem_;
  SignedPotential<P> phi_;
  std::shared_ptr<const ExampleGram> gram_;
  std::function<bool()> stop_;
  KernelNewton<P, GramAscent, ExampleGram> newton_;
  std::vector<std::size_t> order_;
  std::vector<double> beta_, f_, origin_;  // origin_: the scores of beta = 0
  double bias_ = 0, objective_ = 0;
  Index epochs_ = 0;
};

}  // namespace medlar
