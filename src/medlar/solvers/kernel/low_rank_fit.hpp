// A kernel problem with a curved potential whose kernel has a factor of low rank near it: where what is left of the
// diagonal is small beside the bend of the potential, the system of a Newton step is all but that of the factor. The
// fit of the factor itself comes first and is nearly free. Its scores are where Newton on F then begins, over the
// examples that they show to be short of their margin or near it, in the lower triangle of their Gram matrix; examples
// that turn out to be missing join. Working sets need every row again and again; where the cache has room for them they
// are as fast, and this leaves the fit to them.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "medlar/kernels/gram_triangle.hpp"
#include "medlar/kernels/low_rank.hpp"
#include "medlar/problem/run.hpp"
#include "medlar/solvers/kernel/kernel_descent.hpp"
#include "medlar/solvers/kernel/kernel_state.hpp"
#include "medlar/thresholds/certificates.hpp"
#include "medlar/thresholds/low_rank_pays.hpp"
#include "medlar/thresholds/rough_fits.hpp"
#include "medlar/thresholds/single_precision.hpp"

namespace medlar {

template <class P>
class LowRankFit {
 public:
  // rows: that a cache of so many megabytes holds in single precision. certify: takes the certificate of the state and
  // says whether it is the last.
  LowRankFit(const P& problem, const Gram& gram, KernelState<P>& state, double megabytes, Index rows, Run& run,
             std::function<bool()> certify)
      : problem_(problem),
        gram_(gram),
        state_(state),
        megabytes_(kMemoryOfLowRank * megabytes),
        rows_(rows),
        run_(run),
        certify_(std::move(certify)),
        sides_(static_cast<std::size_t>(problem.constraints.count() / problem.constraints.examples())),
        triangle_(gram) {}

  Index steps() const { return steps_; }
  Index rank() const { return factor_ ? factor_->rank() : 0; }

  // Certifies as it goes. Leaves off where working sets will do as well, the factor is not near enough, the memory does
  // not suffice, or nothing leads on.
  void solve() {
    bool fits = false;
    if (!run_.whole([&] { fits = begin() && join(kSlack * std::sqrt(left())); }) || !fits) return;
    if (!descend(true)) return;
    if (!paused_) {
      if (run_.whole([&] { look_outside(), fits = join(0); }) && !fits) return;
      if (!run_.asked() && !descend(false)) return;
    }
    for (int round = 0; round < kMostRounds; ++round) {
      const Index before = triangle_.size();
      if (certified_last() || run_.asked()) return;
      if (!run_.whole([&] { fits = join(0); }) || !fits) return;
      if (triangle_.size() == before && !paused_) return;
      if (!descend(false)) return;
    }
  }

 private:
  static constexpr double kSlack = 0.3;          // standard deviations of what is left of the scores
  static constexpr double kSecondsOfDouble = 3;  // a value of the kernel in double, over one in single precision
  static constexpr int kMostSteps = 30, kMostRounds = 12;

  double left() const { return state_.scale() * factor_->left(); }

  // The factor and the scores of its fit; false if it is not near enough.
  bool begin() {
    const Index T = gram_.size();
    const auto rank = static_cast<Index>(kShareOfFactor * megabytes_ * 1e6 / (static_cast<double>(T) * sizeof(float)));
    if (!may_low_rank_pay(T, rows_) || rank < 1 || !gram_.in_floats()) return false;
    factor_.emplace(gram_, rank_to_try(T, rank), run_.limits().seed);
    if (!is_near_low_rank(left(), -problem_.psi.curvature(0))) return false;
    std::vector<Index> all(static_cast<std::size_t>(T));
    std::iota(all.begin(), all.end(), Index{0});
    const std::vector<double> none(all.size(), 0.0);
    KernelDescent fit(problem_, *factor_, all, *factor_, KernelPoint{none, none, 0});
    fit.descend(kGapOfFactor, kMostSteps, [] { return false; });
    f_ = fit.point().f;
    point_.bias = fit.point().bias;
    inside_.assign(all.size(), 0);
    Index support = 0;
    for (std::size_t t = 0; t < f_.size(); ++t) support += called(t, 0);
    return support > rows_;
  }

  // Whether the losses call for a multiplier at a score that is off by `slack`.
  bool called(std::size_t t, double slack) const {
    for (std::size_t k = sides_ * t; k < sides_ * (t + 1); ++k) {
      if (problem_.multiplier(k, problem_.margin(k, f_, point_.bias) - slack) > 0) return true;
    }
    return false;
  }

