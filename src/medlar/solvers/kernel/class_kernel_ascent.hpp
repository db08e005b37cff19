// Several classes by a kernel, fitted jointly (docs/theory.md#kernels, #several-classes): sweeps over the examples in
// blocks whose rows of the Gram matrix are at hand, one multiplier at a time at the maximum of J along its axis; then
// Newton on the free multipliers.
//
// A visit to example t moves its multipliers against all rivals, which share the row of t. The scores of the other
// blocks follow by one product with the rows, on all threads. Biases are those of an augmented Lagrangian, as in
// dual_ascent.hpp: b_k rises by sigma2 S_k after each sweep, and one with a prior is drawn back to it by as much as its
// variance says. Examples that idle are left out until the next certificate.
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
#include "medlar/simd/gram_loops.hpp"
#include "medlar/solvers/kernel/kernel_run.hpp"
#include "medlar/thresholds/certificates.hpp"
#include "medlar/thresholds/near.hpp"
#include "medlar/thresholds/newton_pays.hpp"

namespace medlar {

template <class P>
class ClassKernelAscent {
 public:
  ClassKernelAscent(const P& problem, Gram& gram, double cache_megabytes, const Limits& limits, Observer* observer)
      : problem_(problem),
        gram_(gram),
        cache_(gram, cache_megabytes),
        megabytes_(cache_megabytes),
        state_(problem, gram),
        run_(problem, gram, state_, limits, observer),
        random_(limits.seed),
        bias_(state_.outputs(), 0.0) {
    double diagonal = 0;
    for (Index t = 0; t < gram.size(); ++t) diagonal += gram.diagonal(t);
    if (problem.flat() || problem.bias_variance() > 0) {
      least_penalty_ = penalty_ = kPenalty * state_.scale() * diagonal / static_cast<double>(gram.size());
    }
    first_.push_back(0);
    for (std::size_t c = 0; c < problem.count(); ++c) {
      if (static_cast<std::size_t>(problem.constraints.example[c]) >= first_.size()) first_.push_back(c);
    }
    first_.push_back(problem.count());
  }

  // `newton`: steps on the free multipliers may finish.
  Report solve(bool newton) {
    certify();
    Index sweeps = kFirstSweepsBetweenClasses;
    Patience patience;
    while (!run_.over()) {
      const double before = state_.relative_gap();
      if (!run_.graced([&] { advance(sweeps, newton); })) continue;
      sweeps = sweeps_after(sweeps, state_.relative_gap(), before);
      if (patience.lost(state_.relative_gap())) {
        run_.give_up(state_.bounds());
        break;
      }
    }
    return run_.finish("ascent between classes", "constraints",
                       fmt::format("{} classes, {} examples, {:.0f} MB of kernel rows", state_.outputs(),
                                   state_.examples(), megabytes_));
  }

  const KernelState<P>& state() const { return state_; }

 private:
  static constexpr double kPenalty =
      0.01;  // sigma2 of the augmented Lagrangian, relative to the mean curvature v k(x, x)
  static constexpr double kMostPenalty = 1e4;  // times that, at most
  static constexpr Index kBlock = 128;         // examples that are swept together
  static constexpr int kInside = 3;            // sweeps inside a block, and over the rivals of an example

  std::size_t at(Index t) const { return static_cast<std::size_t>(t); }

  void advance(Index sweeps, bool newton) {
    ascend(sweeps);
    certify();
    if (!run_.converged() && newton && newton_pays()) run_.polish([this] { adopt(); });
  }

  void ascend(Index sweeps) {
    std::vector<Index> active(state_.examples());
    std::iota(active.begin(), active.end(), Index{0});
    double first = 0;
    for (Index sweep = 0; sweep < sweeps && !run_.asked() && run_.passes() < run_.limits().max_passes; ++sweep) {
      std::shuffle(active.begin(), active.end(), random_);
      raise_biases();
      largest_ = 0;
      std::vector<Index> kept;
      const auto size = std::min<Index>(kBlock, cache_.capacity());
      for (Index begin = 0; begin < std::ssize(active) && !run_.asked(); begin += size) {
        const Index end = std::min(begin + size, std::ssize(active));
        visit_block(std::span(active).subspan(at(begin), at(end - begin)), kept);
      }
      ++run_.rounds;
      first = std::max(first, largest_);
      if (!balanced()) continue;  // the biases will move, and wake who idles
      if (sweep > 0) active = std::move(kept);
      if (active.empty() || largest_ <= kWorthOfLastKernelSweep * first) return;
    }
  }

  // b of this sweep: that of the last one, raised by what the classes receive too much; faster where the last sweep has
  // not made that less, as when every multiplier lies at an end.
  void raise_biases() {
    if (penalty_ == 0) return;
    const std::vector<double> totals = state_.totals();
    double largest = 0;
    for (std::size_t k = 0; k < bias_.size(); ++k) {
      largest = std::max(largest, std::abs(totals[k]));
      bias_[k] = back() * (bias_[k] + penalty_ * totals[k]);
    }
    if (problem_.flat()) {
      penalty_ = std::clamp(largest > 0.9 * imbalance_ ? 1.5 * penalty_ : penalty_ / 1.5, least_penalty_,
                            kMostPenalty * least_penalty_);
    }
    imbalance_ = largest;
  }
  // How far a bias with a prior is drawn back to it.
  double back() const { return problem_.bias_variance() > 0 ? 1 / (1 + penalty_ / problem_.bias_variance()) : 1.0; }
  bool balanced() const {
    double size = 0;
    for (const double each : state_.multipliers()) size += each;
    return !problem_.flat() || imbalance_ <= 1e-3 * size;
  }

