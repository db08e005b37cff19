// Newton on the free multipliers (theory 11), for potentials with curvature: exponential, laplace, gaussian, tube.
//
// The iterate is a V (one number per feature) with w = A'(V) and the bias that is best for it; the multipliers follow
// from the margins, lambda_k = argmax psi_k - lambda m_k, and those above 0 are free. With D = A''(V), h =
// -psi''(lambda) and g = X^T beta - V, the step of the multipliers solves
//
//   (diag(h) + X_F D X_F^T) dbeta + b 1 = -X_F D g,     sum dbeta = -sum beta (flat bias)
//
// in T_F dimensions (more features than free examples) or in n (Woodbury), and V goes to X^T (beta + dbeta): on w this
// is Newton's step for F, so that a short enough part of it always lowers F. Each feature moves along the shorter of
// its two paths (partition.advance). beta + dbeta is a point of its own for the dual half of the certificate.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "medlar/linalg/example_factor.hpp"
#include "medlar/linalg/feature_factor.hpp"
#include "medlar/linalg/feature_system.hpp"
#include "medlar/solvers/best_pair.hpp"
#include "medlar/solvers/feature_model.hpp"
#include "medlar/solvers/primal_line.hpp"
#include "medlar/solvers/solution.hpp"
#include "medlar/solvers/stopping.hpp"

namespace medlar {

template <class P>
class FreeNewton {
 public:
  // `told` hears of each step, for the trace, and whether it was a whole one; it says whether there may be more.
  // `kept`, of few examples, saves most of a step's products.
  FreeNewton(const P& problem, BestPair<P>& best, Stopping& stopping, double tolerance,
             std::function<bool(Index passes, bool whole)> told, std::shared_ptr<CurvedGram> kept = nullptr)
      : problem_(problem),
        best_(best),
        stopping_(stopping),
        tolerance_(tolerance),
        told_(std::move(told)),
        examples_(*problem.constraints.x, std::move(kept)),
        features_(*problem.constraints.x),
        system_(*problem.constraints.x) {}

  // Both take Newton steps from the best pair so far until the gap is closed (true) or no step helps.
  //
  // By features: lambda follows from the margins and F falls; good when examples outnumber features.
  bool by_features(Index most_steps) {
    AnsweredPoint point{best_.primal(), {}, {}};
    answer(problem_, point);
    best_.consider(point);
    repeat(most_steps, [&] { return lower_primal(point); });
    best_.make_exact();
    return best_.relative_gap() <= tolerance_;
  }

  // By examples: V follows from lambda and J rises; good from multipliers that ascent has brought near the optimum.
  bool by_examples(Index most_steps) {
    DualPoint dual = best_.dual();
    repeat(most_steps, [&] { return raise_dual(dual); });
    return best_.closed();
  }

  Index passes() const { return passes_; }
  Index steps() const { return steps_; }

 private:
  template <class Step>
  bool repeat(Index most_steps, Step step) {
    for (Index count = 0; count < most_steps && best_.relative_gap() > tolerance_ && !stopping_.asked(); ++count) {
      bool moved = false;
      if (!stopping_.whole([&] { moved = step(); }) || !moved) break;
      ++steps_;
      if (!told_(passes_, whole_)) break;
    }
    return best_.relative_gap() <= tolerance_;
  }

  bool lower_primal(AnsweredPoint& point) {
    DualPoint dual;  // as the margins call for it: with a flat bias it need not balance yet
    dual.beta = problem_.constraints.signed_multipliers(point.lambda);
    set_free(point);
    const Index n = problem_.constraints.x->columns();
    const bool few = std::ssize(free_) <= n && kIndependent && (kLinear || n > kModelled);
    if (few || free_.empty()) {
      dual.v = statistics(*problem_.constraints.x, dual.beta);
    } else {
      assemble(dual);
    }
    ++passes_;
    if (may_close(dual, point)) {
      best_.consider(dual_point(problem_, point.lambda));
      if (closed(point)) return true;
    }
    if (free_.empty()) return descend(point, {{}, std::vector<double>(point.w.size(), 0.0), 0.0});  // only A* is left
    const Goal goal = few ? goal_by_examples(dual, point) : goal_by_features(dual, point);
    return closed(point) || (!goal.empty() && descend(point, goal));
  }

