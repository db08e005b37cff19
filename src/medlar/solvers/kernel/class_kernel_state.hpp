// Several classes by a kernel, fitted jointly (docs/theory.md#kernels, #several-classes): multipliers of the
// constraints between each example's own class and its rivals, scores f_tk = v sum_u r_uk k(x_t, x_u), and both halves
// of the certificate. V is never formed: A = sum_k r_k.f_k/2 = A*.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "medlar/kernels/gram.hpp"
#include "medlar/numerics/duality_gap.hpp"
#include "medlar/problem/class_bias.hpp"
#include "medlar/problem/class_problem.hpp"

namespace medlar {

// P: a ClassProblem with a GaussianPartition; its rows are not looked at.
template <class P>
class ClassKernelState {
 public:
  ClassKernelState(const P& problem, const Gram& gram)
      : problem_(problem),
        gram_(gram),
        lambda_(problem.count(), 0.0),
        shares_(classes() * examples(), 0.0),
        f_(shares_.size(), 0.0),
        bias_(classes(), 0.0) {}

  std::size_t classes() const { return static_cast<std::size_t>(problem_.constraints.classes); }
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
    balance_classes(problem_, lambda_);
    refresh();
    ++certificates_;
    CompensatedSum form, dual;
    for (std::size_t j = 0; j < f_.size(); ++j) form.add(0.5 * shares_[j] * f_[j]);
    dual.add(-form.value());
    double size = 0;
    for (const double each : lambda_) size += each;
    for (const double total : class_totals(problem_, lambda_)) {
      dual.add(-0.5 * problem_.sigma2() * total * total);
      if (problem_.flat() && std::abs(total) > 1e-11 * size) dual.add(-HUGE_VAL);  // no point of the dual
    }
    for (std::size_t c = 0; c < lambda_.size(); ++c) {
      dual.add(problem_.value(c, lambda_[c]));
      dual.add(problem_.constraints.offset[c] * lambda_[c]);
    }
    if (dual.value() > objective_) objective_ = dual.value();
    // Where losses have kinks a search class by class need not end at their minimum: the solver's own biases are as
    // good.
    const bool kinked = !(problem_.psi.curvature(0) < 0);
    bias_ = kinked ? hint : best_biases(problem_, f_, hint);
    const double value = form.value() + class_losses(problem_, f_, bias_);
    if (value < primal_) primal_ = value, best_shares_ = shares_, best_lambda_ = lambda_, best_bias_ = bias_;
  }

  double objective() const { return objective_; }
  double primal() const { return primal_; }
  double gap() const { return duality_gap(primal_, objective_); }
  double relative_gap() const { return gap() / std::max(primal_, 1e-10); }
  // Of the best primal point: what predicts.
  const std::vector<double>& best_shares() const { return best_shares_; }
  const std::vector<double>& best_lambda() const { return best_lambda_; }
  const std::vector<double>& best_bias() const { return best_bias_; }
  Index certificates() const { return certificates_; }

 private:
  // f += v K (r - the r of f), for all classes at once.
  void refresh() {
    std::vector<double> shares = problem_.constraints.shares(lambda_);
    std::vector<Index> changed;
    const std::size_t count = examples();
    for (std::size_t t = 0; t < count; ++t) {
      bool differs = false;
      for (std::size_t k = 0; k < classes(); ++k) differs |= shares[k * count + t] != shares_[k * count + t];
      if (differs) changed.push_back(static_cast<Index>(t));
    }
    std::vector<double> weights;
    for (std::size_t k = 0; k < classes(); ++k) {
      for (const Index t : changed) {
        const std::size_t j = k * count + static_cast<std::size_t>(t);
        weights.push_back(scale() * (shares[j] - shares_[j]));
      }
    }
    if (!changed.empty()) gram_.add_scores(changed, weights, f_);
    shares_ = std::move(shares);
  }

  const P& problem_;
  const Gram& gram_;
  std::vector<double> lambda_, shares_, f_, bias_;
  std::vector<double> best_shares_, best_lambda_, best_bias_;
  double objective_ = -HUGE_VAL, primal_ = HUGE_VAL;
  Index certificates_ = 0;
};

}  // namespace medlar
