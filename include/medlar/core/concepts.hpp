// The kinds of part a solver knows, and all that it asks of them: a margin potential psi, a log-partition A.
//
//   J(lambda) = sum_k [ psi(lambda_k) + o_k lambda_k ] - A(V),      V = sum_k lambda_k u_k
//
// A type that has the members of MarginPotential, or of LogPartition, is a prior that every solver can serve; the
// concepts after these two say what more a single solver asks for, and every one of them may be left out. The tests
// tests/priors/margins/own_margin_test.cpp and tests/priors/coefficients/own_slab_test.cpp fit priors that are written
// by these lines alone.
#pragma once

#include <concepts>
#include <span>

#include "medlar/types.hpp"

namespace medlar {

// Where psi is finite: [0, upper], or [0, upper) when psi falls to minus infinity there, as log(upper - lambda) does.
// Solvers step towards an open end as one does to such a logarithm.
struct Domain {
  // May be infinite.
  double upper = 0;
  // Whether lambda = upper is allowed (hinge, svr).
  bool closed = false;
  // Whether psi, though it is finite there, is infinitely steep at both ends (logistic), and bends least in the middle:
  // no multiplier of an optimum lies at an end, and solvers stay inside.
  bool steep = false;
};

// psi(lambda) = -log E0[e^{-lambda gamma}], concave, psi(0) = 0, for lambda >= 0. A potential for classes rises at
// first, psi'(0) > 0, or nothing would be learnt; one for numbers must not, psi'(0) <= 0, for a number has a constraint
// on either side.
//
// Members that a potential may have besides, where it has a faster way to the same numbers:
//   respond(margin)                                  loss, multiplier and bend of one margin at once
//   respond_all(margin, loss, multiplier, bend)      of many margins; no losses where `loss` is empty
//   value_all(lambda, value), slope_all, curvature_all
//   linear_part()                                    psi without its logarithm, which solver = bounded-qp asks for
template <class P>
concept MarginPotential = requires(const P psi, double lambda, double margin, double q) {
  // Where psi is finite; the same at every call.
  { psi.domain() } -> std::same_as<Domain>;
  // psi itself, minus infinity outside its domain.
  { psi.value(lambda) } -> std::same_as<double>;
  // psi', which is E[gamma] under the tilted prior; infinite at the ends of a steep domain.
  { psi.slope(lambda) } -> std::same_as<double>;
  // psi'' <= 0. It is 0 at lambda = 0 only if it is 0 everywhere: that is how solvers know a loss with kinks.
  { psi.curvature(lambda) } -> std::same_as<double>;
  // l(m) = max_{lambda >= 0} psi(lambda) - lambda m.
  { psi.loss(margin) } -> std::same_as<double>;
  // The lambda of that maximum, inside the domain; 0 at the kink of a hinge, and never 0 in a steep domain.
  { psi.multiplier(margin) } -> std::same_as<double>;
  // argmax psi(l) + margin l - q l^2/2 over the domain, for q > 0; `lambda` is a guess.
  { psi.proximal(margin, q, lambda) } -> std::same_as<double>;
};

// What a margin calls for: the loss, its maximiser lambda = -l'(m), and the bend l''(m) = -1/psi''(lambda), 0 where
// lambda is.
struct Response {
  double loss = 0;
  double multiplier = 0;
  double bend = 0;
};

// All three at once; a potential that can share work between them has a member for it.
template <MarginPotential P>
Response respond(const P& psi, double margin) {
  if constexpr (requires { psi.respond(margin); }) {
    return psi.respond(margin);
  } else {
    const double lambda = psi.multiplier(margin);
    return lambda > 0 ? Response{psi.loss(margin), lambda, -1 / psi.curvature(lambda)}
                      : Response{psi.loss(margin), 0, 0};
  }
}

// The responses to many margins, without the losses where these have no room; and psi of many multipliers. A potential
// with a loop for it has a member.
template <MarginPotential P>
void respond_all(const P& psi, std::span<const double> margin, std::span<double> loss, std::span<double> multiplier,
                 std::span<double> bend) {
  if constexpr (requires { psi.respond_all(margin, loss, multiplier, bend); }) {
    psi.respond_all(margin, loss, multiplier, bend);
  } else {
    if (!loss.empty() || requires { psi.respond(0.0); }) {
      for (std::size_t k = 0; k < margin.size(); ++k) {
        const Response one = respond(psi, margin[k]);
        if (!loss.empty()) loss[k] = one.loss;
        multiplier[k] = one.multiplier, bend[k] = one.bend;
      }
      return;
    }
    for (std::size_t k = 0; k < margin.size(); ++k) {  // no logarithm for a loss that nobody wants
      multiplier[k] = psi.multiplier(margin[k]);
      bend[k] = multiplier[k] > 0 ? -1 / psi.curvature(multiplier[k]) : 0.0;
    }
  }
}
template <MarginPotential P>
void value_all(const P& psi, std::span<const double> lambda, std::span<double> value) {
  if constexpr (requires { psi.value_all(lambda, value); }) {
    psi.value_all(lambda, value);
  } else {
    for (std::size_t k = 0; k < lambda.size(); ++k) value[k] = psi.value(lambda[k]);
  }
}

// psi' and psi'' of many multipliers.
template <MarginPotential P>
void slope_all(const P& psi, std::span<const double> lambda, std::span<double> slope) {
  if constexpr (requires { psi.slope_all(lambda, slope); }) {
    psi.slope_all(lambda, slope);
  } else {
    for (std::size_t k = 0; k < lambda.size(); ++k) slope[k] = psi.slope(lambda[k]);
  }
}
template <MarginPotential P>
void curvature_all(const P& psi, std::span<const double> lambda, std::span<double> curvature) {
  if constexpr (requires { psi.curvature_all(lambda, curvature); }) {
    psi.curvature_all(lambda, curvature);
  } else {
    for (std::size_t k = 0; k < lambda.size(); ++k) curvature[k] = psi.curvature(lambda[k]);
  }
}

// A(v) = log E0[e^{v.s(Theta)}], convex, A(0) = 0, finite for every v, over statistics that fall into blocks: a block
// is one feature, or the features of one group, which share a switch. The Hessian is diagonal plus one rank-one term
// per group:
//
//   A''(v) = diag(d) + sum_g kappa_g v_g v_g^T,     v_g = v on the features of group g and 0 elsewhere
template <class A>
concept LogPartition = requires(const A a, std::span<const double> v, std::span<double> out, std::span<double> out2) {
  // No feature's mean depends on the V of another.
  { A::kIndependent } -> std::convertible_to<bool>;
  // A'' is the same everywhere: the mean is linear in V (see LinearPartition).
  { A::kLinearMean } -> std::convertible_to<bool>;
  // How many features there are.
  { a.dimension() } -> std::same_as<Index>;
  // A(v).
  { a.value(v) } -> std::same_as<double>;
  // E[s(Theta)] = A'(v), the coefficients.
  a.mean(v, out);
  // The v whose mean is `v` here; what `out` holds before is a guess. A mean that no v has gets the nearest.
  a.from_mean(v, out);
  // out moves by the Newton step v, on V or on the mean, whichever is nearer.
  a.advance(out, v);
  // A*(A'(v)) = v.A'(v) - A(v), without cancellation where possible.
  { a.conjugate_at(v) } -> std::same_as<double>;
  // d (one per feature, > 0 unless the feature is off for certain) and kappa (one per group).
  a.curvature(v, out, out2);
  // The number of groups; 0 when every feature is its own block.
  { a.group_count() } -> std::same_as<Index>;
  // The group of each feature; empty when there are none.
  { a.group_of() } -> std::same_as<std::span<const Index>>;
  // P(switch of feature i is on), and the diagonal of Cov[s(Theta)]: what a model says of its features.
  a.inclusion(v, out);
  a.variance(v, out);
};

// One whose A'' is a multiple of the identity, `prior_variance`: Gram matrices of the examples, kernels, and sweeps
// that keep w alone ask for it.
template <class A>
concept LinearPartition = LogPartition<A> && A::kLinearMean && requires(const A a) {
  { a.prior_variance() } -> std::same_as<double>;
};

// One that says the means of some features in a row, from `first` on: both halves of a certificate then come on one
// pass over the data.
template <class A>
concept PiecewisePartition = requires(const A a, std::size_t first, std::span<const double> v, std::span<double> out) {
  a.mean_from(first, v, out);
};

// One whose features are independent of each other, one at a time: what axis-parallel ascent, sweeps and the model of
// Newton over features need.
template <class A>
concept SeparablePartition = LogPartition<A> && A::kIndependent && requires(const A a, Index i, double v) {
  { a.value_at(i, v) } -> std::same_as<double>;
  { a.mean_at(i, v) } -> std::same_as<double>;
  { a.variance_at(i, v) } -> std::same_as<double>;
};

// One that knows a parabola below -A that touches it at v: what the bounded QP needs.
template <class A>
concept BoundedPartition = SeparablePartition<A> && requires(const A a, Index i, double v) {
  a.bound_at(i, v);
};

// One with groups, which finds the least point of A*(w) - goal.w + sum_j m_j w_j^2 / 2 for group g along axes of its
// own, and writes its V and w: Newton over features asks it of a prior that is not separable.
template <class A>
concept GroupedPartition = LogPartition<A> &&
    requires(const A a, Index g, std::span<const double> m, std::span<double> out) {
  a.least(g, m, m, out, out);
};

// One with switches, and the prior probability that each is on: sweeps over few columns look at the largest.
template <class A>
concept SwitchedPartition = LogPartition<A> && requires(const A a) {
  { a.prior_inclusion() } -> std::same_as<std::span<const double>>;
};

// One whose switches may all be taken as on, at a cost in A* that is bounded: a solve that does not get under way
// begins anew from `relaxed`, a LogPartition over the same features.
template <class A>
concept RelaxablePartition = LogPartition<A> && requires(const A a) {
  a.relaxed();
  { a.relaxation_cost() } -> std::same_as<double>;
};

// One that names the shape of its slabs as sweeps in single precision see it: a policy with
//   move(columns, x, scale, v, w, d, size)   V += scale x with w = A' and d = A'' of the new V; the new x.w. Features
//                                            are those of `columns`, or all where it is null
//   part(columns)                            the same for these features alone
// Without it sweeps ask mean_at and variance_at, one feature after the other (solvers/sweeps/slabs.hpp).
template <class A>
concept SlabbedPartition = requires(const A a, const Column* columns, const float* x, float* out, std::size_t size,
                                    std::span<const Index> some) {
  { a.slabs().move(columns, x, float(), out, out, out, size) } -> std::same_as<float>;
  a.slabs().part(some);
};

// The partition of several outputs as interior-point steps between classes see it: A'' as something to apply.
template <class A>
concept ClassLogPartition = requires(const A a, std::span<const double> v, std::span<double> out) {
  { a.dimension() } -> std::same_as<Index>;
  { a.value(v) } -> std::same_as<double>;
  a.mean(v, out);
  // Has product(from, to), A'' times a vector, and diagonal(constraints) or the like (problem/group_curvature.hpp).
  a.curvature(v).product(v, out);
  // How much of a step from v stays where A is finite, at most 1.
  { a.largest_step(v, v) } -> std::same_as<double>;
};

}  // namespace medlar