  // The bends of the losses and V on one pass. Where examples are plenty, the bends of every fourth free one will do
  // for the first step, and those of the step before where it promised little.
  void assemble(DualPoint& dual) {
    const Matrix& x = *problem_.constraints.x;
    const bool first = plenty() && steps_ == 0;
    const bool again = std::exchange(exact_bends_, true) && plenty() && last_gain_ <= kSmallGain * best_.primal().value;
    if (!first && !again) {
      system_.assemble(h_, dual.beta, problem_.bias_variance(), problem_.bias.flat());
      dual.v = system_.statistics();
      return;
    }
    exact_bends_ = false;
    dual.v = statistics(x, dual.beta, Summing::plain);
    if (again) return;
    std::vector<double> h(h_.size(), std::numeric_limits<double>::infinity());
    for (std::size_t j = 0; j < free_.size(); j += kSampled) {
      const auto t = static_cast<std::size_t>(free_[j]);
      h[t] = h_[t] / static_cast<double>(kSampled);
    }
    system_.assemble(h, dual.beta, problem_.bias_variance(), problem_.bias.flat());
  }

  // The gap of multipliers that the margins call for is A's alone: about g.A'' g / 2 with g = V(lambda) - V, which
  // tells when the value of J is worth its logarithms.
  bool may_close(const DualPoint& dual, const AnsweredPoint& point) const {
    std::vector<double> g(point.v.size()), turned(g.size());
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = dual.v[i] - point.v[i];
    GroupCurvature(problem_.partition, point.v).product(g, turned);
    double gap = 0;
    for (std::size_t i = 0; i < g.size(); ++i) gap += 0.5 * g[i] * turned[i];
    return !(gap > kWorthALook * tolerance_ * point.value);
  }

  // Whether the gap is closed. Scores and V that were carried along are first measured anew.
  bool closed(AnsweredPoint& point) {
    if (best_.relative_gap() > tolerance_) return false;
    if (std::exchange(carried_, false)) {
      measure_anew(problem_, point);
      ++passes_;
      best_.replace(point);
    }
    return best_.closed();
  }

  // What V should move by, from a factor over the free examples. beta + dbeta is a point of its own for J.
  Goal goal_by_examples(const DualPoint& dual, const AnsweredPoint& point) {
    const std::vector<double> step = direction(point.lambda, dual, point);
    if (step.empty()) return {};
    Goal goal{statistics(*problem_.constraints.x, step), {}, {}};
    for (std::size_t i = 0; i < goal.v.size(); ++i) goal.v[i] += dual.v[i] - point.v[i];
    best_.consider(dual_point(problem_, moved(point.lambda, step, 1)));
    passes_ += 2;
    return goal;
  }

  // The same from a factor over the features; with switches the least point of a model that has A* as it is. What it
  // adds to the multipliers is worth a look near the end only.
  Goal goal_by_features(const DualPoint& dual, const AnsweredPoint& point) {
    double g_bias = sum(dual.beta);
    if (problem_.bias_variance() > 0) g_bias -= point.bias / problem_.bias_variance();
    Goal goal = kLinear ? newton_goal(dual, point, g_bias) : model_goal(dual, point, g_bias);
    std::vector<double> dw(point.w.size());
    double gain = g_bias * *goal.bias;
    for (std::size_t i = 0; i < dw.size(); ++i) {
      dw[i] = goal.w[i] - point.w[i];
      gain += (dual.v[i] - point.v[i]) * dw[i];
    }
    if (!std::isfinite(gain)) return {};
    last_gain_ = gain;
    if (gain > kCloseBy * point.value) return goal;
    goal.df = scores(*problem_.constraints.x, dw);
    ++passes_;
    best_.consider(stepped(dual, point, dw, goal));
    return goal;
  }

