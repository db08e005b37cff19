// Newton on F for a kernel problem with a curved potential, over some examples whose multipliers alone are not 0
// (docs/theory.md#kernels, #newton-steps):
//
//   F(beta, b) = v beta^T K beta / 2 + b^2 / (2 sigma2) + sum_t loss_t(f_t + b),     f = v K beta
//
// At the scores f + b the losses call for multipliers r and bend by w. The parabola that they are taken for has its
// least point at beta + d, with db the change of the bias:
//
//   d + w (v K d + db) = r - beta
//
// Examples without bend go there at once; the others solve (v K + 1/w) d + db = (r - beta) / w - v K d(those), by
// conjugate gradients with a factor of low rank for K, sum d = -sum beta under a flat bias. Products by K are the whole
// cost, and tell what happens to all scores on the way.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "medlar/kernels/low_rank.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/systems/low_rank_inverse.hpp"
#include "medlar/numerics/backtrack.hpp"
#include "medlar/problem/certificate.hpp"
#include "medlar/simd/sum_loops.hpp"

namespace medlar {

// A point of the descent: one beta and one f for each of its examples.
struct KernelPoint {
  std::vector<double> beta, f;
  double bias = 0;
};

// K: add_product(x, scale, out), which adds scale K x.
template <class P, class K>
class KernelDescent {
 public:
  // factor: near the K of all examples.
  KernelDescent(const P& problem, const K& gram, std::span<const Index> examples, const LowRank& factor,
                KernelPoint point)
      : problem_(problem),
        gram_(gram),
        examples_(examples.begin(), examples.end()),
        factor_(factor),
        scale_(problem.partition.prior_variance()),
        sides_(problem.constraints.count() / problem.constraints.examples()),
        point_(std::move(point)) {
    answer();
  }

  const KernelPoint& point() const { return point_; }
  Index products() const { return products_; }
  Index steps() const { return steps_; }

  // The first step goes whole to the least point of the parabola at other scores than the point's own (the bias among
  // them): near the scores of a model of the same data, whatever multipliers have brought it there.
  void begin_at(std::vector<double> scores) {
    scores_ = std::move(scores);
    answer();
    const Step step = newton_step(kFirstAccuracy);
    scores_.clear();
    for (std::size_t a = 0; a < point_.f.size(); ++a) {
      point_.beta[a] += step.d[a];
      point_.f[a] += step.pulled[a];
    }
    point_.bias += step.bias;
    answer();
  }

  // Steps until the gap of multipliers in their domain is below `goal` of F, at most `most`; false when it is not.
  // `enough` is asked before each step.
  template <class Enough>
  bool descend(double goal, int most, const Enough& enough) {
    for (int step = 0;; ++step) {
      if (settled(goal)) return true;
      if (step == most || enough() || !advance()) return false;
    }
  }

  // The multipliers, brought into their domain and into balance: what a descent that has converged leaves as they are.
  std::vector<double> feasible() const {
    std::vector<double> lambda(problem_.count(), 0.0), beta(examples_.size());
    for (std::size_t a = 0; a < examples_.size(); ++a) {
      for (std::size_t k = first_side(a); k < first_side(a) + sides_; ++k) {
        const double own = problem_.sign(k) * point_.beta[a], called = problem_.sign(k) * called_[a];
        if (called > 0) lambda[k] = own < problem_.upper(k) ? std::max(0.0, own) : called;
      }
    }
    balance(problem_, lambda);
    for (std::size_t a = 0; a < examples_.size(); ++a) {
      for (std::size_t k = first_side(a); k < first_side(a) + sides_; ++k) beta[a] += problem_.sign(k) * lambda[k];
    }
    return beta;
  }

 private:
  static constexpr double kAccuracy = 0.05;       // of a step, in the norm of its system
  static constexpr double kFirstAccuracy = 0.02;  // of one that makes all multipliers
  static constexpr int kMostProducts = 200;       // of one

