// Newton on the free multipliers of a kernel problem (theory 11): with F the examples inside their domain, or about to
// enter it, and h = -phi'', the step solves
//
//   (v K_FF + diag(h) + sigma2 1 1^T) d + b 1 = slopes,     sum d = 0 under a flat bias
//
// whose block K_FF is computed once and serves until the steps have settled; the scores of the other examples follow at
// the next certificate. For hinge and svr, h = 0, and a step solves the face of the box that it lies on.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/systems/kernel_system.hpp"
#include "medlar/problem/certificate.hpp"
#include "medlar/solvers/kernel/signed_potential.hpp"

namespace medlar {

// State: beta(), f(), bias(), phi(), scale(), sum() and objective() of a KernelState. G: block() of a Gram.
template <class P, class State, class G>
class KernelNewton {
 public:
  KernelNewton(const P& problem, const G& gram, State& state, std::function<bool()> stop)
      : problem_(problem), gram_(gram), state_(state), stop_(std::move(stop)) {}

  Index steps() const { return steps_; }
  Index free_count() const { return std::ssize(find_free()); }

  // Steps on the block of the examples that are free at the last certificate, until they settle there. False when they
  // changed nothing: then only other multipliers could help.
  bool round() {
    bool moved = false;
    unless_given_up(stop_, [&] { go(moved); });
    return moved;
  }

 private:
  void go(bool& moved) {
    free_ = find_free();
    if (free_.empty()) return;
    const KernelBlock block(gram_.block(free_), std::ssize(free_));
    beta_.clear(), f_.clear();
    for (const Index t : free_) {
      f_.push_back(state_.f()[static_cast<std::size_t>(t)]);
      beta_.push_back(state_.beta()[static_cast<std::size_t>(t)]);
    }
    double b = state_.bias();
    for (int step = 0; step < kMostSteps && !stop_(); ++step) {
      const Step next = newton_step(block, b);
      if (next.direction.empty()) break;
      const double gained = advance(block, next);
      if (!(gained > 0)) break;
      ++steps_;
      moved = true;
      b = next.bias;
      for (std::size_t a = 0; a < free_.size(); ++a) state_.beta()[at(a)] = beta_[a];
      if (gained <= kSettled * std::abs(state_.objective())) break;
    }
  }

  static constexpr int kMostSteps = 25;
  static constexpr double kSettled = 1e-13;

  // Inside, or with a slope that leads inside.
  template <class Phi>
  static bool is_free(const Phi& phi, std::size_t t, double beta, double f, double b) {
    const double rising = phi.rising(t, beta), falling = phi.falling(t, beta);
    return rising == falling || rising > f + b || falling < f + b;
  }

  std::vector<Index> find_free() const {
    std::vector<Index> free;
    by_margin(problem_, [&](const auto& own) {
      const SignedPotential phi(own);
      for (std::size_t t = 0; t < state_.beta().size(); ++t) {
        if (is_free(phi, t, state_.beta()[t], state_.f()[t], state_.bias())) free.push_back(static_cast<Index>(t));
      }
    });
    return free;
  }

  std::size_t at(std::size_t a) const { return static_cast<std::size_t>(free_[a]); }

  struct Step {
    std::vector<double> direction;  // one per free example; empty if there is none
    double bias = 0;
  };

  Step newton_step(const KernelBlock& block, double b) const {
    const bool flat = problem_.bias.flat();
    const double sigma2 = problem_.bias_variance(), total = state_.sum();
    const double bias = flat ? b : sigma2 * total;
    std::vector<Index> members;
    std::vector<double> h, slopes;
    by_margin(problem_, [&](const auto& own) {
      const SignedPotential phi(own);
      for (std::size_t a = 0; a < free_.size(); ++a) {
        if (!is_free(phi, at(a), beta_[a], f_[a], bias)) continue;
        const double rising = phi.rising(at(a), beta_[a]), falling = phi.falling(at(a), beta_[a]);
        members.push_back(static_cast<Index>(a));
        h.push_back(phi.curvature(at(a), beta_[a]));
        slopes.push_back((rising > f_[a] + bias ? rising : falling) - f_[a] - bias);
      }
    });
    if (members.empty()) return {};
    const KernelBlock::Step solved = block.solve(members, h, slopes, state_.scale(), sigma2, flat, -total);
    Step step{std::vector<double>(free_.size(), 0.0), bias + solved.bias};
    for (std::size_t m = 0; m < members.size(); ++m) {
      if (!std::isfinite(solved.d[m])) return {};
      step.direction[static_cast<std::size_t>(members[m])] = solved.d[m];
    }
    return step;
  }

  // Goes along the step as far as J rises, inside the box and across no kink; what J gains.
  double advance(const KernelBlock& block, const Step& step) {
    for (double length = 1; length > 1e-5; length *= 0.3) {
      pause_after(free_.size() * free_.size());
      const std::vector<double> to = moved(step.direction, length);
      std::vector<double> change(to.size());
      for (std::size_t a = 0; a < to.size(); ++a) change[a] = to[a] - beta_[a];
      const std::vector<double> pulled = block.times(change);
      CompensatedSum gain, sum;
      for (std::size_t a = 0; a < to.size(); ++a) {
        if (change[a] == 0) continue;
        sum.add(change[a]);
        gain.add(-(f_[a] + 0.5 * state_.scale() * pulled[a]) * change[a]);
        gain.add(state_.phi().value(at(a), to[a]));
        gain.add(-state_.phi().value(at(a), beta_[a]));
      }
      const double before = state_.sum(), after = before + sum.value();
      gain.add(-0.5 * problem_.bias_variance() * (after * after - before * before));
      if (!(gain.value() > 0)) continue;
      beta_ = to;
      for (std::size_t a = 0; a < to.size(); ++a) f_[a] += state_.scale() * pulled[a];
      return gain.value();
    }
    return 0;
  }

  // beta after a part of the step, balanced under a flat bias by the multipliers inside.
  std::vector<double> moved(const std::vector<double>& direction, double length) const {
    std::vector<double> all = state_.beta();
    const bool closed = problem_.psi.domain().closed;
    for (std::size_t a = 0; a < free_.size(); ++a) {
      const double low = state_.phi().low(at(a)), high = state_.phi().high(at(a));
      double to = beta_[a] + length * direction[a];
      if (!(to < high)) to = closed || high == 0 ? high : 0.5 * (beta_[a] + high);
      if (!(to > low)) to = closed || low == 0 ? low : 0.5 * (beta_[a] + low);
      all[at(a)] = beta_[a] * to < 0 ? 0.0 : to;
    }
    if (problem_.bias.flat()) {
      std::vector<double> lambda(problem_.count());
      for (std::size_t k = 0; k < lambda.size(); ++k) {
        lambda[k] = std::max(0.0, problem_.sign(k) * all[problem_.example(k)]);
      }
      balance(problem_, lambda);
      all = problem_.constraints.beta(lambda);
    }
    std::vector<double> to(free_.size());
    for (std::size_t a = 0; a < to.size(); ++a) to[a] = all[at(a)];
    return to;
  }

  const P& problem_;
  const G& gram_;
  State& state_;
  std::function<bool()> stop_;
  std::vector<Index> free_;
  std::vector<double> beta_, f_;  // of the free
  Index steps_ = 0;
};

}  // namespace medlar
