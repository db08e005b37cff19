// A primal-dual interior-point Newton method for every potential and partition (docs/theory.md#interior-point).
//
// Follows the maximisers of J(lambda) + mu sum_k [ log lambda_k + log(upper_k - lambda_k) ] as mu falls to 0. A step
// solves (diag(h) + X A'' X^T) dbeta + b 1 = rho, sum dbeta = -S (flat bias), where h_k collects -psi'' and the
// curvature z/lambda of the barriers, with z their own (dual) variables.
//
// Two things make it dependable. An open end of the domain is a barrier that psi brings along (weight omega_k for
// exponential, laplace and tube) and is treated like the others, which keeps the iterations few from
// c = 2 to c = 1e4. And each feature has a V of its own, next to the V = X^T beta of the multipliers: as A'' of a
// switch varies by 1/p0 along a step, it moves along the shorter of two paths (partition.advance), and the Newton
// system closes the difference.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

#include "medlar/linalg/systems/newton_system.hpp"
#include "medlar/numerics/backtrack.hpp"
#include "medlar/problem/run.hpp"
#include "medlar/problem/settle.hpp"
#include "medlar/problem/start.hpp"
#include "medlar/simd/sum_loops.hpp"
#include "medlar/solvers/neighbour.hpp"
#include "medlar/solvers/solution.hpp"
#include "medlar/thresholds/giving_up.hpp"
#include "medlar/thresholds/near.hpp"
#include "medlar/thresholds/rough_fits.hpp"

namespace medlar {

template <class P>
class InteriorPoint {
 public:
  // A neighbour's pair is a certificate to improve on; the path of the iterates begins anew, for it would leave an end
  // of its domain only slowly.
  InteriorPoint(const P& problem, const Limits& limits, Observer* observer, const Neighbour* from = nullptr)
      : problem_(problem),
        from_(from),
        run_(limits, observer),
        system_(*problem.constraints.x, [this] { return run_.asked(); }),
        bounded_(std::isfinite(problem.psi.domain().upper)),
        best_(problem, limits.tolerance) {}

  Solution solve() {
    begin();
    record();
    double gap_when_checked = HUGE_VAL;
    while (!best_.consistent() || !run_.reached(best_.bounds(), passes())) {
      ++run_.report.iterations;
      if (!run_.whole([&] { step(); })) {
        run_.reached(best_.bounds(), passes());
        break;
      }
      if (broken_) {
        run_.give_up(best_.bounds());
        break;
      }
      if (!run_.graced([&] { measure(); })) continue;
      lower_mu();
      record();
      if constexpr (RelaxablePartition<std::remove_cvref_t<decltype(problem_.partition)>>) {
        const bool poor =
            (run_.report.iterations == kTrialIterations && best_.relative_gap() > kNowhere) ||
            (run_.report.iterations == 2 * kTrialIterations && best_.relative_gap() > kEndInSight && !restarted_);
        if (poor || (run_.report.iterations == kTrialIterations && switches_cost_nothing())) restart_from_relaxed();
      }
      if (!best_.consistent()) {
        run_.lost_digits(best_.bounds());
        break;
      }
      if (run_.report.iterations % kIterationsToHalve != 0) continue;
      if (best_.gap() > 0.5 * gap_when_checked) {  // so many iterations that do not even halve the gap are the end
        run_.give_up(best_.bounds());
        break;
      }
      gap_when_checked = best_.gap();
    }
    return finish();
  }

 private:
  // lambda = 0 first: it is the answer when the prior already satisfies every constraint.
  void begin() {
    best_.consider(dual_point(problem_, std::vector<double>(problem_.count(), 0.0)));
    best_.consider(primal_point(problem_, best_.dual().v, no_bias(problem_)));
    if (from_ != nullptr) consider_neighbour(problem_, *from_, best_);
    if (best_.relative_gap() <= run_.limits().tolerance) return;
    lambda_ = starting_multipliers(problem_);
    v_ = statistics(*problem_.constraints.x, problem_.constraints.beta(lambda_));
    centre();
  }

  // Continuation in p0 from 1 downwards: at large c and small p0 few switches are where the start has them. The fit
  // with all switches on has much the same margins; its lambda and, through the mean, its w begin anew.
  void restart_from_relaxed() requires RelaxablePartition<std::remove_cvref_t<decltype(std::declval<P>().partition)>> {
    restarted_ = true;
    Solution begun = solve_relaxed(switches_cost_nothing() ? 0.5 * run_.limits().tolerance : kGapOfRestart);
    if (begun.interior.empty()) return;
    adopt(begun);
    lambda_ = std::move(begun.interior);
    problem_.partition.from_mean(begun.primal.w, v_);
    bias_ = begun.primal.bias[0];
    centre();
  }

