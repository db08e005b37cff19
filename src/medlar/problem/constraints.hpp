// One expected constraint per example and side: E[ u_k . s(Theta) + s_k b - o_k - gamma_k ] >= 0 with u_k = s_k x_t.
//
//   classification   one per example:  s = y_t (+1 or -1), o = 0        margin  m = y_t f(x_t)
//   regression       two per example:  s = +1 and -1,      o = s y_t    margins m = f(x_t) - y_t and y_t - f(x_t)
//
// At the optimum at most one of the two sides of a regression example has lambda > 0 (docs/theory.md#regression), so
// their difference beta_t = lambda_+ - lambda_- says it all. A weight omega makes example t count omega times: psi
// becomes omega psi(lambda / omega), the loss omega times as large, so that weight 2 equals the row twice.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "medlar/matrix.hpp"
#include "medlar/problem/passes.hpp"

namespace medlar {

struct Constraints {
  static constexpr bool kOne = true;  // output

  const Matrix* x = nullptr;
  std::vector<Index> example;  // t
  std::vector<double> sign;    // s_k
  std::vector<double> offset;  // o_k
  std::vector<double> weight;  // omega_k > 0
  double longest = HUGE_VAL;   // at least the length of each row

  Index count() const { return static_cast<Index>(example.size()); }
  Index examples() const { return x->rows(); }

  std::size_t outputs() const { return 1; }
  bool rivals() const { return true; }
  // Regression: a constraint on either side of each example.
  bool two_sided() const { return count() > examples(); }

  // The same over other numbers of the same examples.
  Constraints over(const Matrix& other) const;

  // beta_t = sum of s_k lambda_k over the sides of example t
  std::vector<double> beta(std::span<const double> lambda) const;
  // One pass over the data each.
  std::vector<double> statistics(std::span<const double> beta, Summing summing = Summing::exact) const {
    return medlar::statistics(*x, beta, summing);
  }
  std::vector<double> scores(std::span<const double> w) const { return medlar::scores(*x, w); }
  double margin(std::size_t k, std::span<const double> f, std::span<const double> b) const {
    return sign[k] * (f[static_cast<std::size_t>(example[k])] + b[0]) - offset[k];
  }
};

// y holds +1 or -1; weights are empty or positive.
Constraints classification_constraints(const Matrix& x, std::span<const int> y, std::span<const double> weights);
Constraints regression_constraints(const Matrix& x, std::span<const double> y, std::span<const double> weights);

}  // namespace medlar
