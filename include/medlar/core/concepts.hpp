// The kinds of part a solver knows, and nothing more: a margin potential psi, a log-partition A.
//
//   J(lambda) = sum_k [ psi(lambda_k) + o_k lambda_k ] - A(V),      V = sum_k lambda_k u_k
#pragma once

#include <concepts>
#include <span>

#include "medlar/types.hpp"

namespace medlar {

// Where psi is finite: [0, upper], or [0, upper) when psi falls to minus infinity there.
struct Domain {
  double upper = 0;     // may be infinity
  bool closed = false;  // true: lambda = upper is allowed (hinge, svr)
};

// psi(lambda) = -log E0[e^{-lambda gamma}], concave, psi(0) = 0, for lambda >= 0.
template <class P>
concept MarginPotential = requires(const P psi, double lambda, double margin, double q) {
  { psi.domain() } -> std::same_as<Domain>;
  { psi.value(lambda) } -> std::same_as<double>;
  { psi.slope(lambda) } -> std::same_as<double>;                // E[gamma] under the tilted prior
  { psi.curvature(lambda) } -> std::same_as<double>;            // psi'' <= 0
  { psi.loss(margin) } -> std::same_as<double>;                 // l(m) = max_{lambda >= 0} psi(lambda) - lambda m
  { psi.multiplier(margin) } -> std::same_as<double>;           // its maximiser (hinge, svr at the kink: 0)
  { psi.proximal(margin, q, lambda) } -> std::same_as<double>;  // argmax psi(l) + g l - q l^2/2; lambda is a guess
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
    for (std::size_t k = 0; k < margin.size(); ++k) {
      const Response one = respond(psi, margin[k]);
      if (!loss.empty()) loss[k] = one.loss;
      multiplier[k] = one.multiplier, bend[k] = one.bend;
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

// A(v) = log E0[e^{v.s(Theta)}], convex, A(0) = 0, over statistics that fall into blocks: a block is one feature,
// or the features of one group, which share a switch. The Hessian is diagonal plus one rank-one term per group:
//
//   A''(v) = diag(d) + sum_g kappa_g v_g v_g^T,     v_g = v on the features of group g and 0 elsewhere
template <class A>
concept LogPartition = requires(const A a, std::span<const double> v, std::span<double> out, std::span<double> out2) {
  { a.dimension() } -> std::same_as<Index>;
  { a.value(v) } -> std::same_as<double>;
  a.mean(v, out);                                            // E[s(Theta)] = A'(v)
  a.inclusion(v, out);                                       // P(switch of feature i is on)
  a.variance(v, out);                                        // diagonal of Cov[s(Theta)] = A''(v)
  a.curvature(v, out, out2);                                 // d (one per feature) and kappa (one per group)
  { a.group_count() } -> std::same_as<Index>;                // 0 when every feature is its own block
  { a.group_of() } -> std::same_as<std::span<const Index>>;  // empty when group_count() == 0
  a.advance(out, v);  // out moves by the Newton step v, on V or on the mean, whichever is nearer
  { a.conjugate_at(v) } -> std::same_as<double>;  // A*(A'(v)) = v.A'(v) - A(v), without cancellation where possible
};

// One whose features are independent of each other: what axis-parallel ascent and the bounded QP need.
template <class A>
concept SeparablePartition = LogPartition<A> && requires(const A a, Index i, double v) {
  { a.value_at(i, v) } -> std::same_as<double>;
  { a.mean_at(i, v) } -> std::same_as<double>;
  { a.variance_at(i, v) } -> std::same_as<double>;
  a.bound_at(i, v);  // a parabola below -A that touches it at v
};

}  // namespace medlar