  Solution solve_relaxed(double tolerance) {
    const auto slab = problem_.partition.relaxed();
    const Problem relaxed{problem_.psi, slab, problem_.constraints, problem_.bias};
    Run::Inner observer(run_);
    Limits limits = run_.inner_limits(0);
    limits.tolerance = tolerance;
    Solution solution = InteriorPoint<std::remove_const_t<decltype(relaxed)>>(relaxed, limits, &observer).solve();
    borrowed_ += solution.report.passes;
    return solution;
  }

  // A solution with all switches on is a pair for this problem too: J is no lower, for A with switches lies below the
  // slab's, and F is higher by what the switches cost.
  void adopt(const Solution& relaxed) {
    best_.consider(dual_point(problem_, relaxed.dual.lambda));
    std::vector<double> v(relaxed.primal.v.size());
    problem_.partition.from_mean(relaxed.primal.w, v);
    best_.consider(primal_point(problem_, std::move(v), relaxed.primal.bias));
  }

  // The losses dwarf it: the relaxed problem is this one to all the digits that were asked for.
  bool switches_cost_nothing() const {
    const double cost = problem_.partition.relaxation_cost();
    return cost > 0 && cost <= 0.25 * run_.limits().tolerance * best_.dual().objective;
  }

  // Barrier parameter and variables for the present lambda_ and v_.
  void centre() {
    DualPoint start = dual_point(problem_, lambda_);
    current_ = primal_point(problem_, v_, best_.primal().bias);
    best_.consider(current_);
    current_gap_ = current_.value - start.objective;
    best_.consider(std::move(start));
    set_barriers(std::max(0.5 * current_gap_ / static_cast<double>(problem_.count()), 1e-300));
  }

  void set_barriers(double mu) {
    mu_ = mu;
    lower_.resize(problem_.count());
    upper_.assign(problem_.count(), 0.0);
    for (std::size_t k = 0; k < problem_.count(); ++k) {
      lower_[k] = mu_ / lambda_[k];
      if (bounded_) upper_[k] = (mu_ + problem_.end_weight(k)) / room(k);
    }
  }

  double room(std::size_t k) const { return problem_.upper(k) - lambda_[k]; }

  // Of constraint k, whose psi has this slope, or this curvature, at lambda_.
  double barrier_slope(std::size_t k, double of_psi) const {
    const double slope = of_psi + problem_.constraints.offset[k] + mu_ / lambda_[k];
    return bounded_ ? slope - mu_ / room(k) : slope;
  }

  double metric(std::size_t k, double of_psi) const {
    const double own = -of_psi;
    if (!bounded_) return own + lower_[k] / lambda_[k];
    const double r = room(k);
    return std::max(0.0, own - problem_.end_weight(k) / (r * r)) + lower_[k] / lambda_[k] + upper_[k] / r;
  }

  // A change of everything at once: multipliers, their sums per example, the bias, the barrier variables.
  struct Direction {
    std::vector<double> lambda, beta, lower, upper;
    double bias = 0;
  };

  void step() {
    const std::size_t count = problem_.count();
    const std::vector<double> beta = problem_.constraints.beta(lambda_);
    std::vector<double> v = statistics(*problem_.constraints.x, beta);
    const double s = compensated_sum(beta);

    // The tangent of A' at v_, evaluated at the multipliers' V.
    const Curvature curvature = curvature_at(v_);
    std::vector<double> tangent(v), w(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) tangent[i] -= v_[i];
    apply_curvature(curvature, tangent);
    problem_.partition.mean(v_, w);
    for (std::size_t i = 0; i < v.size(); ++i) w[i] += tangent[i];
    const std::vector<double> f = scores(*problem_.constraints.x, w);

    assemble(curvature);
    std::vector<double> r = slopes_of(problem_, lambda_);
    for (std::size_t k = 0; k < count; ++k) {
      r[k] = barrier_slope(k, r[k]) - problem_.sign(k) * (f[problem_.example(k)] + problem_.bias_variance() * s);
    }
    Direction direction = solve_for(r, s);
    if (!std::isfinite(compensated_sum(direction.beta))) {  // the linear algebra has no digits left
      broken_ = true;
      return;
    }
    decrement_ = 0;
    for (std::size_t k = 0; k < count; ++k) {
      decrement_ += direction.lambda[k] * h_[k] * direction.lambda[k];
      direction.lower[k] += mu_ / lambda_[k] - lower_[k];
      if (bounded_) direction.upper[k] += (mu_ + problem_.end_weight(k)) / room(k) - upper_[k];
    }
    correct(direction);
    move(direction);
    // The features follow to where the multipliers now have their V.
    const std::vector<double> delta_v = statistics(*problem_.constraints.x, direction.beta);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += alpha_ * delta_v[i] - v_[i];
    follow(v);
    ++steps_;
  }