  // beta + dbeta, dbeta = -(X dw + db) / h over the free examples, a point of its own for J. Its V follows from what
  // was assembled, but for multipliers that are held at an end. These unbalance the others, which db makes up for under
  // a flat bias.
  DualPoint stepped(const DualPoint& dual, const AnsweredPoint& point, std::span<const double> dw, const Goal& goal) {
    double db = *goal.bias;
    std::vector<double> change(free_.size());  // of lambda
    DualPoint to;
    to.lambda = point.lambda;
    for (int tries = 0; tries < kMostShifts; ++tries) {
      double bends = 0, excess = 0, weight = 0;
      for (std::size_t j = 0; j < free_.size(); ++j) {
        const auto t = static_cast<std::size_t>(free_[j]), k = constraint_[j];
        change[j] = -side_[t] * (goal.df[t] + db) / h_[t];
        to.lambda[k] = held(k, point.lambda[k], change[j]);
        excess += side_[t] * to.lambda[k];
        weight += to.lambda[k];
        bends += 1 / h_[t];
      }
      if (!problem_.bias.flat() || std::abs(excess) <= kBalanced * weight) break;
      db += excess / bends;
    }
    if (!exact_bends_) return dual_point(problem_, std::move(to.lambda));
    Index stopped = 0;
    to.v = system_.times(dw, db);
    for (std::size_t i = 0; i < to.v.size(); ++i) to.v[i] = dual.v[i] - to.v[i];
    for (std::size_t j = 0; j < free_.size(); ++j) {
      const double before = point.lambda[constraint_[j]], after = to.lambda[constraint_[j]];
      const double off = after - before - change[j];
      if (std::abs(off) <= 1e-15 * (after + before)) continue;
      if (++stopped > problem_.constraints.examples() / 4) return dual_point(problem_, std::move(to.lambda));
      add_scaled(problem_.constraints.x->row(free_[j]), side_[static_cast<std::size_t>(free_[j])] * off, to.v);
    }
    to.rough = true;
    balance(problem_, to.lambda);
    to.beta = problem_.constraints.signed_multipliers(to.lambda);
    to.objective = dual_value(problem_, to);
    return to;
  }

  Goal newton_goal(const DualPoint& dual, const AnsweredPoint& point, double g_bias) {
    std::vector<double> d(point.v.size()), g(point.v.size());
    problem_.partition.curvature(point.v, d, {});
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = dual.v[i] - point.v[i];
    system_.factor(d);
    const FeatureSystem::Step step = system_.solve(g, g_bias);
    Goal goal{{}, point.w, step.bias};
    for (std::size_t i = 0; i < d.size(); ++i) goal.w[i] += d[i] * step.v[i];
    return goal;
  }

  Goal model_goal(const DualPoint& dual, const AnsweredPoint& point, double g_bias) {
    std::vector<double> g(dual.v.size());
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = -dual.v[i];
    if (system_.has_bias()) g.push_back(-g_bias);
    Parabola losses(system_.gram(), g, system_.has_bias() ? 1 : 0);
    auto least = FeatureModel(problem_.partition, std::move(losses)).minimise(point.v, point.w);
    return {{}, std::move(least.w), system_.has_bias() ? least.biases.front() : 0.0};
  }

