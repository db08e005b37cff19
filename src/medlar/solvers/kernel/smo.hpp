// Sequential minimal optimisation for kernels, by working sets: the multipliers that violate optimality most, and those
// moved before, are solved by themselves (working_set.hpp); then the scores of all examples in play follow by one
// product with their rows of the Gram matrix. Examples that idle at an end are left out (shrinking), with their columns
// of the cached rows, until the next certificate.
//
// A curved potential leaves every support vector inside its domain, where most of a hinge's lie at its end and are
// done: all rows are needed to the last, and often more than the cache holds. Working sets are then larger, all fresh,
// and examples whose rows are at hand come first.
//
// Rows are kept in single precision unless told, those of rbf kernels with a curved potential in half of that
// (fraction_rounding.hpp). Scores are computed anew in double at each certificate and only moved by such rows in
// between, so that the error of a row is that of the last moves, and vanishes with them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "medlar/kernels/gram_cache.hpp"
#include "medlar/linalg/threads.hpp"
#include "medlar/problem/start.hpp"
#include "medlar/simd/gram_loops.hpp"
#include "medlar/solvers/kernel/kernel_run.hpp"
#include "medlar/solvers/kernel/low_rank_fit.hpp"
#include "medlar/solvers/kernel/working_set.hpp"
#include "medlar/solvers/sweeps/fraction_rounding.hpp"
#include "medlar/thresholds/certificates.hpp"
#include "medlar/thresholds/near.hpp"
#include "medlar/thresholds/newton_pays.hpp"
#include "medlar/thresholds/single_precision.hpp"

namespace medlar {

template <class P>
class Smo {
 public:
  Smo(const P& problem, Gram& gram, double cache_megabytes, const Limits& limits, Observer* observer)
      : problem_(problem),
        gram_(gram),
        cache_(gram, cache_megabytes, working_storage(problem, gram)),
        megabytes_(cache_megabytes),
        random_(limits.seed),
        curved_(problem.smooth()),
        largest_(curved_ ? kLargestCurved : kLargest),
        state_(problem, gram),
        run_(problem, gram, state_, limits, observer),
        working_(problem, state_),
        up_(state_.beta().size()),
        down_(state_.beta().size()),
        exact_(state_.beta().size(), 0.0) {}

  // `newton`: steps on the free multipliers may take over where they are cheaper.
  Report solve(bool newton) {
    everything();
    certify("smo");
    const bool some_idle = problem_.reaches_zero() && !problem_.crosses();  // else a triangle of all has no room
    if (newton && curved_ && some_idle) run_.graced([this] { fit_low_rank(); });
    if (!problem_.reaches_zero() && !run_.converged()) run_.graced([this] { begin_inside(); });
    bool stuck = false;
    while (!stuck && !run_.over()) run_.graced([&] { stuck = !advance(newton); });
    return finish();
  }

  // The certified multipliers, scores and bias.
  const KernelState<P>& state() const { return state_; }

 private:
  static constexpr Index kLargest = 512;  // of a working set: its block of 1 MB stays in the second cache
  static constexpr Index kLargestCurved = 1024;
  static constexpr std::size_t kSteepest = 4;  // of those that join a working set one in so many is among the steepest
  // Of the violation: what a working set may leave, and what one of a curved potential may.
  static constexpr double kInside = 0.1, kInsideCurved = 0.2;
  static constexpr Index kRoundsPerLook = 8;  // rounds between looks at which examples idle

  // A move needs a slope, which a multiplier of 0 has not in a domain whose ends no multiplier reaches. From the
  // middle, by the common factor that raises J most, up to 2.
  void begin_inside() {
    std::vector<double>& beta = state_.beta();
    if (std::none_of(beta.begin(), beta.end(), [](double each) { return each == 0; })) return;
    beta = problem_.constraints.beta(multipliers_to_move(problem_));
    certify("smo");
    const std::vector<double> middle = state_.beta(), lambda = multipliers_of(problem_, middle);
    const double sum = state_.totals()[0];
    double form = problem_.bias_variance() * sum * sum;
    for (std::size_t t = 0; t < middle.size(); ++t) form += middle[t] * state_.f()[t];
    double best = -HUGE_VAL, scale = 1;
    for (double tried = 1; tried > 1e-9; tried *= 0.5) {
      double value = -0.5 * tried * tried * form;
      for (std::size_t k = 0; k < lambda.size(); ++k) value += problem_.value(k, tried * lambda[k]);
      if (value > best) best = value, scale = tried;
    }
    if (scale == 1) return;
    for (std::size_t t = 0; t < middle.size(); ++t) beta[t] = scale * middle[t];
    certify("smo");
  }

