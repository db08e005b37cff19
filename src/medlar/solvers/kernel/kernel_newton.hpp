// Newton on the free multipliers of a kernel problem (docs/theory.md#newton-steps): with F the multipliers inside their
// domain, or about to enter it, and h = -phi'', the step solves
//
//   (v K_FF + diag(h) + sigma2 1 1^T) d + b 1 = slopes,     sum d = -sum beta under a flat bias
//
// of one output, over its signed multipliers beta, one for each example; of several over the multipliers lambda of the
// constraints between them, as linalg/systems/kernel_system.hpp has it. The block K_FF is computed once and serves
// until the steps have settled; the scores of the other examples follow at the next certificate. For hinge and svr,
// h = 0, and a step solves the face of the box that it lies on.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/systems/kernel_system.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/numerics/backtrack.hpp"
#include "medlar/problem/certificate.hpp"
#include "medlar/solvers/kernel/signed_potential.hpp"

namespace medlar {

// State: multipliers(), totals(), f(), bias(), phi(), scale() and objective() of a KernelState. G: block() of a Gram.
template <class P, class State, class G>
class KernelNewton {
 public:
  KernelNewton(const P& problem, const G& gram, State& state, std::function<bool()> stop)
      : problem_(problem), gram_(gram), state_(state), stop_(std::move(stop)) {}

  Index steps() const { return steps_; }
  Index free_count() const { return std::ssize(find_free()); }
  const std::vector<double>& bias() const { return bias_; }  // after a round

  // Steps on the block of the multipliers that are free at the last certificate, until they settle there. False when
  // they changed nothing: then only other multipliers could help.
  bool round() {
    bool moved = false;
    unless_given_up(stop_, [&] { go(moved); });
    return moved;
  }

 private:
  static constexpr int kMostSteps = 25;
  static constexpr double kSettled = 1e-13;

  void go(bool& moved) {
    free_ = find_free();
    if (free_.empty()) return;
    find_members();
    const KernelBlock block(gram_.block(members_), std::ssize(members_));
    bias_ = state_.bias();
    for (int step = 0; step < kMostSteps && !stop_(); ++step) {
      const Step next = newton_step(block);
      if (next.d.empty()) break;
      const double gained = advance(block, next.d);
      if (!(gained > 0)) break;
      ++steps_;
      moved = true;
      bias_ = next.bias;
      if (gained <= kSettled * std::abs(state_.objective())) break;
    }
  }

  Index example(std::size_t k) const {
    if constexpr (P::kOne) {
      return static_cast<Index>(k);
    } else {
      return problem_.constraints.example[k];
    }
  }
  // Of numbers that are given output by output, as scores of examples or biases: entry t of the output that multiplier
  // k speaks for, less that of the one it speaks against.
  double seen(std::size_t k, std::span<const double> numbers, std::size_t t = 0) const {
    if constexpr (P::kOne) {
      return numbers[t];
    } else {
      const std::size_t count = numbers.size() / problem_.outputs();
      return numbers[at(problem_.constraints.up[k]) * count + t] -
             numbers[at(problem_.constraints.down[k]) * count + t];
    }
  }

  // use(phi), phi of what is moved, with the potential's own type.
  template <class Use>
  void by_potential(Use use) const {
    by_margin(problem_, [&](const auto& own) { use(MovedPotential<std::remove_cvref_t<decltype(own)>>(own)); });
  }

  // Inside, or with a slope that leads inside.
  template <class Phi>
  static bool is_free(const Phi& phi, std::size_t k, double multiplier, double pull) {
    const double rising = phi.rising(k, multiplier), falling = phi.falling(k, multiplier);
    return rising == falling || rising > pull || falling < pull;
  }

  std::vector<std::size_t> find_free() const {
    const std::vector<double>& multipliers = state_.multipliers();
    const std::vector<double> bias = state_.bias();
    std::vector<std::size_t> free;
    by_potential([&](const auto& phi) {
      for (std::size_t k = 0; k < multipliers.size(); ++k) {
        if (is_free(phi, k, multipliers[k], seen(k, state_.f(), at(example(k))) + seen(k, bias))) free.push_back(k);
      }
    });
    return free;
  }

  // The examples of the free multipliers, which are in their order, and their scores.
  void find_members() {
    members_.clear(), place_.clear(), f_.clear();
    for (const std::size_t k : free_) {
      if (members_.empty() || members_.back() != example(k)) members_.push_back(example(k));
      place_.push_back(members_.size() - 1);
    }
    const std::size_t examples = state_.f().size() / problem_.outputs();
    for (std::size_t j = 0; j < problem_.outputs(); ++j) {
      for (const Index t : members_) f_.push_back(state_.f()[j * examples + at(t)]);
    }
  }

  using Step = KernelBlock::Step;

