// What the solvers for kernels share (docs/theory.md#kernels): multipliers, scores f_t = v sum_u beta_u k(x_t, x_u),
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

template <class P>
class KernelState {
 public:
  KernelState(const P& problem, const Gram& gram)
      : problem_(problem),
        gram_(gram),
        phi_(problem),
        scale_(problem.partition.prior_variance()),
        beta_(phi_.examples(), 0.0),
        certified_(phi_.examples(), 0.0),
        f_(phi_.examples(), 0.0) {}

  std::vector<double>& beta() { return beta_; }
  const std::vector<double>& beta() const { return beta_; }
  const std::vector<double>& f() const { return f_; }  // at the last certificate, in double
  const SignedPotential<P>& phi() const { return phi_; }
  double scale() const { return scale_; }  // v
  double curvature(std::size_t t) const { return scale_ * gram_.diagonal(static_cast<Index>(t)); }

  double sum() const { return compensated_sum(beta_); }

  // Balances beta under a flat bias, brings f up to it, and takes both halves of the certificate there.
  void certify() {
    std::vector<double> lambda = multipliers_of(problem_, beta_);
    balance(problem_, lambda);
    beta_ = problem_.constraints.beta(lambda);
    refresh();
    ++certificates_;
    CompensatedSum form;
    for (std::size_t t = 0; t < beta_.size(); ++t) form.add(0.5 * beta_[t] * f_[t]);
    const double objective = dual_bound(problem_, form.value(), lambda, beta_);
    if (objective > bounds_.objective) bounds_.objective = objective, best_beta_ = beta_;
    const std::vector<double> b = best_bias(problem_, f_, {bias_});
    consider_primal(form.value(), b[0]);
    bias_ = b[0];
  }

  // Where F is minimal on an interval of biases (hinge, svr), its middle.
  void settle_bias() {
    if (!problem_.flat() || problem_.smooth()) return;
    const double b = middle_bias(problem_, best_f_, best_bias_);
    const double value = primal_bound(problem_, best_form_, best_f_, {&b, 1});
    double& primal = bounds_.primal;
    if (value <= primal + 1e-12 * std::abs(primal)) best_bias_ = b, primal = std::max(primal, value);
  }

  const Bounds& bounds() const { return bounds_; }
  double objective() const { return bounds_.objective; }
  double relative_gap() const { return bounds_.relative_gap(); }
  double bias() const { return bias_; }
  const std::vector<double>& best_beta() const { return best_beta_; }
  const std::vector<double>& best_primal_beta() const { return primal_beta_; }
  double best_primal_bias() const { return best_bias_; }
  const std::vector<double>& best_f() const { return best_f_; }
  Index certificates() const { return certificates_; }
  // Rows that a certificate would need now, if it would not begin anew.
  Index changed() const {
    Index count = 0;
    for (std::size_t t = 0; t < beta_.size(); ++t) count += beta_[t] != certified_[t];
    return count;
  }
  Index evaluated() const { return evaluated_; }  // rows of the kernel in double so far

 private:
  // f += v K (beta - the beta of f); anew when most multipliers have changed.
  void refresh() {
    std::vector<Index> changed, support;
    for (std::size_t t = 0; t < beta_.size(); ++t) {
      if (beta_[t] != certified_[t]) changed.push_back(static_cast<Index>(t));
      if (beta_[t] != 0) support.push_back(static_cast<Index>(t));
    }
    const bool anew = changed.size() >= support.size();
    if (anew) {
      std::fill(f_.begin(), f_.end(), 0.0);
      std::fill(certified_.begin(), certified_.end(), 0.0);
      changed = std::move(support);
    }
    std::vector<double> weights;
    for (const Index t : changed) {
      const auto at = static_cast<std::size_t>(t);
      weights.push_back(scale_ * (beta_[at] - certified_[at]));
    }
    gram_.add_scores(changed, weights, f_);
    evaluated_ += std::ssize(changed);
    certified_ = beta_;
  }

  void consider_primal(double form, double b) {
    const double value = primal_bound(problem_, form, f_, {&b, 1});
    if (!(value < bounds_.primal)) return;
    bounds_.primal = value, best_form_ = form, best_bias_ = b, best_f_ = f_, primal_beta_ = beta_;
  }

  const P& problem_;
  const Gram& gram_;
  SignedPotential<P> phi_;
  double scale_;
  std::vector<double> beta_, certified_, f_;
  std::vector<double> best_beta_, primal_beta_, best_f_;
  Bounds bounds_;
  double best_form_ = 0, best_bias_ = 0, bias_ = 0;
  Index certificates_ = 0, evaluated_ = 0;
};

}  // namespace medlar
