// What the examples add to the total KL divergence, as a function of the expected coefficients w and the bias b
// (docs/theory.md#latent). For frozen Q it is sum_t omega_t [loss(E_Q[y L]) + KL(Q_t || P0)], which is convex. With the
// best Q for every w and b it is sum_t omega_t D_t, which is not. Both have the same slope: minus the expected features
// times the multipliers.
#pragma once

#include <span>
#include <vector>

#include "medlar/matrix.hpp"
#include "medlar/models/latent/variables/belief.hpp"
#include "medlar/priors/margins/margin.hpp"

namespace medlar {

struct TermSum {
  double value = 0;
  double divergence = 0;            // the part of it that is sum_t omega_t KL(Q_t || P0)
  std::vector<double> v;            // sum_t omega_t lambda_t E_Q[y phi]: minus the slope in w
  double s = 0;                     // sum_t omega_t lambda_t E_Q[y]: minus the slope in b
  std::vector<double> multipliers;  // omega_t lambda_t E_Q[y] of latent labels; else empty
};

class Terms {
 public:
  virtual ~Terms() = default;
  virtual TermSum at(std::span<const double> w, double b) const = 0;
};

// Rows with a centre subtracted but never formed, so that sparse rows stay sparse.
struct CentredRows {
  Matrix x;                    // copies share what they hold
  std::vector<double> centre;  // empty: none

  std::vector<double> scores(std::span<const double> w, double b) const;  // w.(x_t - centre) + b
  std::vector<double> statistics(std::span<const double> beta) const;     // sum_t beta_t (x_t - centre)
  double uncentred_bias(std::span<const double> w, double b) const;       // b - w.centre
};

// Q is frozen: row t is E_Q[y phi] = factor_t x_t, and E_Q[y] = label_t.
struct FrozenTerms final : Terms {
  CentredRows rows;
  const Margin* psi = nullptr;
  std::vector<double> factor, label, weight;
  double divergence = 0;

  TermSum at(std::span<const double> w, double b) const override;
};

// The label is the latent variable, P0(y = +1) = belief_t.
struct LabelTerms final : Terms {
  CentredRows rows;
  const Margin* psi = nullptr;
  std::vector<double> belief, weight;

  TermSum at(std::span<const double> w, double b) const override;
  FrozenTerms frozen_prior() const;                               // Q = P0
  FrozenTerms frozen(std::span<const double> w, double b) const;  // the best Q there
};

}  // namespace medlar