  // Sweeps inside the block, then the scores of all examples follow. `kept` gains the examples that do not idle.
  void visit_block(std::span<const Index> block, std::vector<Index>& kept) {
    cache_.fetch(block, rows_);
    const std::size_t count = block.size(), classes = state_.outputs(), examples = state_.examples();
    std::vector<double> f(classes * count), moved(classes * count, 0.0);
    for (std::size_t k = 0; k < classes; ++k) {
      for (std::size_t a = 0; a < count; ++a) f[k * count + a] = f_[k * examples + at(block[a])];
    }
    std::vector<double> change(classes);
    std::vector<char> busy(count, 0);
    for (int inside = 0; inside < kInside; ++inside) {
      for (std::size_t a = 0; a < count; ++a) {
        std::fill(change.begin(), change.end(), 0.0);
        busy[a] = static_cast<char>(visit(at(block[a]), f, a, count, change)) | busy[a];
        for (std::size_t k = 0; k < classes; ++k) {
          if (change[k] == 0) continue;
          moved[k * count + a] += change[k];
          const double step = state_.scale() * change[k];
          const double own = f[k * count + a];  // exact already
          for (std::size_t e = 0; e < count; ++e) f[k * count + e] += step * rows_.value(a, block[e]);
          f[k * count + a] = own;
        }
      }
    }
    for (std::size_t a = 0; a < count; ++a) {
      if (busy[a]) kept.push_back(block[a]);
    }
    spread(moved, count);
  }

  void spread(const std::vector<double>& moved, std::size_t count) {
    const std::size_t classes = state_.outputs(), examples = state_.examples();
    std::vector<GramRows> rows(classes);
    std::vector<std::vector<double>> weights(classes);
    for (std::size_t k = 0; k < classes; ++k) {
      for (std::size_t a = 0; a < count; ++a) {
        if (moved[k * count + a] == 0) continue;
        rows[k].push_back(rows_, a);
        weights[k].push_back(state_.scale() * moved[k * count + a]);
      }
    }
    side_by_side(gram_.threads(), static_cast<Index>(examples), 512, [&](Index first, Index last) {
      for (std::size_t k = 0; k < classes; ++k) {
        rows[k].add(weights[k], at(first), f_.data() + k * examples + first, at(last - first));
      }
    });
  }

  // Moves the multipliers of example t, in place a of the block; true unless all idle at an end.
  bool visit(std::size_t t, std::vector<double>& f, std::size_t a, std::size_t count, std::vector<double>& change) {
    const double own = state_.scale() * gram_.diagonal(static_cast<Index>(t)), share = back() * penalty_;
    const double q = std::max(2 * (own + share), 1e-12);
    bool busy = false;
    for (int inside = 0; inside < kInside; ++inside) {
      bool any = false;
      for (std::size_t c = first_[t]; c < first_[t + 1]; ++c) {
        const std::size_t up = at(problem_.constraints.up[c]), down = at(problem_.constraints.down[c]);
        double& lambda = state_.multipliers()[c];
        const double m =
            f[up * count + a] - f[down * count + a] + bias_[up] - bias_[down] - problem_.constraints.offset[c];
        const double to = problem_.proximal(c, q * lambda - m, q, lambda);
        const double d = to - lambda;
        if (d == 0) {
          busy |= lambda > 0 && lambda < problem_.upper(c);
          continue;
        }
        busy = any = true;
        largest_ = std::max(largest_, q * std::abs(d));
        lambda = to;
        change[up] += d, change[down] -= d;
        f[up * count + a] += own * d, f[down * count + a] -= own * d;
        bias_[up] += share * d, bias_[down] -= share * d;
      }
      if (!any) break;
    }
    return busy;
  }

  void certify() {
    run_.certify("ascent", bias_);
    adopt();
  }

  // Goes on from the certified scores and biases.
  void adopt() {
    f_ = state_.f();
    bias_ = state_.bias();
  }

  // Whether the block of the free constraints fits the memory given to rows, and its factors cost less than sweeps.
  bool newton_pays() const {
    if (state_.relative_gap() > kNearForKernelClasses) return false;
    const auto free = static_cast<double>(run_.free_count());
    if (free * free * 2 * sizeof(double) > bytes_for_newton(megabytes_)) return false;
    const auto cells = static_cast<double>(state_.examples()) * static_cast<double>(state_.examples());
    return kProductOfAFactor * free * free * free / 3 <
           kSweepsAgainstAFactor * cells * static_cast<double>(state_.outputs());
  }

  const P& problem_;
  Gram& gram_;
  GramCache cache_;
  double megabytes_;
  KernelState<P> state_;
  KernelRun<P> run_;
  std::mt19937_64 random_;
  std::vector<double> bias_;
  double penalty_ = 0, least_penalty_ = 0, imbalance_ = HUGE_VAL, largest_ = 0;
  std::vector<std::size_t> first_;  // of each example's constraints
  std::vector<double> f_;           // scores, class by class
  GramRows rows_;
};

}  // namespace medlar