  std::size_t first_side(std::size_t a) const { return sides_ * static_cast<std::size_t>(examples_[a]); }
  double margin(std::size_t k, double score) const { return problem_.sign(k) * score - problem_.constraints.offset[k]; }

  double score(std::size_t a) const { return scores_.empty() ? point_.f[a] + point_.bias : scores_[a]; }

  double sum() const { return compensated_sum(point_.beta); }

  // What the losses call for at the point, and F.
  void answer() {
    const std::size_t size = examples_.size();
    called_.assign(size, 0.0), bend_.assign(size, 0.0);
    CompensatedSum value = by_margin(problem_, [&](const auto& own) {
      CompensatedSum sum;
      for (std::size_t a = 0; a < size; ++a) {
        for (std::size_t k = first_side(a); k < first_side(a) + sides_; ++k) {
          const Response one = own.respond(k, margin(k, score(a)));
          called_[a] += own.sign(k) * one.multiplier, bend_[a] += one.bend;
          sum.add(one.loss);
        }
        sum.add(0.5 * point_.beta[a] * point_.f[a]);
      }
      return sum;
    });
    const double total = sum();
    value.add(0.5 * problem_.bias_variance() * total * total);
    value_ = value.value();
    pause_after(size * kNumbersOfALog);
  }

  // Whether the gap of the feasible multipliers, at the scores that they have, is below `goal`. One product, and that
  // only where the gap at the present scores is.
  bool settled(double goal) {
    const std::vector<double> beta = feasible();
    if (!(relative_gap(beta, point_.f) <= goal)) return false;
    std::vector<double> change(beta.size()), f = point_.f;
    for (std::size_t a = 0; a < beta.size(); ++a) change[a] = beta[a] - point_.beta[a];
    add_product(change, f);
    return relative_gap(beta, f) <= goal;
  }

  // The sum of loss - psi + lambda margin (Fenchel and Young), over F.
  double relative_gap(const std::vector<double>& beta, const std::vector<double>& f) const {
    const double all = by_margin(problem_, [&](const auto& own) {
      CompensatedSum gap;
      for (std::size_t a = 0; a < beta.size(); ++a) {
        for (std::size_t k = first_side(a); k < first_side(a) + sides_; ++k) {
          const double lambda = std::max(0.0, own.sign(k) * beta[a]), m = margin(k, f[a] + point_.bias);
          gap.add(own.loss(k, m));
          if (lambda == 0) continue;
          gap.add(lambda * m);
          gap.add(-own.value(k, lambda));
        }
      }
      return gap.value();
    });
    pause_after(beta.size() * kNumbersOfALog);
    return all / gap_scale(value_);
  }

  struct Step {
    std::vector<double> d, pulled;  // d, and v K d
    double bias = 0;
  };

  bool advance() {
    const Step step = newton_step(kAccuracy);
    const KernelPoint from = point_;
    const double before = value_;
    const double reached = backtrack(1, 0.4, 1e-4, [&](double length) {
      for (std::size_t a = 0; a < from.f.size(); ++a) {
        point_.beta[a] = from.beta[a] + length * step.d[a];
        point_.f[a] = from.f[a] + length * step.pulled[a];
      }
      point_.bias = from.bias + length * step.bias;
      answer();
      return value_ < before;
    });
    if (reached > 0) {
      ++steps_;
      return true;
    }
    point_ = from;
    answer();
    return false;
  }

  void add_product(const std::vector<double>& x, std::vector<double>& out) {
    ++products_;
    gram_.add_product(x, scale_, out);
  }