  // Where the kernel is near one of low rank, Newton on F does it all.
  void fit_low_rank() {
    const Index rows = cache_.capacity() / (cache_.storage() == GramStorage::fractions ? 2 : 1);
    LowRankFit<P> fit(problem_, gram_, state_, megabytes_, rows, run_, [this] {
      certify("newton");
      return run_.converged();
    });
    fit.solve();
    if (fit.steps() > 0) low_rank_ = fit.rank();
  }

  // Working sets up to a certificate, then Newton where it pays; false when neither leads on.
  bool advance(bool newton) {
    const double before = state_.relative_gap();
    while (!ascend()) run_.certify("smo");
    certify("smo");
    if (!run_.converged() && newton && newton_pays(state_.relative_gap(), run_.free_count())) {
      cache_.release();
      run_.polish([this] { adopt(); });
    }
    if (state_.relative_gap() < before || ++setbacks_ <= 8) return true;
    run_.give_up(state_.bounds());
    return false;
  }

  // Rounds of working sets until the gap, as far as single precision sees it, is below the tolerance. False when they
  // were left in between, for a certificate to fall back on should the end be asked for.
  bool ascend() {
    const double goal = 0.5 * run_.tolerance();
    double look_at = HUGE_VAL;
    const double begun = work(), further = static_cast<double>(state_.certificates()) - 1;
    const double worth = work_for_certificate(further);
    for (Index round = 0;; ++round) {
      if (round > 0 && (work() - begun > worth * work_of_certificate() || last_chance())) return false;
      const Violation violation = violations();
      if (!(violation.size > smallest_)) {
        smallest_ *= 0.1;  // what was left at this accuracy the certificate tells
        return true;
      }
      if (violation.size < look_at) {
        const double gap = estimated_gap(violation);
        if (cache_.storage() == GramStorage::fractions &&
            spoil_fractions(rounding_gap(state_, exact_, all_f_), std::max(gap, goal))) {
          score_in_play();
          look_at = HUGE_VAL;
          continue;
        }
        if (gap <= goal) return true;
        if (may_polish_ && gap <= kNearForPairs && state_.relative_gap() > kNearForPairs &&
            (!curved_ || newton_pays(gap, inside()))) {
          return true;
        }
        look_at = kViolationForALook * violation.size;
      }
      if (run_.asked() || run_.passes() >= run_.limits().max_passes) return true;
      if (round % kRoundsPerLook == kRoundsPerLook - 1) shrink(violation);
      choose(violation);
      ++run_.rounds;
      if (!improve(violation)) return true;
    }
  }

  // The scores in play anew, from rows in single precision.
  void score_in_play() {
    std::vector<Index> support;
    std::vector<double> weights;
    for (std::size_t t = 0; t < exact_.size(); ++t) {
      if (state_.beta()[t] == 0) continue;
      support.push_back(static_cast<Index>(t));
      weights.push_back(state_.scale() * state_.beta()[t]);
    }
    std::fill(f_.begin(), f_.end(), 0.0);
    gram_.add_scores_in_play(support, weights, f_);
    exact_ = state_.beta();
    rescored_ += std::ssize(support) * std::ssize(f_);
  }

  // What rounds have cost, and what a certificate would, in products of numbers.
  double work() const { return static_cast<double>(cache_.values() + rescored_) * gram_.work() + work_of_moves(); }
  double work_of_moves() const {
    const double T = static_cast<double>(all_f_.size());
    return static_cast<double>(run_.rounds) * static_cast<double>(largest_) * T + 2e3 * static_cast<double>(moves_);
  }
  double work_of_certificate() const {
    return 2 * static_cast<double>(state_.changed()) * static_cast<double>(all_f_.size()) * gram_.work();
  }
  // Whether the time that is left is about what a certificate takes.
  bool last_chance() const {
    if (!std::isfinite(run_.limits().max_seconds) || run_.rounds == 0) return false;
    const double seconds = run_.seconds();
    return seconds + 1.2 * seconds * work_of_certificate() / work() > run_.limits().max_seconds;
  }

