// The one concave problem (docs/theory.md#the-problem, architecture of every model), over constraints k of m outputs:
//
//   J(lambda) = sum_k [ psi_k(lambda_k) + o_k lambda_k ] - A(V) - sigma2/2 sum_j S_j^2
//   V_j = sum_t beta_tj x_t,   S_j = sum_t beta_tj,   beta_tj = sum of r_kj lambda_k over the constraints of example t
//
// with psi_k(lambda) = omega_k psi(lambda / omega_k), and S = 0 as a constraint when the bias is flat. Two classes and
// numbers have one output (Constraints, r = +1 or -1); several classes and generative models have one for each class
// (ClassConstraints, r = e_up - e_down). What differs between one output and several is `if constexpr (P::kOne)`.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "medlar/core/concepts.hpp"
#include "medlar/numerics/sum.hpp"
#include "medlar/problem/class_constraints.hpp"
#include "medlar/problem/constraints.hpp"

namespace medlar {

struct BiasPrior {
  enum class Kind { flat, none, gaussian };
  Kind kind = Kind::flat;
  double variance = 0;  // gaussian only
  bool flat() const { return kind == Kind::flat; }
};

template <MarginPotential Psi, class A, class C = Constraints>
struct Problem {
  static constexpr bool kOne = C::kOne;  // output

  Psi psi;
  const A& partition;
  const C& constraints;
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
  // The best of multiplier k alone against a parabola of curvature q: argmax psi_k(l) + g l - q l^2/2.
  double proximal(std::size_t k, double g, double q, double lambda) const {
    return omega(k) * psi.proximal(g, omega(k) * q, lambda / omega(k));
  }
  double upper(std::size_t k) const { return omega(k) * psi.domain().upper; }
  // Weight of the logarithm in psi_k at an open end, psi_k ~ omega_k log(upper - lambda); a closed end has none.
  double end_weight(std::size_t k) const { return psi.domain().closed ? 0.0 : omega(k); }
  // Whether multipliers of an optimum may lie at 0, or at upper(k).
  bool reaches_zero() const { return !psi.domain().steep; }
  bool reaches_end() const { return psi.domain().closed && !psi.domain().steep; }
  // lambda after a change of it, kept inside its domain: half-way to an end that is out of reach, on another.
  double held(std::size_t k, double lambda, double change) const {
    const double to = lambda + change, end = upper(k);
    if (!(to > 0)) return reaches_zero() ? 0 : 0.5 * lambda;
    return to < end ? to : reaches_end() ? end : 0.5 * (lambda + end);
  }
  // Where the domain ends, if losses are the more kinked the farther that is (thresholds/kinked.hpp).
  double sharpness() const {
    const Domain domain = psi.domain();
    return domain.steep ? std::numeric_limits<double>::infinity() : domain.upper;
  }
  // The least of -psi''.
  double least_bend() const {
    const Domain domain = psi.domain();
    return -psi.curvature(domain.steep ? 0.5 * domain.upper : 0.0);
  }
  // Whether the two sides of a number are one potential of beta without a kink at 0, psi'(0) = 0: a step of beta then
  // goes on from one side to the other.
  bool crosses() const {
    if constexpr (kOne) {
      return constraints.two_sided() && psi.slope(0) == 0;
    } else {
      return false;
    }
  }
  // A change of lambda_k, held inside the domain; what would lead below 0 is the other side's where sides cross.
  void move(std::vector<double>& lambda, std::size_t k, double change) const {
    const double beyond = -(lambda[k] + change);
    lambda[k] = held(k, lambda[k], change);
    if (beyond > 0 && crosses()) lambda[other_side(k)] = held(other_side(k), 0, beyond);
  }
  static std::size_t other_side(std::size_t k) { return k ^ 1; }  // of a number: its two sides are neighbours
  // Whether losses bend wherever a multiplier is above 0; else they have kinks.
  bool smooth() const { return psi.curvature(0) < 0; }

  // The biases: a constraint on lambda, a prior with a variance, or none. One class alone has none to fit.
  bool flat() const { return bias.flat() && constraints.rivals(); }
  bool biased() const { return bias.kind != BiasPrior::Kind::none && constraints.rivals(); }
  // sigma2 as it enters J: 0 without a bias, and for a flat one, which is a constraint instead.
  double bias_variance() const { return bias.kind == BiasPrior::Kind::gaussian ? bias.variance : 0.0; }

  std::size_t count() const { return constraints.example.size(); }
  std::size_t outputs() const { return constraints.outputs(); }
  double omega(std::size_t k) const { return constraints.weight[k]; }
  std::size_t example(std::size_t k) const { return static_cast<std::size_t>(constraints.example[k]); }
  // m_k of scores f (output by output) and biases b.
  double margin(std::size_t k, std::span<const double> f, std::span<const double> b) const {
    return constraints.margin(k, f, b);
  }

  // Of one output.
  double sign(std::size_t k) const requires(kOne) { return constraints.sign[k]; }
  double margin(std::size_t k, std::span<const double> f, double b) const requires(kOne) {
    return sign(k) * (f[example(k)] + b) - constraints.offset[k];
  }
};

// use(problem), with a margin prior of any kind as the type that it is (Margin::visit): one dispatch for a loop that
// asks for single numbers. The copy lives no longer than the call.
template <class P, class Use>
decltype(auto) by_margin(const P& problem, Use&& use) {
  return use(problem);
}
template <class Psi, class A, class C, class Use>
requires requires(const Psi& psi) {
  psi.visit([](const auto&) {});
}
decltype(auto) by_margin(const Problem<Psi, A, C>& problem, Use&& use) {
  return problem.psi.visit([&]<class Own>(const Own& psi) -> decltype(auto) {
    return use(Problem<const Own&, A, C>{psi, problem.partition, problem.constraints, problem.bias});
  });
}

// psi_k'(lambda_k), or psi_k'' there, of all constraints.
template <class P>
std::vector<double> slopes_of(const P& problem, std::span<const double> lambda) {
  std::vector<double> unit(lambda.size()), slope(lambda.size());
  for (std::size_t k = 0; k < unit.size(); ++k) unit[k] = lambda[k] / problem.omega(k);
  slope_all(problem.psi, std::span<const double>(unit), std::span<double>(slope));
  return slope;
}
template <class P>
std::vector<double> curvatures_of(const P& problem, std::span<const double> lambda) {
  std::vector<double> unit(lambda.size()), curvature(lambda.size());
  for (std::size_t k = 0; k < unit.size(); ++k) unit[k] = lambda[k] / problem.omega(k);
  curvature_all(problem.psi, std::span<const double>(unit), std::span<double>(curvature));
  for (std::size_t k = 0; k < unit.size(); ++k) curvature[k] /= problem.omega(k);
  return curvature;
}

// One pass over the data: V of beta, which has the examples of one output after those of another.
template <class P>
std::vector<double> statistics_of(const P& problem, std::span<const double> beta, Summing summing = Summing::exact) {
  return problem.constraints.statistics(beta, summing);
}
// One pass over the data: the scores of w, output by output.
template <class P>
std::vector<double> scores_of(const P& problem, std::span<const double> w) {
  return problem.constraints.scores(w);
}

// S_k, what each class receives.
template <class P>
std::vector<double> totals_of(const P& problem, std::span<const double> lambda) {
  return problem.constraints.totals(lambda);
}

}  // namespace medlar