  Step newton_step(double accuracy) {
    const std::size_t size = examples_.size();
    const bool flat = problem_.bias.flat();
    const double sigma2 = problem_.bias_variance();
    std::vector<std::size_t> bent;
    std::vector<Index> rows;
    std::vector<double> h, g;
    Step step{std::vector<double>(size, 0.0), std::vector<double>(size, 0.0), 0};
    double total = -sum(), fixed = 0;  // what the step must sum to, under a flat bias
    bool others = false;
    for (std::size_t a = 0; a < size; ++a) {
      if (bend_[a] > 0) {
        bent.push_back(a), rows.push_back(examples_[a]), h.push_back(1 / bend_[a]);
      } else if (called_[a] != point_.beta[a]) {
        step.d[a] = called_[a] - point_.beta[a];
        fixed += step.d[a];
        others = true;
      }
    }
    if (others) add_product(step.d, step.pulled);
    if (bent.empty()) return step;
    total -= fixed;
    const std::size_t count = bent.size();
    inverse_.assemble(factor_.values(), factor_.size(), factor_.rank(), rows, h, scale_, sigma2);
    for (std::size_t m = 0; m < count; ++m) {
      const std::size_t a = bent[m];
      const double away = score(a) - point_.f[a] - point_.bias;
      g.push_back((called_[a] - point_.beta[a]) * h[m] + away - step.pulled[a] - sigma2 * fixed);
    }
    std::vector<double> of_ones(count), z(count), d(count), p(count), along(size), pulled(size);
    double ones = 0;
    if (flat) {
      inverse_.solve(std::vector<double>(count, 1.0), of_ones);
      for (const double each : of_ones) ones += each;
    }
    // z = P^-1 r, moved along P^-1 1 to sum to `to`; the multiplier of that
    const auto precondition = [&](const std::vector<double>& r, double to) {
      inverse_.solve(r, z);
      if (!flat) return 0.0;
      double s = -to;
      for (const double each : z) s += each;
      for (std::size_t m = 0; m < count; ++m) z[m] -= s / ones * of_ones[m];
      return s / ones;
    };
    const auto apply = [&](const std::vector<double>& x, std::vector<double>& out) {
      std::fill(along.begin(), along.end(), 0.0), std::fill(pulled.begin(), pulled.end(), 0.0);
      double s = 0;
      for (std::size_t m = 0; m < count; ++m) along[bent[m]] = x[m], s += x[m];
      add_product(along, pulled);
      for (std::size_t m = 0; m < count; ++m) out[m] = pulled[bent[m]] + h[m] * x[m] + sigma2 * s;
    };
    precondition(g, total);
    d = z;
    std::vector<double> r(count), image(count);
    apply(d, image);
    for (std::size_t a = 0; a < size; ++a) step.pulled[a] += pulled[a];
    for (std::size_t m = 0; m < count; ++m) r[m] = g[m] - image[m];
    double last = 0;
    for (int products = 0;; ++products) {
      step.bias = precondition(r, 0);
      double rz = 0, energy = 0;
      for (std::size_t m = 0; m < count; ++m) rz += r[m] * z[m], energy += d[m] * (g[m] - r[m]);
      if (rz <= accuracy * accuracy * energy || products == kMostProducts || !(rz > 0)) break;
      for (std::size_t m = 0; m < count; ++m) p[m] = z[m] + (products > 0 ? rz / last : 0.0) * p[m];
      last = rz;
      apply(p, image);
      double curvature = 0;
      for (std::size_t m = 0; m < count; ++m) curvature += p[m] * image[m];
      if (!(curvature > 0)) break;
      const double length = rz / curvature;
      for (std::size_t m = 0; m < count; ++m) d[m] += length * p[m], r[m] -= length * image[m];
      for (std::size_t a = 0; a < size; ++a) step.pulled[a] += length * pulled[a];
    }
    double moved = fixed;
    for (std::size_t m = 0; m < count; ++m) step.d[bent[m]] = d[m], moved += d[m];
    if (!flat) step.bias = sigma2 * moved;
    return step;
  }

  const P& problem_;
  const K& gram_;
  std::vector<Index> examples_;
  const LowRank& factor_;
  double scale_;
  std::size_t sides_;
  KernelPoint point_;
  std::vector<double> scores_;         // where the losses are asked, if not at the point
  std::vector<double> called_, bend_;  // signed multipliers and bends at the point
  double value_ = 0;
  LowRankInverse inverse_;
  Index products_ = 0, steps_ = 0;
};

}  // namespace medlar