  // A direction, one entry per free multiplier, empty if there is none; and the biases that it leads to.
  Step newton_step(const KernelBlock& block) const {
    const std::vector<double>& multipliers = state_.multipliers();
    const std::vector<double> totals = state_.totals();
    Step step{{}, bias_};
    if (!problem_.flat()) {
      for (std::size_t j = 0; j < totals.size(); ++j) step.bias[j] = problem_.bias_variance() * totals[j];
    }
    KernelUnknowns unknowns;
    std::vector<std::size_t> taken;
    by_potential([&](const auto& phi) {
      for (std::size_t a = 0; a < free_.size(); ++a) {
        const std::size_t k = free_[a];
        const double f = seen(k, f_, place_[a]), b = seen(k, step.bias), pull = f + b;
        if (!is_free(phi, k, multipliers[k], pull)) continue;
        const double rising = phi.rising(k, multipliers[k]), falling = phi.falling(k, multipliers[k]);
        taken.push_back(a);
        unknowns.place.push_back(static_cast<Index>(place_[a]));
        unknowns.h.push_back(phi.curvature(k, multipliers[k]));
        unknowns.slope.push_back((rising > pull ? rising : falling) - f - b);
        if constexpr (!P::kOne) {
          unknowns.up.push_back(problem_.constraints.up[k]), unknowns.down.push_back(problem_.constraints.down[k]);
        }
      }
    });
    if (taken.empty()) return {};
    const Step solved = block.solve(unknowns, state_.scale(), problem_.bias_variance(), problem_.flat(), totals);
    step.d.assign(free_.size(), 0.0);
    for (std::size_t m = 0; m < taken.size(); ++m) {
      if (!std::isfinite(solved.d[m])) return {};
      step.d[taken[m]] = solved.d[m];
    }
    for (std::size_t j = 0; j < totals.size(); ++j) step.bias[j] += solved.bias[j];
    return step;
  }

  // Goes along the step as far as J rises, inside the domain and across no kink; what J gains.
  double advance(const KernelBlock& block, const std::vector<double>& direction) {
    const std::vector<double> before = state_.totals();
    double gained = 0;
    backtrack(1, 0.3, 1e-5, [&](double length) {
      gained = go_along(block, moved(direction, length), before);
      return gained > 0;
    });
    return gained;
  }

  // Goes to these free multipliers if J gains by it; how much, or 0.
  double go_along(const KernelBlock& block, const std::vector<double>& to, const std::vector<double>& before) {
    pause_after(block.cells());
    std::vector<double>& multipliers = state_.multipliers();
    std::vector<double> shares(f_.size(), 0.0);
    std::vector<CompensatedSum> sums(before.size());
    for (std::size_t a = 0; a < to.size(); ++a) share(a, to[a] - multipliers[free_[a]], shares, sums);
    const std::vector<double> pulled = block.times(shares);
    CompensatedSum gain;
    for (std::size_t a = 0; a < to.size(); ++a) {
      const std::size_t k = free_[a];
      const double change = to[a] - multipliers[k];
      if (change == 0) continue;
      gain.add(-(seen(k, f_, place_[a]) + 0.5 * state_.scale() * seen(k, pulled, place_[a])) * change);
      gain.add(state_.phi().value(k, to[a]));
      gain.add(-state_.phi().value(k, multipliers[k]));
    }
    for (std::size_t j = 0; j < before.size(); ++j) {
      const double after = before[j] + sums[j].value();
      gain.add(-0.5 * problem_.bias_variance() * (after * after - before[j] * before[j]));
    }
    if (!(gain.value() > 0)) return 0;
    for (std::size_t a = 0; a < to.size(); ++a) multipliers[free_[a]] = to[a];
    for (std::size_t i = 0; i < f_.size(); ++i) f_[i] += state_.scale() * pulled[i];
    return gain.value();
  }

  // What a change of a free multiplier adds to its example, and to what the outputs receive.
  void share(std::size_t a, double change, std::vector<double>& shares, std::vector<CompensatedSum>& sums) const {
    if constexpr (P::kOne) {
      shares[a] = change, sums[0].add(change);
    } else {
      const std::size_t up = at(problem_.constraints.up[free_[a]]), down = at(problem_.constraints.down[free_[a]]);
      shares[up * members_.size() + place_[a]] += change, sums[up].add(change);
      shares[down * members_.size() + place_[a]] -= change, sums[down].add(-change);
    }
  }

  // The free multipliers after a part of the step, balanced under a flat bias by those inside.
  std::vector<double> moved(const std::vector<double>& direction, double length) const {
    std::vector<double> all = state_.multipliers();
    const bool closed = problem_.reaches_end(), zero = problem_.reaches_zero();
    for (std::size_t a = 0; a < free_.size(); ++a) {
      const std::size_t k = free_[a];
      const double low = state_.phi().low(k), high = state_.phi().high(k), from = all[k];
      double to = from + length * direction[a];
      if (!(to < high)) to = closed || (high == 0 && zero) ? high : 0.5 * (from + high);
      if (!(to > low)) to = closed || (low == 0 && zero) ? low : 0.5 * (from + low);
      all[k] = from * to < 0 && !problem_.crosses() ? 0.0 : to;
    }
    balance_moved(problem_, all);
    std::vector<double> to;
    for (const std::size_t k : free_) to.push_back(all[k]);
    return to;
  }

  const P& problem_;
  const G& gram_;
  State& state_;
  std::function<bool()> stop_;
  std::vector<std::size_t> free_, place_;  // multipliers, and the place of each one's example among the members
  std::vector<Index> members_;
  std::vector<double> f_, bias_;  // scores of the members, output by output
  Index steps_ = 0;
};

}  // namespace medlar
