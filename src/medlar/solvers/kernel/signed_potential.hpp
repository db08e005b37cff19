// The potentials of one example as one concave function of its signed multiplier beta:
//
//   phi_t(beta) = psi_k(lambda) + o_k lambda,   lambda = |beta|, k the side of example t with the sign of beta
//
// Classification has one side, so that beta has the sign of y_t; regression has two, and phi_t has a kink at 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "medlar/problem/balance.hpp"
#include "medlar/types.hpp"

namespace medlar {

template <class P>
class SignedPotential {
 public:
  explicit SignedPotential(const P& problem)
      : problem_(problem), two_sided_(problem.constraints.count() > problem.constraints.examples()) {}

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  std::size_t examples() const { return static_cast<std::size_t>(problem_.constraints.examples()); }

  // The slope of phi_t as beta rises or falls from here; no slope leads out of the domain.
  double rising(std::size_t t, double beta) const {
    if (beta < 0) return slope_on(side(t, -1), beta);
    const Side plus = side(t, +1);
    return plus.there && beta < problem_.upper(plus.k) ? slope_on(plus, beta) : -kInfinity;
  }
  double falling(std::size_t t, double beta) const {
    if (beta > 0) return slope_on(side(t, +1), beta);
    const Side minus = side(t, -1);
    return minus.there && -beta < problem_.upper(minus.k) ? slope_on(minus, beta) : kInfinity;
  }
  // -phi_t'' >= 0
  double curvature(std::size_t t, double beta) const {
    const double sign = beta > 0 || (beta == 0 && side(t, +1).there) ? +1 : -1;
    return -problem_.curvature(side(t, sign).k, std::abs(beta));
  }
  // The same as it is worth for a move at score f. Near an end where psi is infinitely steep -psi'' says nothing of a
  // long way from there: it is taken where it is less, here or at the multiplier that the score calls for.
  double curvature_towards(std::size_t t, double beta, double f) const {
    const double here = curvature(t, beta);
    if (problem_.reaches_zero()) return here;
    const Side at = side(t, beta > 0 || (beta == 0 && side(t, +1).there) ? +1 : -1);
    const double bend = problem_.respond(at.k, at.sign * f - problem_.constraints.offset[at.k]).bend;
    return bend > 0 ? std::min(here, 1 / bend) : here;
  }
  double value(std::size_t t, double beta) const {
    if (beta == 0) return 0;
    const std::size_t k = side(t, beta > 0 ? +1 : -1).k;
    return problem_.value(k, std::abs(beta)) + problem_.constraints.offset[k] * std::abs(beta);
  }
  double low(std::size_t t) const { return side(t, -1).there ? -problem_.upper(side(t, -1).k) : 0.0; }
  double high(std::size_t t) const { return side(t, +1).there ? problem_.upper(side(t, +1).k) : 0.0; }

  // The maximum over beta of phi_t(beta) - f (beta - now) - q/2 (beta - now)^2.
  double best_alone(std::size_t t, double now, double f, double q) const {
    for (const double sign : {+1.0, -1.0}) {
      const Side at = side(t, sign);
      if (!at.there) continue;
      const double omega = problem_.omega(at.k), lambda = std::max(0.0, sign * now);
      const double g = q * sign * now - (sign * f - problem_.constraints.offset[at.k]);
      const double to = omega * problem_.psi.proximal(g, omega * q, lambda / omega);
      if (to > 0) return sign * to;
    }
    return 0;
  }