  bool raise_dual(DualPoint& dual) {
    PrimalPoint point = best_.primal();  // of the same V, at the first step
    if (point.v != dual.v) {
      point = primal_point(problem_, dual.v, point.bias);
      best_.consider(point);
    }
    if (best_.relative_gap() <= tolerance_) return true;
    if (problem_.bias_variance() > 0) point.bias = problem_.bias_variance() * sum(dual.beta);  // where J has its slope
    const bool small = point.v.size() < kFewFeatures;
    examples_.leave_out(small ? 0.0 : best_.relative_gap() > kFar ? std::max(kLeftOutFar, left_out_) : left_out_);
    const std::vector<double> step = direction(dual.lambda, dual, point);
    if (step.empty()) return false;
    const double before = dual.objective;
    passes_ += 2;
    if (best_.relative_gap() <= kNear) {  // the whole step, without a look at shorter ones
      const Summing summing = best_.relative_gap() > kLastBut * tolerance_ ? best_.summing() : Summing::exact;
      Certificate next = certificate(problem_, moved(dual.lambda, step, 1), point.bias, summing);
      if (next.dual.objective - before > kMostOf * promised_) {
        whole_ = true;
        dual = std::move(next.dual);
        best_.consider(dual);
        best_.consider(next.primal);
        return true;
      }
      ++passes_;
    }
    const std::vector<double> way = statistics(*problem_.constraints.x, step, Summing::plain);
    for (double length = foreseen(dual, step, way), least = 1e-3 * length; length > least; length *= 0.3) {
      DualPoint next = along(dual, step, way, length);
      // At the top J rises no more in its digits, but F still falls.
      if (!(next.objective > before - 1e-15 * std::abs(before))) continue;
      whole_ = length == 1;
      if (whole_ && !(next.objective - before > kPromised * promised_)) examples_.be_exact();
      dual = std::move(next);
      best_.consider(dual);
      return true;
    }
    if (!examples_.is_rough()) return false;
    examples_.be_exact();
    return true;
  }

  // Where J is largest on the line of V, among a few lengths: about, for multipliers that leave their domain are held
  // at its end, and V does not know it. No pass over the data.
  double foreseen(const DualPoint& from, std::span<const double> step, std::span<const double> way) const {
    double best = -HUGE_VAL, length = 1;
    for (double tried = 1; tried > 1e-6; tried *= 0.4) {
      DualPoint to;
      to.lambda = moved(from.lambda, step, tried);
      to.beta = problem_.constraints.signed_multipliers(to.lambda);
      to.v = from.v;
      for (std::size_t i = 0; i < way.size(); ++i) to.v[i] += tried * way[i];
      const double value = dual_value(problem_, to);
      if (tried == 1 && value - from.objective > kMostOf * promised_) return 1;
      if (value < best) break;
      best = value;
      length = tried;
    }
    return length;
  }

  // The point after `length` of the step. V goes along, with the rows of the multipliers that were held or balanced.
  DualPoint along(const DualPoint& from, std::span<const double> step, std::span<const double> way, double length) {
    DualPoint to;
    to.lambda = moved(from.lambda, step, length);
    cancel_sides(problem_, to.lambda);
    balance(problem_, to.lambda);
    to.beta = problem_.constraints.signed_multipliers(to.lambda);
    std::vector<std::pair<Index, double>> held;
    for (std::size_t t = 0; t < step.size(); ++t) {
      const double off = to.beta[t] - from.beta[t] - length * step[t];
      if (std::abs(off) > 1e-15 * (std::abs(to.beta[t]) + std::abs(from.beta[t]))) held.emplace_back(t, off);
    }
    if (std::ssize(held) < problem_.constraints.examples() / 4) {
      to.rough = true;
      to.v = from.v;
      for (std::size_t i = 0; i < way.size(); ++i) to.v[i] += length * way[i];
      for (const auto& [t, off] : held) add_scaled(problem_.constraints.x->row(t), off, to.v);
    } else {
      to.v = statistics(*problem_.constraints.x, to.beta, best_.summing());
      to.rough = best_.summing() == Summing::plain;
      ++passes_;
    }
    to.objective = dual_value(problem_, to);
    return to;
  }