  // By how much the slopes of J contradict optimality: with a flat bias rising slopes must not exceed falling ones;
  // without one none may point uphill.
  struct Violation {
    double size, highest, lowest;
  };
  double rise(std::size_t j) const { return up_[at(j)] - f_[j] - shift_; }
  double fall(std::size_t j) const { return down_[at(j)] - f_[j] - shift_; }
  std::size_t at(std::size_t j) const { return static_cast<std::size_t>(active_[j]); }

  Violation violations() const {
    double highest = -HUGE_VAL, lowest = HUGE_VAL;
    for (std::size_t j = 0; j < active_.size(); ++j) {
      highest = std::max(highest, rise(j));
      lowest = std::min(lowest, fall(j));
    }
    if (problem_.bias.flat()) return {highest - lowest, highest, lowest};
    return {std::max({highest, -lowest, 0.0}), highest, lowest};
  }

  // The relative gap that the scores in play show, idle examples taken as they were.
  double estimated_gap(const Violation& violation) {
    for (std::size_t j = 0; j < active_.size(); ++j) all_f_[at(j)] = f_[j];
    const double b = problem_.bias.flat() ? 0.5 * (violation.highest + violation.lowest) : shift_;
    CompensatedSum form;
    for (std::size_t t = 0; t < all_f_.size(); ++t) form.add(0.5 * state_.beta()[t] * all_f_[t]);
    form.add(0.5 * b * b / std::max(problem_.bias_variance(), 1e-300) * (problem_.bias_variance() > 0 ? 1 : 0));
    return by_margin(problem_, [&](const auto& own) {
      CompensatedSum gap, primal = form;
      for (std::size_t k = 0; k < own.count(); ++k) {
        const double margin = own.margin(k, all_f_, b);
        const double lambda = std::max(0.0, own.sign(k) * state_.beta()[own.example(k)]);
        const double loss = own.loss(k, margin);
        primal.add(loss);
        gap.add(loss - own.value(k, lambda) + lambda * margin);
      }
      return gap.value() / gap_scale(primal.value());
    });
  }

  // The next working set, as places among the active: some that are steep to rise and to fall, then those moved last.
  void choose(const Violation& violation) {
    const auto size = static_cast<std::size_t>(std::min({largest_, cache_.capacity(), std::ssize(active_)}));
    chosen_.clear();
    taken_.assign(active_.size(), 0);
    const std::size_t fresh = std::max<std::size_t>(2, curved_ ? size : size / 2);
    if (problem_.bias.flat()) {
      take_steepest(
          fresh / 2, [&](std::size_t j) { return rise(j); }, violation.lowest);
      take_steepest(
          fresh / 2, [&](std::size_t j) { return -fall(j); }, -violation.highest);
    } else {
      take_steepest(
          fresh, [&](std::size_t j) { return std::max(rise(j), -fall(j)); }, 0.0);
    }
    for (auto t = moved_.rbegin(); t != moved_.rend() && chosen_.size() < size; ++t) {
      const Index j = place_[static_cast<std::size_t>(*t)];
      if (j >= 0 && !taken_[static_cast<std::size_t>(j)]) take(static_cast<std::size_t>(j));
    }
  }

  // `count` examples with slopes above `floor`: a part of them the steepest, the others drawn from those above the
  // middle. The steepest alone are often all alike: a few moves satisfy them, and upset others.
  template <class Slope>
  void take_steepest(std::size_t count, Slope slope, double floor) {
    steep_.clear();
    for (std::size_t j = 0; j < active_.size(); ++j) {
      const double value = slope(j);
      if (value > floor && !taken_[j]) steep_.emplace_back(-value, j);
    }
    if (steep_.empty() || count == 0) return;
    const std::size_t top = std::min(std::max<std::size_t>(1, count / kSteepest), steep_.size());
    std::nth_element(steep_.begin(), steep_.begin() + static_cast<std::ptrdiff_t>(top - 1), steep_.end());
    std::sort(steep_.begin(), steep_.begin() + static_cast<std::ptrdiff_t>(top));
    for (std::size_t e = 0; e < top; ++e) take(steep_[e].second);
    const double middle = 0.5 * (floor - steep_.front().first);
    const auto end = std::partition(steep_.begin() + static_cast<std::ptrdiff_t>(top), steep_.end(),
                                    [&](const auto& each) { return -each.first > middle; });
    auto next = steep_.begin() + static_cast<std::ptrdiff_t>(top);
    const auto at_hand =
        curved_ ? std::partition(next, end, [&](const auto& each) { return cache_.holds(active_[each.second]); })
                : next;
    for (; next < end && count > top; ++next, --count) {
      const auto among = static_cast<std::uint64_t>((next < at_hand ? at_hand : end) - next);
      std::swap(*next, next[static_cast<std::ptrdiff_t>(random_() % among)]);
      take(next->second);
    }
  }
  void take(std::size_t j) {
    taken_[j] = 1;
    chosen_.push_back(static_cast<Index>(j));
  }

