// Maximises J of a PlainProblem by the textbook: a logarithmic barrier for every bound, damped Newton with
// backtracking for each barrier weight, a dense Gaussian elimination for each step. Slow, plain, and it proves itself:
// the answer carries its own lower and upper bound.
#pragma once

#include <algorithm>
#include <utility>

#include "reference/plain_problem.hpp"

namespace medlar::test {

struct PlainOptimum {
  Reals lambda, V, w;
  Real b = 0;
  Real lower = 0, upper = 0;  // J(lambda) <= optimum <= F(w, b)
};

// a x = r by elimination with the largest pivot; a is given by rows.
inline Reals eliminate(std::vector<Reals> a, Reals r) {
  const std::size_t n = r.size();
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t pivot = j;
    for (std::size_t i = j; i < n; ++i) pivot = std::abs(a[i][j]) > std::abs(a[pivot][j]) ? i : pivot;
    std::swap(a[j], a[pivot]);
    std::swap(r[j], r[pivot]);
    for (std::size_t i = j + 1; i < n; ++i) {
      const Real factor = a[i][j] / a[j][j];
      if (factor == 0) continue;
      for (std::size_t k = j; k < n; ++k) a[i][k] -= factor * a[j][k];
      r[i] -= factor * r[j];
    }
  }
  for (std::size_t j = n; j-- > 0;) {
    for (std::size_t k = j + 1; k < n; ++k) r[j] -= a[j][k] * r[k];
    r[j] /= a[j][j];
  }
  return r;
}

class PlainMaximiser {
 public:
  explicit PlainMaximiser(const PlainProblem& problem) : problem_(problem), sides_(problem.sides()) {}

  // Lowers the barrier until the bounds are within `accuracy` of each other, relative to F (or 1e-10).
  PlainOptimum solve(Real accuracy = 1e-10L) {
    start();
    PlainOptimum best;
    best.lower = -std::numeric_limits<Real>::infinity();
    best.upper = std::numeric_limits<Real>::infinity();
    for (Real mu = 1; mu > 1e-19L; mu /= 5) {
      for (int step = 0; step < 200 && newton_step(mu) > 1e-12L * mu; ++step) {
      }
      const Reals V = problem_.statistics(lambda_), w = problem_.prior.gradient(V);
      const Real lower = problem_.dual(lambda_), upper = problem_.primal(w, b_);
      if (lower > best.lower) best.lower = lower, best.lambda = lambda_;
      if (upper < best.upper) best.upper = upper, best.V = V, best.w = w, best.b = b_;
      if (best.upper - best.lower <= accuracy * std::max(best.upper, 1e-10L)) break;
    }
    return best;
  }

 private:
  // Small multipliers whose signed sum is 0.
  void start() {
    Real least = std::min<Real>(1, problem_.margin.c), of_sign[2] = {0, 0};
    for (const auto& side : sides_) {
      least = std::min(least, side.weight * std::min<Real>(1, problem_.margin.c));
      of_sign[side.sign > 0] += 1;
    }
    lambda_.clear();
    for (const auto& side : sides_) {
      lambda_.push_back(problem_.margin.two_sided() ? 0 : least / 4 / of_sign[side.sign > 0]);
    }
  }

  Real above(std::size_t k, Real lambda) const { return lambda - sides_[k].weight * problem_.margin.lower(); }
  Real below(std::size_t k, Real lambda) const { return sides_[k].weight * problem_.margin.upper() - lambda; }

  Real barrier(const Reals& lambda, Real mu) const {
    Real sum = 0;
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      const Real low = above(k, lambda[k]), high = below(k, lambda[k]);
      if (!(low > 0) || !(high > 0)) return -std::numeric_limits<Real>::infinity();
      if (std::isfinite(low)) sum += std::log(low);
      if (std::isfinite(high)) sum += std::log(high);
    }
    return problem_.dual(lambda) + mu * sum;
  }

  // One damped step; returns the Newton decrement, the rise that the quadratic model promises (twice).
  Real newton_step(Real mu) {
    const std::size_t K = sides_.size(), n = problem_.features();
    const Reals V = problem_.statistics(lambda_), h = problem_.prior.exponents(V), w = problem_.prior.gradient(V);
    const Real sigma2 = problem_.bias == PlainBias::gaussian ? problem_.sigma2 : 0;
    Real S = 0;
    for (std::size_t k = 0; k < K; ++k) S += sides_[k].sign * lambda_[k];

    std::vector<Reals> C(n, Reals(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) C[i][j] = problem_.prior.hessian(V, h, i, j);
    }
    const bool flat = problem_.bias == PlainBias::flat;
    const std::size_t size = K + (flat ? 1 : 0);
    std::vector<Reals> H(size, Reals(size, 0));
    Reals g(size, 0);
    for (std::size_t k = 0; k < K; ++k) {
      const auto& side = sides_[k];
      const auto& xk = problem_.x[side.t];
      const Real scaled = lambda_[k] / side.weight, low = above(k, lambda_[k]), high = below(k, lambda_[k]);
      g[k] = problem_.margin.slope(scaled) - problem_.margin_of(side, w, sigma2 * S) + mu / low - mu / high;
      for (std::size_t j = 0; j < K; ++j) {
        const auto& xj = problem_.x[sides_[j].t];
        Real sum = sigma2;
        for (std::size_t a = 0; a < n; ++a) {
          for (std::size_t b = 0; b < n; ++b) {
            if (C[a][b] != 0) sum += xk[a] * C[a][b] * xj[b];
          }
        }
        H[k][j] = side.sign * sides_[j].sign * sum;
      }
      H[k][k] += -problem_.margin.curvature(scaled) / side.weight + mu / (low * low) + mu / (high * high);
      if (flat) H[k][K] = H[K][k] = side.sign;
    }
    if (flat) g[K] = -S;
    const Reals d = eliminate(H, g);
    for (std::size_t k = 0; k < K; ++k) S += sides_[k].sign * d[k];
    b_ = flat ? d[K] : sigma2 * S;  // after the step

    Real decrement = 0;
    for (std::size_t k = 0; k < K; ++k) decrement += (g[k] - (flat ? d[K] * sides_[k].sign : 0)) * d[k];
    const Real now = barrier(lambda_, mu), noise = 1e-18L * (1 + std::abs(now));
    for (Real length = 1; length > 1e-15L; length /= 2) {
      Reals next(lambda_);
      for (std::size_t k = 0; k < K; ++k) next[k] += length * d[k];
      if (barrier(next, mu) >= now + length * decrement / 10 - noise) {
        lambda_ = next;
        return decrement;
      }
    }
    return 0;  // no rise can be measured any more
  }

  const PlainProblem& problem_;
  std::vector<PlainProblem::Side> sides_;
  Reals lambda_;
  Real b_ = 0;
};

inline PlainOptimum plain_optimum(const PlainProblem& problem) {
  return PlainMaximiser(problem).solve();
}

}  // namespace medlar::test
