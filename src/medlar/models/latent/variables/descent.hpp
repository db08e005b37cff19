// Descent on the total KL divergence over the expected coefficients and the bias,
//
//   Phi(w, b) = A*(w) + b^2 / (2 sigma2) + terms(w, b),      w = A'(V)
//
// by L-BFGS in V, where A*(A'(V)) = V.w - A(V) in closed form. The slope is A''(V) (V - V_lambda), with V_lambda the V
// of the multipliers. Multiplied by A''^{-1} it is V - V_lambda, the first guess of every step, so features that are
// switched off move as freely as the others. The distance between V and V_lambda gives the duality gap of the convex
// problem with the present Q frozen: F - J = A*(w) + A(V_lambda) - w.V_lambda.
#pragma once

#include <functional>
#include <vector>

#include "medlar/models/latent/variables/prior_view.hpp"
#include "medlar/models/latent/variables/terms.hpp"
#include "medlar/problem/problem.hpp"

namespace medlar {

struct LatentPoint {
  std::vector<double> v, w;
  double bias = 0;
  double value = 0;  // Phi
  TermSum terms;
  // F of the convex problem in which Q is frozen here
  double primal() const { return value - terms.divergence; }
};

class Descent {
 public:
  // A bias of kind none stays at its value in the point. Keeps references to prior and terms.
  Descent(const PriorView& prior, const Terms& terms, BiasPrior bias) : prior_(prior), terms_(terms), bias_(bias) {}

  LatentPoint at(std::vector<double> v, double bias) const;

  // The gap of the convex problem with Q frozen at this point. Under a flat bias J requires s = sum_t lambda_t E_Q[y] =
  // 0. Shrinking the heavier side to reach that costs |b s| to first order, so s counts as |s| (1 + |b|).
  double gap(const LatentPoint& point) const { return coefficient_gap(point) + bias_gap(point); }

  // Descends from `start` until gap <= tolerance * F or nothing moves any more. Calls watch(point, gap) after every
  // step; true ends the descent. Phi never rises.
  using Watch = std::function<bool(const LatentPoint&, double gap)>;
  LatentPoint descend(LatentPoint start, double tolerance, const Watch& watch) const;

  Index evaluations() const { return evaluations_; }

 private:
  double coefficient_gap(const LatentPoint& point) const;
  double bias_gap(const LatentPoint& point) const;
  std::vector<double> slope(const LatentPoint& point) const;
  std::vector<double> scaled(const LatentPoint& point, std::vector<double> slope) const;
  LatentPoint moved(const LatentPoint& point, const std::vector<double>& direction, double step) const;
  bool search(LatentPoint& point, const std::vector<double>& direction, std::vector<double>& slope_there) const;
  LatentPoint settled(LatentPoint point) const;

  const PriorView& prior_;
  const Terms& terms_;
  BiasPrior bias_;
  mutable Index evaluations_ = 0;
};

}  // namespace medlar