  // Solves the working set and lets the scores follow; false if nothing moved.
  bool improve(const Violation& violation) {
    if (curved_) std::sort(chosen_.begin(), chosen_.end());  // rows are then read from front to back
    std::vector<Index> examples;
    std::vector<double> f;
    for (const Index j : chosen_) {
      examples.push_back(active_[static_cast<std::size_t>(j)]);
      f.push_back(f_[static_cast<std::size_t>(j)] + shift_);
    }
    cache_.fetch(examples, rows_);
    working_.load(examples, f, rows_, chosen_);
    const double may_leave = curved_ ? kInsideCurved : kInside;
    const Index moves = working_.solve(std::max(may_leave * violation.size, smallest_), 20 * std::ssize(examples));
    moves_ += moves;
    GramRows rows;
    std::vector<double> weights;
    for (std::size_t a = 0; a < examples.size(); ++a) {
      const auto t = static_cast<std::size_t>(examples[a]);
      const double change = working_.beta()[a] - state_.beta()[t];
      if (change == 0) continue;
      rows.push_back(rows_, a);
      weights.push_back(state_.scale() * change);
      shift_ += problem_.bias_variance() * change;
      state_.beta()[t] = working_.beta()[a];
      set_slopes(t);
    }
    remember(examples);
    side_by_side(gram_.threads(), std::ssize(active_), 1024, [&](Index first, Index last) {
      rows.add(weights, static_cast<std::size_t>(first), f_.data() + first, static_cast<std::size_t>(last - first));
    });
    return moves > 0;
  }

  // The examples of the last rounds, the latest last, each once.
  void remember(const std::vector<Index>& examples) {
    std::vector<Index> kept;
    for (const Index t : moved_) {
      const Index j = place_[static_cast<std::size_t>(t)];
      if (j >= 0 && !taken_[static_cast<std::size_t>(j)]) kept.push_back(t);
    }
    const auto most = static_cast<std::size_t>(2 * largest_);
    if (kept.size() > most) kept.erase(kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(most));
    kept.insert(kept.end(), examples.begin(), examples.end());
    moved_ = std::move(kept);
  }

  void set_slopes(std::size_t t) {
    up_[t] = state_.phi().rising(t, state_.beta()[t]);
    down_[t] = state_.phi().falling(t, state_.beta()[t]);
  }

  void set_all_slopes() {
    by_margin(problem_, [&](const auto& own) {
      const SignedPotential phi(own);
      for (std::size_t t = 0; t < up_.size(); ++t) {
        up_[t] = phi.rising(t, state_.beta()[t]);
        down_[t] = phi.falling(t, state_.beta()[t]);
      }
    });
  }

  // Examples that cannot be part of any violation: at an end, with a slope beyond every slope of the other kind.
  bool idles(double rising, double falling, const Violation& violation) const {
    const double low = problem_.bias.flat() ? violation.lowest : 0.0,
                 high = problem_.bias.flat() ? violation.highest : 0.0;
    return rising < low && falling > high;
  }

  void shrink(const Violation& violation) {
    if (!(violation.size > 0)) return;
    std::vector<Index> keep, places;
    for (std::size_t j = 0; j < active_.size(); ++j) {
      if (idles(rise(j), fall(j), violation)) {
        all_f_[at(j)] = f_[j];
        continue;
      }
      keep.push_back(active_[j]);
      places.push_back(static_cast<Index>(j));
    }
    if (std::ssize(keep) > 9 * std::ssize(active_) / 10 || keep.empty()) return;
    cache_.set_columns(keep, places);
    for (std::size_t j = 0; j < keep.size(); ++j) f_[j] = f_[static_cast<std::size_t>(places[j])];
    f_.resize(keep.size());
    set_active(std::move(keep));
  }