  // The system of this iterate.
  void assemble(const Curvature& curvature) {
    const auto examples = static_cast<std::size_t>(problem_.constraints.examples());
    h_ = curvatures_of(problem_, lambda_);
    h_of_example_.assign(examples, 0.0);  // folded: 1/h_t = sum_k 1/h_k
    for (std::size_t k = 0; k < h_.size(); ++k) {
      h_[k] = metric(k, h_[k]);
      h_of_example_[problem_.example(k)] += 1 / h_[k];
    }
    for (double& h : h_of_example_) h = 1 / h;
    system_.assemble(h_of_example_, curvature);
  }

  // The direction for the residuals r, under a flat bias with sum dbeta = -s. Barrier variables follow lambda z =
  // const.
  Direction solve_for(std::span<const double> r, double s) {
    const std::size_t count = problem_.count(), examples = h_of_example_.size();
    std::vector<double> rho(examples, 0.0);  // h_t sum_k s_k r_k / h_k
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t t = problem_.example(k);
      rho[t] += h_of_example_[t] * problem_.sign(k) * r[k] / h_[k];
    }
    Direction direction;
    direction.beta.resize(examples);
    direction.bias = system_.solve(rho, -s, direction.beta);
    // Back to constraints: h_k dlambda_k = r_k - s_k (df_t + b), and df_t + b = rho_t - h_t dbeta_t.
    direction.lambda.resize(count);
    direction.lower.resize(count);
    direction.upper.assign(count, 0.0);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t t = problem_.example(k);
      const double sign = problem_.sign(k);
      direction.lambda[k] = count == examples ? sign * direction.beta[t]
                                              : (r[k] - sign * (rho[t] - h_of_example_[t] * direction.beta[t])) / h_[k];
      direction.lower[k] = -lower_[k] * direction.lambda[k] / lambda_[k];
      if (bounded_) direction.upper[k] = upper_[k] * direction.lambda[k] / room(k);
    }
    return direction;
  }

  // Centrality correction (Gondzio 1996): where a longer step would leave the products lambda z far from mu, ask for
  // them to stay within a factor of ten. One more solve with the same factor, kept if it lengthens the step.
  void correct(Direction& direction) {
    for (int round = 0; round < 2; ++round) {
      const double length = length_inside(direction.lambda), longer = std::min(1.0, 2 * length + 0.1);
      if (length > 0.9) return;
      std::vector<double> r(problem_.count()), at_lower(r.size()), at_upper(r.size(), 0.0);
      for (std::size_t k = 0; k < r.size(); ++k) {
        const double delta = longer * direction.lambda[k];
        at_lower[k] = shortfall((lambda_[k] + delta) * (lower_[k] + longer * direction.lower[k]), mu_);
        r[k] = at_lower[k] / lambda_[k];
        if (!bounded_) continue;
        at_upper[k] =
            shortfall((room(k) - delta) * (upper_[k] + longer * direction.upper[k]), mu_ + problem_.end_weight(k));
        r[k] -= at_upper[k] / room(k);
      }
      Direction corrected = solve_for(r, 0.0);
      for (std::size_t k = 0; k < r.size(); ++k) {
        corrected.lambda[k] += direction.lambda[k];
        corrected.lower[k] += direction.lower[k] + at_lower[k] / lambda_[k];
        if (bounded_) corrected.upper[k] += direction.upper[k] + at_upper[k] / room(k);
      }
      for (std::size_t t = 0; t < corrected.beta.size(); ++t) corrected.beta[t] += direction.beta[t];
      corrected.bias += direction.bias;
      if (!(length_inside(corrected.lambda) >= length + 0.1 * (longer - length))) return;
      direction = std::move(corrected);
    }
  }

  // What takes a product into [goal/10, 10 goal], at most ten goals at a time.
  static double shortfall(double product, double goal) {
    return std::max(std::clamp(product, 0.1 * goal, 10 * goal) - product, -10 * goal);
  }

  void move(const Direction& direction) {
    alpha_ = length_inside(direction.lambda);
    bias_ = direction.bias;
    double length = 1;  // of the barrier variables, which must stay positive
    for (std::size_t k = 0; k < problem_.count(); ++k) {
      if (direction.lower[k] < 0) length = std::min(length, -kToBoundary * lower_[k] / direction.lower[k]);
      if (direction.upper[k] < 0) length = std::min(length, -kToBoundary * upper_[k] / direction.upper[k]);
    }
    for (std::size_t k = 0; k < problem_.count(); ++k) {
      lambda_[k] += alpha_ * direction.lambda[k];
      lower_[k] += length * direction.lower[k];
      keep_near(lower_[k], mu_ / lambda_[k]);
      if (!bounded_) continue;
      upper_[k] += length * direction.upper[k];
      keep_near(upper_[k], (mu_ + problem_.end_weight(k)) / room(k));
    }
  }

  // Moves the features' V by `step`. Near the end, where F should only fall, a step that raises it well beyond what the
  // barriers explain is not taken: features that went different ways no longer fit together, and at large c the loss
  // tells. Rather they move together, their means on one straight line, where F is convex and margins stay what the
  // Newton step made them; or to the multipliers' own V, which is right once they are.
  void follow(const std::vector<double>& step) {
    const std::vector<double> from = v_;
    const double bound = current_.value + 2 * mu_ * static_cast<double>(problem_.count());
    problem_.partition.advance(v_, step);
    if (measured_primal() <= bound || best_.relative_gap() > kEndInSight) return;
    if constexpr (RelaxablePartition<std::remove_cvref_t<decltype(problem_.partition)>>) {
      std::vector<double> along(step), w(from.size()), mean(from.size());
      apply_curvature(curvature_at(from), along);
      problem_.partition.mean(from, w);
      const double moved = backtrack(1, 0.3, 0.01, [&](double part) {
        for (std::size_t i = 0; i < w.size(); ++i) mean[i] = w[i] + part * along[i];
        problem_.partition.from_mean(mean, v_);
        return measured_primal() <= bound;
      });
      if (moved > 0) return;
    }
    for (std::size_t i = 0; i < from.size(); ++i) v_[i] = from[i] + step[i];
    if (measured_primal() > bound) v_ = from;
  }

  double measured_primal() {
    current_ = primal_point(problem_, v_, {bias_});
    best_.consider(current_);
    return current_.value;
  }

  Curvature curvature_at(const std::vector<double>& v) const {
    Curvature curvature;
    curvature.d.resize(v.size());
    curvature.kappa.resize(static_cast<std::size_t>(problem_.partition.group_count()));
    problem_.partition.curvature(v, curvature.d, curvature.kappa);
    curvature.v = v;
    curvature.group_of = problem_.partition.group_of();
    curvature.sigma2 = problem_.bias_variance();
    curvature.flat = problem_.bias.flat();
    return curvature;
  }

  // How far the direction stays inside the domain, at most 1.
  double length_inside(std::span<const double> delta) const {
    double length = 1;
    for (std::size_t k = 0; k < delta.size(); ++k) {
      if (delta[k] < 0) length = std::min(length, -kToBoundary * lambda_[k] / delta[k]);
      if (delta[k] > 0 && bounded_) length = std::min(length, kToBoundary * room(k) / delta[k]);
    }
    return length;
  }

  // Barrier variables shape the metric only; this far from their target they would no longer be numbers to trust.
  static void keep_near(double& z, double target) { z = std::clamp(z, 1e-8 * target, 1e8 * target); }

  // The dual half of the certificate at the new iterate, as it is and with idle multipliers at 0.
  void measure() {
    DualPoint dual = dual_point(problem_, lambda_);
    current_gap_ = current_.value - dual.objective;
    best_.consider(std::move(dual));
    if (best_.relative_gap() < kEndInSight) best_.consider(dual_point(problem_, settled(problem_, lambda_, current_)));
  }

  // mu falls once the point is near enough to the path: the gap on it is about mu per barrier.
  void lower_mu() {
    const double barriers = static_cast<double>(problem_.count()) * (bounded_ ? 2 : 1), on_path = mu_ * barriers;
    const bool near =
        current_gap_ <= 2 * on_path || decrement_ < 1e-3 * on_path || (alpha_ == 1 && decrement_ < 0.03 * on_path);
    const double floor = 0.01 * run_.limits().tolerance * gap_scale(best_.primal().value) / barriers;
    if (near) mu_ = std::max(0.1 * mu_, floor);
  }

  void record() { run_.record(best_.bounds(), passes(), "newton"); }

  Solution finish() {
    run_.graced([this] { settle(best_); });
    run_.report.solver = "newton (" + system_.form() + ")";
    run_.report.why = system_.why();
    return {best_.dual(), best_.primal(), run_.finish(best_.bounds(), passes()), std::move(lambda_)};
  }

  Index passes() const { return system_.passes() + best_.points() + 3 * steps_ + borrowed_; }

  static constexpr double kToBoundary = 0.99;  // of the way to the end of the domain

  const P& problem_;
  const Neighbour* from_;
  Run run_;
  NewtonSystem system_;
  bool bounded_, broken_ = false, restarted_ = false;
  double mu_ = 0, bias_ = 0, alpha_ = 0, decrement_ = 0, current_gap_ = HUGE_VAL;
  std::vector<double> lambda_, lower_, upper_;  // the iterate: multipliers and barrier variables,
  std::vector<double> v_;                       // and the features' own V
  std::vector<double> h_, h_of_example_;        // of the present system
  PrimalPoint current_;
  BestPair<P> best_;
  Index steps_ = 0, borrowed_ = 0;  // steps, and passes of a relaxed problem
};

}  // namespace medlar
