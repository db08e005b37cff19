// The one concave problem (docs/theory.md#the-problem):
//
//   J(lambda) = sum_k [ psi_k(lambda_k) + o_k lambda_k ] - A(V) - sigma2 S^2 / 2,    V = sum_t beta_t x_t, S = sum_t
//   beta_t
//
// with psi_k(lambda) = omega_k psi(lambda / omega_k), and S = 0 as a constraint when the bias is flat.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "medlar/core/concepts.hpp"
#include "medlar/numerics/sum.hpp"
#include "medlar/problem/constraints.hpp"

namespace medlar {

struct BiasPrior {
  enum class Kind { flat, none, gaussian };
  Kind kind = Kind::flat;
  double variance = 0;  // gaussian only
  bool flat() const { return kind == Kind::flat; }
};

template <MarginPotential Psi, LogPartition A>
struct Problem {
  Psi psi;
  const A& partition;
  const Constraints& constraints;
  BiasPrior bias;

  // psi_k and its derivatives: example weights enter here and nowhere else.
  double value(std::size_t k, double lambda) const { return omega(k) * psi.value(lambda / omega(k)); }
  double slope(std::size_t k, double lambda) const { return psi.slope(lambda / omega(k)); }
  double curvature(std::size_t k, double lambda) const { return psi.curvature(lambda / omega(k)) / omega(k); }
  double loss(std::size_t k, double margin) const { return omega(k) * psi.loss(margin); }
  double multiplier(std::size_t k, double margin) const { return omega(k) * psi.multiplier(margin); }
  Response respond(std::size_t k, double margin) const {
    const Response one = medlar::respond(psi, margin);
    return {omega(k) * one.loss, omega(k) * one.multiplier, omega(k) * one.bend};
  }
  double upper(std::size_t k) const { return omega(k) * psi.domain().upper; }
  // Weight of the logarithm in psi_k at an open end, psi_k ~ omega_k log(upper - lambda); a closed end has none.
  double end_weight(std::size_t k) const { return psi.domain().closed ? 0.0 : omega(k); }

  // sigma2 as it enters J: 0 without a bias, and for a flat one, which is a constraint instead.
  double bias_variance() const { return bias.kind == BiasPrior::Kind::gaussian ? bias.variance : 0.0; }

  std::size_t count() const { return constraints.example.size(); }
  double omega(std::size_t k) const { return constraints.weight[k]; }
  double sign(std::size_t k) const { return constraints.sign[k]; }
  std::size_t example(std::size_t k) const { return static_cast<std::size_t>(constraints.example[k]); }
  double margin(std::size_t k, std::span<const double> f, double b) const {
    return sign(k) * (f[example(k)] + b) - constraints.offset[k];
  }
};

}  // namespace medlar