  // Examples outside that are called for join the triangle; false if it has no room for them.
  bool join(double slack) {
    std::vector<Index> fresh;
    for (std::size_t t = 0; t < f_.size(); ++t) {
      if (!inside_[t] && called(t, slack)) fresh.push_back(static_cast<Index>(t));
    }
    const Index size = triangle_.size() + std::ssize(fresh);
    const double factors = 1e-6 * sizeof(float) * static_cast<double>(factor_->rank() * (factor_->size() + size));
    if (GramTriangle::megabytes(size) + factors > megabytes_) return false;
    const double begun = run_.seconds();
    triangle_.grow(fresh);
    const auto values = static_cast<double>(std::ssize(fresh)) * static_cast<double>(size);
    if (fresh.size() > 1000) seconds_of_value_ = (run_.seconds() - begun) / values;
    for (const Index t : fresh) {
      inside_[static_cast<std::size_t>(t)] = 1;
      point_.beta.push_back(0);
      point_.f.push_back(f_[static_cast<std::size_t>(t)]);
    }
    return true;
  }

  // The first step, from the scores of the factor's fit, or the steps that follow; false when it was left before one.
  bool descend(bool first) {
    std::vector<double> scores;
    if (first) {  // those of the factor's fit; the multipliers are still 0
      for (double& each : point_.f) scores.push_back(each + point_.bias), each = 0;
      point_.bias = 0;
    }
    KernelDescent descent(problem_, triangle_, triangle_.examples(), *factor_, point_);
    bool begun = false;
    const bool whole = run_.whole([&] {
      if (first) descent.begin_at(std::move(scores));
      begun = true;
      paused_ = false;
      const auto enough = [&] { return paused_ = certificate_is_due(descent); };
      if (!first) descent.descend(goal_from_low_rank(run_.tolerance()), kMostSteps, enough);
    });
    paused_ = paused_ || !whole;
    steps_ += descent.steps() + (first && begun ? 1 : 0);
    point_ = descent.point();
    if (begun) beta_ = descent.feasible();
    return begun;
  }

  // A certificate is due when steps have cost a multiple of it, or the time is all but over.
  template <class Descent>
  bool certificate_is_due(const Descent& descent) const {
    const auto support = static_cast<double>(
        std::count_if(descent.point().beta.begin(), descent.point().beta.end(), [](double beta) { return beta != 0; }));
    const double values = support * static_cast<double>(gram_.size()), size = static_cast<double>(triangle_.size());
    if (static_cast<double>(descent.products()) * size * size > kWorkForCertificateOfLowRank * values * gram_.work())
      return true;
    return run_.seconds() + kSecondsOfDouble * seconds_of_value_ * values > run_.limits().max_seconds;
  }

  // The scores of all examples at the point, those outside from the kernel in single precision.
  void look_outside() {
    std::vector<Index> outside, support;
    std::vector<double> weights;
    for (std::size_t t = 0; t < inside_.size(); ++t) {
      if (!inside_[t]) outside.push_back(static_cast<Index>(t));
    }
    for (std::size_t a = 0; a < point_.beta.size(); ++a) {
      f_[static_cast<std::size_t>(triangle_.examples()[a])] = point_.f[a];
      if (point_.beta[a] == 0) continue;
      support.push_back(triangle_.examples()[a]);
      weights.push_back(state_.scale() * point_.beta[a]);
    }
    std::vector<double> f(outside.size(), 0.0);
    gram_.add_scores(gram_.pack(outside), support, weights, f);
    for (std::size_t j = 0; j < outside.size(); ++j) f_[static_cast<std::size_t>(outside[j])] = f[j];
  }

  // Certifies the multipliers, and goes on from what was certified; true when it was the last certificate.
  bool certified_last() {
    std::vector<double>& beta = state_.beta();
    std::fill(beta.begin(), beta.end(), 0.0);
    for (std::size_t a = 0; a < beta_.size(); ++a) beta[static_cast<std::size_t>(triangle_.examples()[a])] = beta_[a];
    const bool last = certify_();
    f_ = state_.f();
    for (std::size_t a = 0; a < beta_.size(); ++a) {
      const auto t = static_cast<std::size_t>(triangle_.examples()[a]);
      point_.beta[a] = beta[t], point_.f[a] = f_[t];
    }
    point_.bias = problem_.bias.flat() ? state_.bias()[0] : problem_.bias_variance() * state_.totals()[0];
    return last;
  }

  const P& problem_;
  const Gram& gram_;
  KernelState<P>& state_;
  double megabytes_;
  Index rows_;
  Run& run_;
  std::function<bool()> certify_;
  std::size_t sides_;
  std::optional<LowRank> factor_;
  GramTriangle triangle_;
  std::vector<char> inside_;  // whether an example is in the triangle
  std::vector<double> f_;     // scores of all examples, without the bias, as far as they are known
  KernelPoint point_;         // of the triangle's examples
  std::vector<double> beta_;  // in their domain
  bool paused_ = false;       // the descent was left before its goal
  double seconds_of_value_ = 0;
  Index steps_ = 0;
};

}  // namespace medlar