  // The step d >= 0 that maximises phi_i(a + d) + phi_j(b - d) - d pull - eta d^2/2: the two multipliers of a pair move
  // against each other. Each piece between the kinks is smooth, and the slope falls along d.
  double best_together(std::size_t i, double a, std::size_t j, double b, double pull, double eta) const {
    const double room_i = high(i) - a, room_j = b - low(j), end = std::min(room_i, room_j);
    // An end at 0 can be reached, whatever the potential; the other may be open.
    const bool open_end =
        !problem_.psi.domain().closed && ((room_i == end && high(i) != 0) || (room_j == end && low(j) != 0));
    double from = 0;
    for (int piece = 0; piece < 3; ++piece) {
      const Side up = side(i, a + from < 0 ? -1 : +1), down = side(j, b - from > 0 ? +1 : -1);
      double to = end;
      if (a + from < 0) to = std::min(to, -a);
      if (b - from > 0) to = std::min(to, b);
      const auto slope = [&](double d) { return slope_on(up, a + d) - slope_on(down, b - d) - pull - eta * d; };
      const double first = slope(from);
      if (!(first > 0) || !(to > from)) return from;
      const bool open = to == end && open_end;
      if (!open && slope(to) >= 0) {
        if (to == end) return end;
        from = to;
        continue;
      }
      const auto steepness = [&](double d) {
        return eta - problem_.curvature(up.k, std::abs(a + d)) - problem_.curvature(down.k, std::abs(b - d));
      };
      return root(slope, steepness, from, to, first);
    }
    return from;
  }

 private:
  struct Side {
    std::size_t k;
    double sign;
    bool there;
  };
  Side side(std::size_t t, double sign) const {
    if (two_sided_) return {2 * t + (sign < 0 ? 1 : 0), sign, true};
    return {t, sign, problem_.sign(t) == sign};
  }
  double slope_on(const Side& at, double beta) const {
    return at.sign * (problem_.slope(at.k, std::abs(beta)) + problem_.constraints.offset[at.k]);
  }

  // Newton kept inside the bracket; `to` may be an open end or infinite.
  template <class Slope, class Steepness>
  static double root(const Slope& slope, const Steepness& steepness, double from, double to, double first) {
    double low = from, high = to, d = from, value = first;
    for (int step = 0; step < 60; ++step) {
      const double newton = d + value / steepness(d);
      double next = newton;
      if (!(newton > low && newton < high)) {
        next = std::isfinite(high) ? 0.5 * (low + high) : 2 * d + 1;
        if (!(next > low && next < high)) break;
      }
      d = next;
      value = slope(d);
      if (std::abs(value) <= 1e-6 * first) break;  // the next visit finds what is left
      (value > 0 ? low : high) = d;
    }
    return d < to ? d : low;
  }

  const P& problem_;
  bool two_sided_;
};

// The same of a constraint between several outputs, whose multiplier has one side:
// phi_k(lambda) = psi_k(lambda) + o_k lambda.
template <class P>
class OneSidedPotential {
 public:
  explicit OneSidedPotential(const P& problem) : problem_(problem) {}

  double rising(std::size_t k, double lambda) const { return lambda < high(k) ? slope(k, lambda) : -HUGE_VAL; }
  double falling(std::size_t k, double lambda) const { return lambda > 0 ? slope(k, lambda) : HUGE_VAL; }
  double curvature(std::size_t k, double lambda) const { return -problem_.curvature(k, lambda); }
  double value(std::size_t k, double lambda) const {
    return problem_.value(k, lambda) + problem_.constraints.offset[k] * lambda;
  }
  double low(std::size_t) const { return 0; }
  double high(std::size_t k) const { return problem_.upper(k); }

 private:
  double slope(std::size_t k, double lambda) const {
    return problem_.slope(k, lambda) + problem_.constraints.offset[k];
  }

  const P& problem_;
};

// Solvers for kernels move beta_t of one output and lambda_k of several.
template <class P>
using MovedPotential = std::conditional_t<P::kOne, SignedPotential<P>, OneSidedPotential<P>>;

template <class P>
std::vector<double> lambda_of(const P& problem, const std::vector<double>& moved) {
  if constexpr (P::kOne) {
    return multipliers_of(problem, moved);
  } else {
    return moved;
  }
}
template <class P>
void balance_moved(const P& problem, std::vector<double>& moved) {
  if (!problem.flat()) return;
  std::vector<double> lambda = lambda_of(problem, moved);
  balance(problem, lambda);
  if constexpr (P::kOne) {
    moved = problem.constraints.beta(lambda);
  } else {
    moved = std::move(lambda);
  }
}

}  // namespace medlar