  void set_active(std::vector<Index> active) {
    active_ = std::move(active);
    place_.assign(state_.beta().size(), -1);
    for (std::size_t j = 0; j < active_.size(); ++j) place_[at(j)] = static_cast<Index>(j);
  }

  void everything() {
    std::vector<Index> all(state_.beta().size());
    std::iota(all.begin(), all.end(), Index{0});
    set_active(std::move(all));
    all_f_.assign(active_.size(), 0.0);
    f_ = all_f_;
    set_all_slopes();
  }

  void certify(const char* stage) {
    run_.certify(stage);
    if (!run_.converged()) adopt();
  }

  // Goes on from the certified scores, with the examples that may still move: those in play, unless one of the others
  // turns out to violate optimality.
  void adopt() {
    exact_ = state_.beta();
    all_f_ = state_.f();
    shift_ = problem_.bias_variance() * state_.totals()[0];
    set_all_slopes();
    f_.clear();
    for (const Index t : active_) f_.push_back(all_f_[static_cast<std::size_t>(t)]);
    if (active_.size() == all_f_.size()) return;
    const Violation violation = violations();
    bool missing = false;
    for (std::size_t t = 0; t < all_f_.size() && !missing; ++t) {
      missing = place_[t] < 0 && !idles(up_[t] - all_f_[t] - shift_, down_[t] - all_f_[t] - shift_, violation);
    }
    if (!missing) return;
    std::vector<Index> all(all_f_.size());
    std::iota(all.begin(), all.end(), Index{0});
    cache_.set_columns(all);
    set_active(std::move(all));
    f_ = all_f_;
  }

  // The examples inside their domain.
  Index inside() const {
    Index count = 0;
    for (std::size_t t = 0; t < up_.size(); ++t) count += up_[t] == down_[t];
    return count;
  }

  // Whether a few factors of the free examples cost less than the rounds that seem to be left, in products of numbers.
  bool newton_pays(double gap, Index free_examples) {
    if (gap > kNearForPairs) return false;
    const double free = static_cast<double>(free_examples);
    if (free * free * 3 * sizeof(double) > bytes_for_newton(megabytes_)) {
      may_polish_ = false;
      return false;
    }
    const double T = static_cast<double>(all_f_.size());
    const double spent = work_of_moves();
    const double decades = std::log10(1 / std::max(gap, 1e-12));
    const double left = spent * std::log10(gap / run_.tolerance()) / std::max(decades, 0.3);
    const double newton = factors_to_the_end(curved_) * (free * free * free / 3 * kProductOfAFactor + free * T);
    return newton < left;
  }

  Report finish() {
    run_.graced([this] { state_.settle_bias(); });
    Report report = run_.finish("smo", "examples",
                                fmt::format("{} examples, {:.0f} MB of kernel rows", state_.examples(), megabytes_));
    if (low_rank_ > 0) {
      report.solver =
          fmt::format("Newton from a fit of rank {}{}", low_rank_, run_.rounds > 0 ? ", then " + report.solver : "");
    }
    return report;
  }

  const P& problem_;
  Gram& gram_;
  GramCache cache_;
  double megabytes_;
  std::mt19937_64 random_;
  const bool curved_;    // phi bends inside its domain
  const Index largest_;  // examples of a working set
  KernelState<P> state_;
  KernelRun<P> run_;
  WorkingSet<P> working_;
  std::vector<double> up_, down_;      // slopes of phi, one per example
  std::vector<double> exact_;          // multipliers at which scores were last computed without fractions
  std::vector<Index> active_, place_;  // examples in play, and the place of each example among them or -1
  std::vector<double> f_, all_f_;      // scores of the active, and of all (idle ones: as they were)
  double shift_ = 0;                   // the bias that belongs to beta under a Gaussian prior
  double smallest_ = 1e-12;            // violation that single precision can see
  std::vector<Index> chosen_, moved_;
  std::vector<char> taken_;
  std::vector<std::pair<double, std::size_t>> steep_;
  GramRows rows_;
  bool may_polish_ = true;
  int setbacks_ = 0;
  Index moves_ = 0;
  Index rescored_ = 0;  // values of the kernel for scores in play
  Index low_rank_ = 0;  // of the factor that Newton began from, if it did
};

}  // namespace medlar
