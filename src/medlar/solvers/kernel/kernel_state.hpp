// What the solvers for kernels share (docs/theory.md#kernels): multipliers, scores f_tj = v sum_u beta_uj k(x_t, x_u),
// and the certificate of the quadratic log-partition, A = beta.f/2 = A*, in which V is never formed.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "medlar/kernels/gram.hpp"
#include "medlar/problem/bounds.hpp"
#include "medlar/problem/certificate.hpp"
#include "medlar/simd/sum_loops.hpp"
#include "medlar/solvers/kernel/signed_potential.hpp"

namespace medlar {

// P: a Problem with a GaussianPartition; of several outputs its rows are not looked at.
template <class P>
class KernelState {
 public:
  using Potential = MovedPotential<P>;

  KernelState(const P& problem, const Gram& gram)
      : problem_(problem),
        gram_(gram),
        phi_(problem),
        multipliers_(P::kOne ? examples() : problem.count(), 0.0),
        beta_(outputs() * examples(), 0.0),
        f_(beta_),
        bias_(outputs(), 0.0) {}

  std::size_t outputs() const { return problem_.outputs(); }
  std::size_t examples() const { return static_cast<std::size_t>(gram_.size()); }

  // What solvers move: beta_t of one output, lambda_k of several.
  std::vector<double>& multipliers() { return multipliers_; }
  const std::vector<double>& multipliers() const { return multipliers_; }
  std::vector<double>& beta() requires(P::kOne) { return multipliers_; }
  const std::vector<double>& beta() const requires(P::kOne) { return multipliers_; }
  const std::vector<double>& f() const { return f_; }  // at the last certificate, output by output, in double
  const std::vector<double>& bias() const { return bias_; }
  const Potential& phi() const { return phi_; }                         // of what solvers move
  double scale() const { return problem_.partition.prior_variance(); }  // v
  double curvature(std::size_t t) const { return scale() * gram_.diagonal(static_cast<Index>(t)); }

  // What each output receives.
  std::vector<double> totals() const {
    if constexpr (P::kOne) {
      return {compensated_sum(multipliers_)};
    } else {
      return totals_of(problem_, multipliers_);
    }
  }

  // Balances the multipliers under a flat bias, brings f up to them, and takes both halves of the certificate there; F
  // with the best biases near the hint. Where losses have kinks a search output by output need not end at their
  // minimum: the solver's own biases are as good.
  void certify(std::vector<double> hint) {
    std::vector<double> lambda = lambda_of(problem_, multipliers_);
    balance(problem_, lambda);
    refresh(problem_.constraints.beta(lambda));
    ++certificates_;
    CompensatedSum form;
    for (std::size_t i = 0; i < f_.size(); ++i) form.add(0.5 * beta_[i] * f_[i]);
    const double objective = dual_bound(problem_, form.value(), lambda, beta_);
    if constexpr (P::kOne) {
      multipliers_ = beta_;
    } else {
      multipliers_ = std::move(lambda);
    }
    if (objective > bounds_.objective) bounds_.objective = objective, best_beta_ = beta_;
    bias_ = P::kOne || problem_.smooth() ? best_bias(problem_, f_, std::move(hint)) : std::move(hint);
    const double value = primal_bound(problem_, form.value(), f_, bias_);
    if (!(value < bounds_.primal)) return;
    bounds_.primal = value, best_form_ = form.value(), best_bias_ = bias_, best_f_ = f_, primal_beta_ = beta_;
  }
  void certify() { certify(bias_); }

  // Where F is minimal on an interval of biases (hinge, svr), its middle.
  void settle_bias() requires(P::kOne) {
    if (!problem_.flat() || problem_.smooth()) return;
    const std::vector<double> b{middle_bias(problem_, best_f_, best_bias_[0])};
    const double value = primal_bound(problem_, best_form_, best_f_, b);
    double& primal = bounds_.primal;
    if (value <= primal + 1e-12 * std::abs(primal)) best_bias_ = b, primal = std::max(primal, value);
  }

  const Bounds& bounds() const { return bounds_; }
  double objective() const { return bounds_.objective; }
  double relative_gap() const { return bounds_.relative_gap(); }
  const std::vector<double>& best_beta() const { return best_beta_; }
  const std::vector<double>& best_primal_beta() const { return primal_beta_; }  // what predicts
  const std::vector<double>& best_primal_bias() const { return best_bias_; }
  Index certificates() const { return certificates_; }
  // Rows that a certificate would need now, if it would not begin anew.
  Index changed() const requires(P::kOne) {
    Index count = 0;
    for (std::size_t t = 0; t < beta_.size(); ++t) count += multipliers_[t] != beta_[t];
    return count;
  }

 private:
  // f += v K (beta - the beta of f); anew when most multipliers have changed.
  void refresh(std::vector<double> beta) {
    const std::size_t count = examples();
    std::vector<Index> changed, support;
    for (std::size_t t = 0; t < count; ++t) {
      bool differs = false, supports = false;
      for (std::size_t i = t; i < beta.size(); i += count) differs |= beta[i] != beta_[i], supports |= beta[i] != 0;
      if (differs) changed.push_back(static_cast<Index>(t));
      if (supports) support.push_back(static_cast<Index>(t));
    }
    if (changed.size() >= support.size()) {
      std::fill(f_.begin(), f_.end(), 0.0);
      std::fill(beta_.begin(), beta_.end(), 0.0);
      changed = std::move(support);
    }
    std::vector<double> weights;
    for (std::size_t first = 0; first < beta.size(); first += count) {
      for (const Index t : changed) {
        const std::size_t i = first + static_cast<std::size_t>(t);
        weights.push_back(scale() * (beta[i] - beta_[i]));
      }
    }
    if (!changed.empty()) gram_.add_scores(changed, weights, f_);
    beta_ = std::move(beta);
  }

  const P& problem_;
  const Gram& gram_;
  Potential phi_;
  std::vector<double> multipliers_, beta_, f_, bias_;  // beta_: of f_, output by output
  std::vector<double> best_beta_, primal_beta_, best_f_, best_bias_;
  Bounds bounds_;
  double best_form_ = 0;
  Index certificates_ = 0;
};

}  // namespace medlar
