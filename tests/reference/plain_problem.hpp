// The one concave problem, once more and as plainly as it can be written: an oracle for tiny problems.
//
// Nothing of the library is used. Formulas are those of docs/theory.md as printed, in 80-bit arithmetic so that no care
// about rounding is needed, and both conjugates (the loss and A*) are one-dimensional maximisations by bisection:
//
//   J(lambda) = sum_k [ psi_k(lambda_k) + o_k lambda_k ] - A(V) - sigma2 S^2 / 2,   V = sum_k lambda_k s_k x_t
//   F(w, b)   = A*(w) + b^2 / (2 sigma2) + sum_k loss_k( s_k (w.x_t + b) - o_k )
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace medlar::test {

using Real = long double;
using Reals = std::vector<Real>;

// exponential, laplace, gaussian, hinge, logistic with their location; tube, svr with their epsilon; squared, which is
// what gaussian is for numbers.
struct PlainMargin {
  std::string name = "exponential";
  Real c = 3;
  Real location = 1;
  Real epsilon = 0;

  bool regression() const { return name == "tube" || name == "svr" || name == "squared"; }
  // Without a tube svr has psi = 0 on both sides of 0, and one multiplier in [-c, c] serves both; so does one of all
  // numbers for squared losses.
  bool two_sided() const { return name == "squared" || (name == "svr" && epsilon == 0); }
  bool bounded() const { return name != "gaussian" && name != "squared"; }
  bool kinked() const { return name == "hinge" || name == "svr"; }
  Real lower() const { return two_sided() ? -upper() : 0; }
  Real upper() const { return bounded() ? c : std::numeric_limits<Real>::infinity(); }

  Real value(Real l) const {
    if (l == 0) return 0;
    if (name == "exponential") return location * l + std::log((c - l) / c);
    if (name == "laplace") return location * l + std::log((c - l) / c) + std::log((c + l) / c);
    if (name == "gaussian") return location * l - l * l / (2 * c * c);
    if (name == "squared") return -l * l / (2 * c * c);
    if (name == "logistic") return location * l - l * std::log(l / c) - (l < c ? (c - l) * std::log((c - l) / c) : 0);
    if (name == "hinge") return location * l;
    if (name == "svr") return -epsilon * l;
    return -epsilon * l + std::log(l) - std::log(mass(l)) + std::log(epsilon + 1 / c);
  }

  Real slope(Real l) const {
    if (name == "exponential") return location - 1 / (c - l);
    if (name == "laplace") return location - 2 * l / ((c - l) * (c + l));
    if (name == "gaussian") return location - l / (c * c);
    if (name == "squared") return -l / (c * c);
    if (name == "logistic") return location + std::log((c - l) / l);
    if (name == "hinge") return location;
    if (name == "svr") return -epsilon;
    if (l == 0) return -prior_mean();
    return -epsilon + 1 / l - mass_slope(l) / mass(l);
  }

  Real curvature(Real l) const {
    if (name == "exponential") return -1 / ((c - l) * (c - l));
    if (name == "laplace") return -1 / ((c - l) * (c - l)) - 1 / ((c + l) * (c + l));
    if (!bounded()) return -1 / (c * c);
    if (kinked()) return 0;
    if (name == "logistic") return -c / (l * (c - l));
    const Real ratio = mass_slope(l) / mass(l);
    const Real second = -epsilon * epsilon * std::exp(-epsilon * l) + 2 * c / ((c - l) * (c - l) * (c - l));
    return std::min<Real>(0, -1 / (l * l) - second / mass(l) + ratio * ratio);
  }

  // E0[gamma] of the tube: the half-width of its dead zone.
  Real prior_mean() const { return (epsilon * epsilon / 2 + epsilon / c + 1 / (c * c)) / (epsilon + 1 / c); }

  // loss(m) = max over lambda of psi(lambda) - lambda m, where psi'(lambda) = m.
  Real loss(Real m) const {
    const Real reach = 1 + c * c * (location + std::abs(m));  // of a maximiser without an end
    Real low = two_sided() && !bounded() ? -reach : lower(), high = bounded() ? c : reach;
    if (slope(low) <= m) return value(low) - low * m;
    for (int step = 0; step < 100; ++step) {
      const Real middle = (low + high) / 2;
      (slope(middle) > m ? low : high) = middle;
    }
    return std::max<Real>(0, value(low) - low * m);
  }

 private:
  // 1 - e^{-epsilon lambda} + lambda / (c - lambda): the tube's integral, up to factors.
  Real mass(Real l) const { return -std::expm1(-epsilon * l) + l / (c - l); }
  Real mass_slope(Real l) const { return epsilon * std::exp(-epsilon * l) + c / ((c - l) * (c - l)); }
};

// theta_i ~ N(mean_i, v) behind switches of probability p; features with the same `switch_of` share one.
struct PlainPrior {
  Real v = 1;
  Reals mean;                  // one per feature; 0 wherever a switch may be off
  std::vector<int> switch_of;  // one per feature
  Reals p;                     // one per switch

  Reals exponents(const Reals& V) const {
    Reals h(p.size(), 0);
    for (std::size_t i = 0; i < V.size(); ++i) h[on(i)] += v * V[i] * V[i] / 2;
    return h;
  }
  Real inclusion(std::size_t g, Real h) const { return p[g] / (p[g] + (1 - p[g]) * std::exp(-h)); }

  // sum_g log(1 - p + p e^h), with e^h taken out
  Real value(const Reals& V) const {
    Real sum = 0;
    const Reals h = exponents(V);
    for (std::size_t g = 0; g < p.size(); ++g) sum += h[g] + std::log(p[g] + (1 - p[g]) * std::exp(-h[g]));
    for (std::size_t i = 0; i < V.size(); ++i) sum += mean[i] * V[i];
    return sum;
  }
  Reals gradient(const Reals& V) const {
    const Reals h = exponents(V);
    Reals w(V.size());
    for (std::size_t i = 0; i < V.size(); ++i) w[i] = mean[i] + inclusion(on(i), h[on(i)]) * v * V[i];
    return w;
  }
  // d2A / dV_i dV_j
  Real hessian(const Reals& V, const Reals& h, std::size_t i, std::size_t j) const {
    if (switch_of[i] != switch_of[j]) return 0;
    const Real P = inclusion(on(i), h[on(i)]);
    return (i == j ? v * P : 0) + P * (1 - P) * v * v * V[i] * V[j];
  }
  // A*(w) = sum_g max over rho >= 0 of |w_g| rho - log(1 - p + p e^{v rho^2 / 2}); V lies along w.
  Real conjugate(const Reals& w) const {
    Reals squares(p.size(), 0);
    for (std::size_t i = 0; i < w.size(); ++i) squares[on(i)] += (w[i] - mean[i]) * (w[i] - mean[i]);
    Real sum = 0;
    for (std::size_t g = 0; g < p.size(); ++g) {
      const Real size = std::sqrt(squares[g]);
      Real low = 0, high = 2 * size / v + 2 * std::sqrt(2 / v * std::max<Real>(1, -std::log(p[g])));
      for (int step = 0; step < 100; ++step) {
        const Real rho = (low + high) / 2;
        (inclusion(g, v * rho * rho / 2) * v * rho < size ? low : high) = rho;
      }
      const Real h = v * low * low / 2;
      sum += size * low - h - std::log(p[g] + (1 - p[g]) * std::exp(-h));
    }
    return sum;
  }
  // A'' is at most this times the identity: P + 2 P (1 - P) h with h = log((1-p)/p) + logit P.
  Real largest_curvature() const {
    Real largest = v;
    for (const Real each : p) largest = std::max(largest, v * (Real(1.5) - std::log(each) / 2));
    return largest;
  }

 private:
  std::size_t on(std::size_t i) const { return static_cast<std::size_t>(switch_of[i]); }
};

enum class PlainBias { flat, none, gaussian };

struct PlainProblem {
  std::vector<std::vector<double>> x;
  std::vector<double> y;        // +1 or -1 to classify
  std::vector<double> weights;  // one per example, > 0
  PlainMargin margin;
  PlainPrior prior;
  PlainBias bias = PlainBias::flat;
  Real sigma2 = 0;  // gaussian bias

  std::size_t examples() const { return x.size(); }
  std::size_t features() const { return prior.mean.size(); }

  // One side of one example: two per example in regression, unless one multiplier serves both.
  struct Side {
    std::size_t t;
    Real sign, offset, weight;
  };
  std::vector<Side> sides() const {
    std::vector<Side> all;
    for (std::size_t t = 0; t < examples(); ++t) {
      if (!margin.regression()) {
        all.push_back({t, y[t], 0, weights[t]});
      } else {
        all.push_back({t, 1, y[t], weights[t]});
        if (!margin.two_sided()) all.push_back({t, -1, -Real(y[t]), weights[t]});
      }
    }
    return all;
  }

  Reals statistics(const Reals& lambda) const {
    Reals V(features(), 0);
    const auto all = sides();
    for (std::size_t k = 0; k < all.size(); ++k) {
      for (std::size_t i = 0; i < V.size(); ++i) V[i] += lambda[k] * all[k].sign * x[all[k].t][i];
    }
    return V;
  }

  Real dual(const Reals& lambda) const {
    const auto all = sides();
    Real sum = -prior.value(statistics(lambda)), S = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      sum += all[k].weight * margin.value(lambda[k] / all[k].weight) + all[k].offset * lambda[k];
      S += all[k].sign * lambda[k];
    }
    return bias == PlainBias::gaussian ? sum - sigma2 * S * S / 2 : sum;
  }

  Real primal(const Reals& w, Real b) const {
    Real sum = prior.conjugate(w);
    if (bias == PlainBias::gaussian) sum += b * b / (2 * sigma2);
    for (const Side& side : sides()) sum += side.weight * margin.loss(margin_of(side, w, b));
    return sum;
  }

  Real margin_of(const Side& side, const Reals& w, Real b) const {
    Real f = b;
    for (std::size_t i = 0; i < w.size(); ++i) f += w[i] * x[side.t][i];
    return side.sign * f - side.offset;
  }
};

}  // namespace medlar::test
