// The paper's second optimiser: a sequence of quadratic programs   [MED appendix B]
//
// The parabolas that touch -A from below at the present V (partition.bound_at) make J, with the logarithms of its
// potentials left out, a QP over a box with one equality, which SMO solves from where the last one ended:
//
//   max sum_k (linear_k + o_k) lambda_k + sum_t beta_t g_t - sum_i q_i V_i^2 / 2,    g_t = sum_i slope_i x_ti
//
// Each round raises that objective. The first round, at V = 0, is the QP of a plain support vector machine. As the
// logarithms were left out the end is the fit of the hinge or of svr; axis-parallel ascent polishes it to the optimum
// of J.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "medlar/kernels/gram.hpp"
#include "medlar/problem/relay.hpp"
#include "medlar/problem/settle.hpp"
#include "medlar/solvers/kernel/kernel_state.hpp"
#include "medlar/solvers/kernel/working_set.hpp"
#include "medlar/solvers/paper/coordinate.hpp"

namespace medlar {

// `linear` is the potential without its logarithm, over the same box; Unit a quadratic log-partition of variance 1.
template <class P, class Linear, class Unit>
class BoundedQp {
 public:
  BoundedQp(const P& problem, const Linear& linear, const Unit& unit, const Limits& limits, Observer* observer,
            LineSearch search, Index threads)
      : problem_(problem),
        linear_(linear),
        unit_(unit),
        limits_(limits),
        observer_(observer),
        run_(limits, observer),
        best_(problem, limits.tolerance),
        search_(search),
        threads_(threads),
        beta_(static_cast<std::size_t>(problem.constraints.examples()), 0.0),
        v_(static_cast<std::size_t>(problem.partition.dimension()), 0.0) {}

  Solution solve() {
    certify();  // lambda = 0, to fall back on
    double before = -HUGE_VAL;
    while (rounds_ < kMostRounds && !run_.reached(best_.bounds(), passes())) {
      const double start = run_.seconds();
      if (!run_.whole([&] { improve(); })) continue;
      (rounds_ == 0 ? first_seconds_ : later_seconds_) += run_.seconds() - start;
      ++rounds_;
      run_.graced([this] { certify(); });
      const double now = objective();
      if (!(now > before + kSettled * std::abs(now))) break;
      before = now;
    }
    if (run_.reached(best_.bounds(), passes())) {
      run_.graced([this] { settle(best_); });
      return finish();
    }
    run_.give_up(best_.bounds());  // parabolas have done what they can
    Solution found = relay(finish(), limits_, [&](const Limits& rest, const Solution&) {
      return Coordinate<P>(problem_, rest, observer_, search_).solve(inside());
    });
    found.report.why = "asked for";  // the polish is part of it
    return found;
  }

 private:
  static constexpr int kMostRounds = 50;
  static constexpr double kSettled = 1e-3;   // relative rise of the objective that ends the rounds
  static constexpr double kAccuracy = 5e-4;  // of the first violation: LIBSVM's 1e-3 for a classification
  static constexpr double kPart = 0.1;       // of its own violation: what a later QP leaves to the next parabolas
  static constexpr int kMostParts = 20;      // of a QP, by the examples that are in play

  Index passes() const { return rounds_ + best_.points(); }

  // Both halves of the certificate at the present multipliers.
  void certify() {
    DualPoint dual = dual_point(problem_, multipliers_of(problem_, inside()));
    const PrimalPoint primal = primal_point(problem_, dual.v, best_.primal().bias);
    best_.consider(std::move(dual));
    best_.consider(primal);
    run_.report.iterations = rounds_;
    run_.record(best_.bounds(), passes(), "bounded QP");
  }

  Solution finish() {
    run_.report.solver =
        fmt::format("bounded QP ({} rounds, {} pairs, {} in the first, {:.1f} times its time)", rounds_, moves_,
                    first_moves_, (first_seconds_ + later_seconds_) / std::max(first_seconds_, 1e-9));
    run_.report.why = "asked for";
    return {best_.dual(), best_.primal(), run_.finish(best_.bounds(), passes())};
  }

  // One QP, at the parabolas that touch at V: its scores are f_t = sum_i x_ti q_i V_i, one pass.
  void improve() {
    const Matrix& x = *problem_.constraints.x;
    std::vector<double> curvature(v_.size()), root(v_.size()), slope(v_.size());
    for (std::size_t i = 0; i < v_.size(); ++i) {
      const auto bound = problem_.partition.bound_at(static_cast<Index>(i), v_[i]);
      curvature[i] = bound.curvature;
      root[i] = std::sqrt(bound.curvature);
      slope[i] = bound.slope;
    }
    const Matrix scaled = scale_columns(x, root);
    Constraints constraints = problem_.constraints;
    constraints.x = &scaled;
    const std::vector<double> g = scores(x, slope);
    for (std::size_t k = 0; k < constraints.offset.size(); ++k) {
      constraints.offset[k] += constraints.sign[k] * g[problem_.example(k)];
    }
    const Problem qp{linear_, unit_, constraints, problem_.bias};
    const Gram gram({Kernel::Kind::linear, 1, 0, 1}, scaled, threads_);
    KernelState state(qp, gram);
    state.beta() = beta_;
    double enough = 0;
    for (int part = 0; part < kMostParts; ++part) {
      const std::vector<double> f = scores_of(state.beta(), x, curvature);
      const InPlay now = in_play(state, f);
      if (part == 0) {
        if (rounds_ == 0) enough_ = kAccuracy * now.violation;
        enough = rounds_ == 0 ? enough_ : std::max(enough_, kPart * now.violation);
      }
      if (!(now.violation > enough)) break;
      const Index moves = solve_among(qp, now.examples, f, gram, state, enough);
      moves_ += moves;
      if (moves == 0) break;
    }
    if (rounds_ == 0) first_moves_ = moves_;
    beta_ = state.beta();
    v_ = statistics(x, beta_);
  }