  // Newton's step of beta from lambda, and from the margins and V of `point`; empty if the algebra has no digits left.
  std::vector<double> direction(std::span<const double> lambda, const DualPoint& dual, const PrimalPoint& point) {
    const Matrix& x = *problem_.constraints.x;
    std::vector<double> r = set_free(lambda, point);
    Curvature curvature;
    curvature.d.resize(point.v.size());
    problem_.partition.curvature(point.v, curvature.d, curvature.kappa);
    curvature.v = point.v;
    curvature.sigma2 = problem_.bias_variance();
    curvature.flat = problem_.bias.flat();
    if (dual.v != point.v) {
      std::vector<double> g(point.v.size());
      for (std::size_t i = 0; i < g.size(); ++i) g[i] = curvature.d[i] * (dual.v[i] - point.v[i]);
      for (const Index t : free_) r[static_cast<std::size_t>(t)] -= dot(x.row(t), g);
      ++passes_;
    }
    std::vector<double> step(r.size(), 0.0);
    if (free_.empty()) return {};
    if (std::ssize(free_) <= x.columns()) {
      examples_.assemble(h_, curvature, free_);
      examples_.solve(r, -sum(dual.beta), step);
    } else {
      if (columns_.empty()) {
        columns_.resize(static_cast<std::size_t>(x.columns()));
        std::iota(columns_.begin(), columns_.end(), Index{0});
      }
      features_.assemble(h_, curvature, columns_);
      features_.solve(r, -sum(dual.beta), step);
    }
    ++passes_;
    promised_ = 0;
    for (const Index t : free_) promised_ += 0.5 * r[static_cast<std::size_t>(t)] * step[static_cast<std::size_t>(t)];
    if (!std::isfinite(promised_)) step.clear();
    return step;
  }

  // Free are the examples with lambda > 0 or a slope upwards; h = -psi'' is infinite elsewhere, which keeps an example
  // out of the system. Returns the slopes of the free ones, with the sign of beta.
  std::vector<double> set_free(std::span<const double> lambda, const PrimalPoint& point) {
    const auto examples = static_cast<std::size_t>(problem_.constraints.examples());
    h_.assign(examples, std::numeric_limits<double>::infinity());
    side_.assign(examples, 0);
    std::vector<double> r(examples, 0.0);
    free_.clear();
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      const double slope = problem_.slope(k, lambda[k]) - problem_.margin(k, point.f, point.bias);
      const std::size_t t = problem_.example(k);
      const bool rises = slope > 0 && lambda[k] < problem_.upper(k), falls = slope <= 0 && lambda[k] > 0;
      if (!(rises || falls) || std::isfinite(h_[t])) continue;
      h_[t] = -problem_.curvature(k, lambda[k]);
      r[t] = problem_.sign(k) * slope;
      side_[t] = problem_.sign(k);
      free_.push_back(static_cast<Index>(t));
    }
    return r;
  }

  // The same where the multipliers are those that the margins call for: no slope is left.
  void set_free(const AnsweredPoint& point) {
    const auto examples = static_cast<std::size_t>(problem_.constraints.examples());
    h_.assign(examples, std::numeric_limits<double>::infinity());
    side_.assign(examples, 0);
    free_.clear();
    constraint_.clear();
    for (std::size_t k = 0; k < point.lambda.size(); ++k) {
      const std::size_t t = problem_.example(k);
      if (!(point.lambda[k] > 0) || std::isfinite(h_[t])) continue;
      h_[t] = 1 / point.bend[k];
      side_[t] = problem_.sign(k);
      free_.push_back(static_cast<Index>(t));
      constraint_.push_back(k);
    }
  }

