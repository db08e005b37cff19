// Several classes by a kernel, fitted jointly (docs/theory.md#kernels, #several-classes): multipliers of the
// constraints between each example's own class and its rivals, scores f_tk = v sum_u r_uk k(x_t, x_u), and both halves
// of the certificate. V is never formed: A = sum_k r_k.f_k/2 = A*.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "medlar/kernels/gram.hpp"
#include "medlar/problem/bounds.hpp"
#include "medlar/problem/certificate.hpp"

namespace medlar {

// P: a Problem with a GaussianPartition; its rows are not looked at.
template <class P>
class ClassKernelState {
 public:
  ClassKernelState(const P& problem, const Gram& gram)
      : problem_(problem),
        gram_(gram),
        lambda_(problem.count(), 0.0),
        beta_(classes() * examples(), 0.0),
        f_(beta_.size(), 0.0),
        bias_(classes(), 0.0) {}

  std::size_t classes() const { return problem_.outputs(); }
  std::size_t examples() const { return static_cast<std::size_t>(problem_.constraints.examples); }
  double scale() const { return problem_.partition.prior_variance(); }  // v

  std::vector<double>& lambda() { return lambda_; }
  const std::vector<double>& lambda() const { return lambda_; }
  const std::vector<double>& f() const { return f_; }  // at the last certificate, class by class, in double
  const std::vector<double>& bias() const { return bias_; }

  // psi' + o - m: the slope of J in one multiplier.
  double slope(std::size_t c) const { return problem_.slope(c, lambda_[c]) - problem_.margin(c, f_, bias_); }

  // Balances lambda under flat biases, brings f up to it, and takes both halves of the certificate there; F with the
  // best biases near the hint, which are also those that later slopes refer to.
  void certify(const std::vector<double>& hint) {
    balance(problem_, lambda_);
    refresh();
    ++certificates_;
    CompensatedSum form;
    for (std::size_t j = 0; j < f_.size(); ++j) form.add(0.5 * beta_[j] * f_[j]);
    bounds_.objective = std::max(bounds_.objective, dual_bound(problem_, form.value(), lambda_, beta_));
    // Where losses have kinks a search class by class need not end at their minimum: the solver's own biases are as
    // good.
    bias_ = problem_.smooth() ? medlar::best_bias(problem_, f_, hint) : hint;
    const double value = primal_bound(problem_, form.value(), f_, bias_);
    if (value < bounds_.primal) bounds_.primal = value, best_beta_ = beta_, best_lambda_ = lambda_, best_bias_ = bias_;
  }

  const Bounds& bounds() const { return bounds_; }
  double objective() const { return bounds_.objective; }
  double relative_gap() const { return bounds_.relative_gap(); }
  // Of the best primal point: what predicts.
  const std::vector<double>& best_beta() const { return best_beta_; }
  const std::vector<double>& best_lambda() const { return best_lambda_; }
  const std::vector<double>& best_bias() const { return best_bias_; }
  Index certificates() const { return certificates_; }

 private:
  // f += v K (r - the r of f), for all classes at once.
  void refresh() {
    std::vector<double> beta = problem_.constraints.beta(lambda_);
    std::vector<Index> changed;
    const std::size_t count = examples();
    for (std::size_t t = 0; t < count; ++t) {
      bool differs = false;
      for (std::size_t k = 0; k < classes(); ++k) differs |= beta[k * count + t] != beta_[k * count + t];
      if (differs) changed.push_back(static_cast<Index>(t));
    }
    std::vector<double> weights;
    for (std::size_t k = 0; k < classes(); ++k) {
      for (const Index t : changed) {
        const std::size_t j = k * count + static_cast<std::size_t>(t);
        weights.push_back(scale() * (beta[j] - beta_[j]));
      }
    }
    if (!changed.empty()) gram_.add_scores(changed, weights, f_);
    beta_ = std::move(beta);
  }

  const P& problem_;
  const Gram& gram_;
  std::vector<double> lambda_, beta_, f_, bias_;
  std::vector<double> best_beta_, best_lambda_, best_bias_;
  Bounds bounds_;
  Index certificates_ = 0;
};

}  // namespace medlar