  std::vector<double> scores_of(const std::vector<double>& beta, const Matrix& x,
                                const std::vector<double>& curvature) const {
    std::vector<double> w = statistics(x, beta);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] *= curvature[i];
    std::vector<double> f = scores(x, w);
    CompensatedSum sum;
    for (const double each : beta) sum.add(each);
    for (double& each : f) each += problem_.bias_variance() * sum.value();
    return f;
  }

  // The examples that may move, and by how much slopes contradict optimality: the others are at an end, with a slope
  // beyond every slope of the other kind.
  struct InPlay {
    std::vector<Index> examples;
    double violation;
  };
  template <class State>
  InPlay in_play(const State& state, const std::vector<double>& f) const {
    double high = problem_.bias.flat() ? -HUGE_VAL : 0, low = problem_.bias.flat() ? HUGE_VAL : 0;
    std::vector<double> rise(f.size()), fall(f.size());
    for (std::size_t t = 0; t < f.size(); ++t) {
      rise[t] = state.phi().rising(t, state.beta()[t]) - f[t];
      fall[t] = state.phi().falling(t, state.beta()[t]) - f[t];
      high = std::max(high, rise[t]);
      low = std::min(low, fall[t]);
    }
    InPlay some{{}, problem_.bias.flat() ? high - low : std::max(high, -low)};
    const double from = problem_.bias.flat() ? low : 0, to = problem_.bias.flat() ? high : 0;
    for (std::size_t t = 0; t < f.size(); ++t) {
      if (rise[t] > from || fall[t] < to) some.examples.push_back(static_cast<Index>(t));
    }
    return some;
  }

  // Moves the multipliers of these examples until their slopes leave `enough`; how often.
  template <class Qp, class State>
  Index solve_among(const Qp& qp, const std::vector<Index>& examples, const std::vector<double>& all_f,
                    const Gram& gram, State& state, double enough) const {
    const std::size_t count = examples.size();
    std::vector<float> block(count * count);
    std::vector<float*> out;
    std::vector<double> f;
    for (std::size_t a = 0; a < count; ++a) {
      out.push_back(block.data() + a * count);
      f.push_back(all_f[static_cast<std::size_t>(examples[a])]);
    }
    const PackedRows<float> packed = gram.pack(examples);
    for (std::size_t a = 0; a < count; a += kRowsBetweenPauses) {
      gram.rows(packed, std::span(examples).subspan(a, std::min(kRowsBetweenPauses, count - a)), packed.size(),
                out.data() + a);
      pause();
    }
    std::vector<Index> places(count);
    std::iota(places.begin(), places.end(), Index{0});
    WorkingSet set(qp, state);
    set.load(examples, f, {{out.begin(), out.end()}, {}, {}}, places);
    const Index moves = set.solve(enough, 1000 * std::ssize(examples));
    for (std::size_t a = 0; a < count; ++a) state.beta()[static_cast<std::size_t>(examples[a])] = set.beta()[a];
    return moves;
  }

  static Matrix scale_columns(const Matrix& x, const std::vector<double>& factor) {
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(x.stored()));
    for (Index t = 0; t < x.rows(); ++t) {
      for_each(x.row(t), [&](Index i, double value) { values.push_back(value * factor[static_cast<std::size_t>(i)]); });
      pause_after(4 * x.row(t).values.size());
    }
    return x.with_values(std::move(values));
  }

  // J with the linear potentials, which the rounds raise.
  double objective() const {
    const Problem plain{linear_, problem_.partition, problem_.constraints, problem_.bias};
    CompensatedSum sum, total;
    for (const double beta : beta_) total.add(beta);
    sum.add(-problem_.partition.value(v_));
    sum.add(-0.5 * problem_.bias_variance() * total.value() * total.value());
    for (std::size_t k = 0; k < problem_.count(); ++k) {
      const double lambda = std::max(0.0, problem_.sign(k) * beta_[problem_.example(k)]);
      sum.add(plain.value(k, lambda) + problem_.constraints.offset[k] * lambda);
    }
    return sum.value();
  }

  // Multipliers at an open end of their domain are taken inside.
  std::vector<double> inside() const {
    std::vector<double> beta = beta_;
    if (problem_.psi.domain().closed) return beta;
    const SignedPotential<P> phi(problem_);
    for (std::size_t t = 0; t < beta.size(); ++t) beta[t] = std::clamp(beta[t], 0.9 * phi.low(t), 0.9 * phi.high(t));
    return beta;
  }

  const P& problem_;
  Linear linear_;
  const Unit& unit_;
  Limits limits_;
  Observer* observer_;
  Run run_;
  BestPair<P> best_;
  LineSearch search_;
  Index threads_;
  std::vector<double> beta_, v_;
  double enough_ = 0, first_seconds_ = 0, later_seconds_ = 0;
  int rounds_ = 0;
  Index moves_ = 0, first_moves_ = 0;
};

}  // namespace medlar