  // lambda after `length` of the step, kept inside its domain.
  std::vector<double> moved(std::vector<double> lambda, std::span<const double> step, double length) const {
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      const std::size_t t = problem_.example(k);
      if (!std::isfinite(h_[t]) || side_[t] != problem_.sign(k)) continue;
      lambda[k] = held(k, lambda[k], length * problem_.sign(k) * step[t]);
    }
    return lambda;
  }
  double held(std::size_t k, double lambda, double change) const {
    const double to = lambda + change, end = problem_.upper(k);
    return std::max(0.0, to < end ? to : problem_.psi.domain().closed ? end : 0.5 * (lambda + end));
  }

  // Each feature advances along its own path, by the whole of the step or a part of it, and F is searched on the
  // straight line of w to there. Where that ends soon after its begin, the paths were too far apart.
  bool descend(AnsweredPoint& point, const Goal& goal) {
    const double before = point.value;
    if (!goal.w.empty()) {
      search_line(problem_, point, goal, 1, plenty() ? kFlatOfMany : kFlat);
      ++passes_;
    } else {
      const AnsweredPoint from = point;
      for (double length = 1; length > 1e-4; length *= 0.3) {
        AnsweredPoint next = from;
        const double reached = search_line(problem_, next, goal, length);
        ++passes_;
        if (next.value < point.value) point = std::move(next);
        if (reached > kFarEnough) break;
      }
    }
    if (!(point.value < before)) return false;
    carried_ = true;
    best_.consider(point);
    closed(point);
    return true;
  }

  bool plenty() const {
    const Matrix& x = *problem_.constraints.x;
    return x.rows() >= kPlenty * x.columns();
  }

  static double sum(std::span<const double> values) {
    CompensatedSum total;
    for (const double value : values) total.add(value);
    return total.value();
  }

  const P& problem_;
  BestPair<P>& best_;
  Stopping& stopping_;
  double tolerance_;
  std::function<bool(Index passes, bool whole)> told_;
  using Partition = std::remove_cvref_t<decltype(std::declval<P>().partition)>;
  static constexpr bool kLinear = Partition::kLinearMean, kIndependent = Partition::kIndependent;
  static constexpr double kFarEnough = 0.25;
  static constexpr double kNear = 0.1;       // relative gap from which whole steps are tried first
  static constexpr double kLastBut = 1e3;    // of the tolerance: a whole step from there should be the last
  static constexpr Index kModelled = 500;    // features up to which a model of them costs less than it saves
  static constexpr double kWorthALook = 10;  // of the tolerance
  static constexpr double kCloseBy = 0.1;    // of F: what a step promises, when the multipliers are worth a look
  static constexpr Index kPlenty = 1000, kSampled = 4;  // examples for each feature, of which so many will do
  static constexpr double kSmallGain = 1e-4;            // of F: the bends hardly change then
  // Where a line ends: among so many examples kinks even out, and F is a parabola with a four-hundredth of its gain
  // left.
  static constexpr double kFlatOfMany = 0.1, kFlat = 0.02;
  static constexpr int kMostShifts = 8;       // of the bias, to balance the multipliers of a step
  static constexpr double kBalanced = 1e-12;  // of all multipliers: an excess that is none
  // What the matrix of few examples may leave out of its trace, near the optimum and at relative gaps above kFar; and
  // of what a whole step promises, how much must be had, or floats are to blame; and how much
  // is enough to look no further.
  static constexpr double kLeftOut = 0.02, kLeftOutFar = 0.05, kFar = 0.5, kPromised = 0.1, kMostOf = 0.5;
  // The gap that this leaves goes with its square, and with that of the step: loose tolerances may leave out more.
  static constexpr double kUsualTolerance = 1e-6, kMostLeftOut = 0.25;
  static constexpr std::size_t kFewFeatures = 500;  // nothing is left out then
  ExampleFactor examples_;
  FeatureFactor features_;
  FeatureSystem system_;
  std::vector<Index> free_, columns_;
  std::vector<std::size_t> constraint_;  // by features: that of each free example
  std::vector<double> h_, side_;         // per example: metric, and the sign of its free side
  bool exact_bends_ = false;             // by features: what was assembled is of this step, and of all examples
  double last_gain_ = HUGE_VAL;          // what the last step by features promised
  bool carried_ = false;                 // the scores of the primal point were not computed from its w
  bool whole_ = false;                   // the step was not shortened
  double promised_ = 0;                  // of J, by the last direction
  double left_out_ = std::clamp(kLeftOut * std::pow(tolerance_ / kUsualTolerance, 0.36), kLeftOut, kMostLeftOut);
  Index passes_ = 0, steps_ = 0;
};

}  // namespace medlar
