// Newton on the free multipliers of several classes by a kernel: kernel_newton.hpp with K biases. With c and e free
// constraints, h = -psi'', and R_ck = +1 where c speaks for class k, -1 where against it,
//
//   (v k(x_c, x_e) (R R^T)_ce + diag(h) + sigma2 R R^T) d + R b = slopes,     R^T d = -what the classes receive
//
// the latter under flat biases, of which one is fixed.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/systems/class_kernel_system.hpp"
#include "medlar/solvers/kernel/class_kernel_state.hpp"

namespace medlar {

template <class P>
class ClassKernelNewton {
 public:
  ClassKernelNewton(const P& problem, const Gram& gram, ClassKernelState<P>& state, std::function<bool()> stop)
      : problem_(problem), gram_(gram), state_(state), stop_(std::move(stop)) {}

  Index steps() const { return steps_; }
  std::size_t free_count() const {
    std::size_t count = 0;
    for (std::size_t c = 0; c < problem_.count(); ++c) count += is_free(c, state_.lambda()[c], state_.slope(c));
    return count;
  }
  const std::vector<double>& bias() const { return bias_; }  // after a round

  // Steps on the constraints that are free at the last certificate, until they settle there. False when nothing moved.
  bool round() {
    bool moved = false;
    unless_given_up(stop_, [&] { go(moved); });
    return moved;
  }

 private:
  void go(bool& moved) {
    collect();
    if (free_.empty()) return;
    bias_ = state_.bias();
    for (int step = 0; step < kMostSteps && !stop_(); ++step) {
      const std::vector<double> direction = newton_step();
      if (direction.empty()) break;
      const double gained = advance(direction);
      if (!(gained > 0)) break;
      ++steps_;
      moved = true;
      if (gained <= kSettled * std::abs(state_.objective())) break;
    }
  }

  static constexpr int kMostSteps = 25;
  static constexpr double kSettled = 1e-13;

  // Inside, or with a slope that leads inside.
  bool is_free(std::size_t c, double lambda, double slope) const {
    if (lambda == 0) return slope > 0;
    return lambda < problem_.upper(c) || slope < 0;
  }

  // The free constraints, their examples, and the block of the Gram matrix.
  void collect() {
    free_.clear(), members_.clear(), place_.clear();
    for (std::size_t c = 0; c < problem_.count(); ++c) {
      if (!is_free(c, state_.lambda()[c], state_.slope(c))) continue;
      const Index t = problem_.constraints.example[c];
      if (members_.empty() || members_.back() != t) members_.push_back(t);
      free_.push_back(c);
      place_.push_back(std::ssize(members_) - 1);
    }
    const std::size_t count = members_.size();
    block_ = gram_.block(members_);
    f_.assign(state_.classes() * count, 0.0);
    for (std::size_t k = 0; k < state_.classes(); ++k) {
      for (std::size_t a = 0; a < count; ++a) {
        f_[k * count + a] = state_.f()[k * state_.examples() + static_cast<std::size_t>(members_[a])];
      }
    }
  }

  std::size_t up(std::size_t j) const { return static_cast<std::size_t>(problem_.constraints.up[free_[j]]); }
  std::size_t down(std::size_t j) const { return static_cast<std::size_t>(problem_.constraints.down[free_[j]]); }
  double between(std::size_t j, std::span<const double> by_class) const {  // of one number per class
    return by_class[up(j)] - by_class[down(j)];
  }
  double score(std::size_t j, std::span<const double> f) const {  // of one number per class and member
    const std::size_t a = static_cast<std::size_t>(place_[j]);
    return f[up(j) * members_.size() + a] - f[down(j) * members_.size() + a];
  }

  std::vector<double> newton_step() {
    const std::vector<double> totals = totals_of(problem_, state_.lambda());
    if (!problem_.flat()) {
      for (std::size_t k = 0; k < bias_.size(); ++k) bias_[k] = problem_.bias_variance() * totals[k];
    }
    ClassKernelSystem system(block_, std::ssize(members_), problem_.constraints.classes);
    std::vector<std::size_t> taken;
    for (std::size_t j = 0; j < free_.size(); ++j) {
      const std::size_t c = free_[j];
      const double lambda = state_.lambda()[c];
      const double slope =
          problem_.slope(c, lambda) + problem_.constraints.offset[c] - score(j, f_) - between(j, bias_);
      if (!is_free(c, lambda, slope)) continue;
      taken.push_back(j);
      system.add(place_[j], problem_.constraints.up[c], problem_.constraints.down[c], -problem_.curvature(c, lambda),
                 slope);
    }
    if (taken.empty()) return {};
    const ClassKernelSystem::Step step =
        system.solve(state_.scale(), problem_.bias_variance(), problem_.flat(), totals);
    std::vector<double> direction(free_.size(), 0.0);
    for (std::size_t e = 0; e < taken.size(); ++e) {
      if (!std::isfinite(step.d[e])) return {};
      direction[taken[e]] = step.d[e];
    }
    next_bias_ = bias_;
    for (std::size_t k = 0; k < step.bias.size(); ++k) next_bias_[k] += step.bias[k];
    return direction;
  }

  // Goes along the step as far as J rises, inside the domain; what J gains.
  double advance(const std::vector<double>& direction) {
    const std::vector<double> before = totals_of(problem_, state_.lambda());
    for (double length = 1; length > 1e-5; length *= 0.3) {
      pause_after(block_.size());
      const std::vector<double> to = moved(direction, length);
      std::vector<double> shares(f_.size(), 0.0), pulled(f_.size(), 0.0);
      for (std::size_t j = 0; j < free_.size(); ++j) {
        const double change = to[free_[j]] - state_.lambda()[free_[j]];
        const std::size_t a = static_cast<std::size_t>(place_[j]);
        shares[up(j) * members_.size() + a] += change;
        shares[down(j) * members_.size() + a] -= change;
      }
      multiply_classes(block_, std::ssize(members_), state_.scale(), shares, pulled);
      CompensatedSum gain;
      for (std::size_t j = 0; j < f_.size(); ++j) gain.add(-(f_[j] + 0.5 * pulled[j]) * shares[j]);
      for (const std::size_t c : free_) {
        gain.add(problem_.value(c, to[c]));
        gain.add(-problem_.value(c, state_.lambda()[c]));
        gain.add(problem_.constraints.offset[c] * (to[c] - state_.lambda()[c]));
      }
      const std::vector<double> after = totals_of(problem_, to);
      for (std::size_t k = 0; k < after.size(); ++k) {
        gain.add(-0.5 * problem_.bias_variance() * (after[k] * after[k] - before[k] * before[k]));
      }
      if (!(gain.value() > 0)) continue;
      state_.lambda() = to;
      for (std::size_t j = 0; j < f_.size(); ++j) f_[j] += pulled[j];
      bias_ = next_bias_;
      return gain.value();
    }
    return 0;
  }

  // lambda after a part of the step, balanced under flat biases by the multipliers inside, which are all free.
  std::vector<double> moved(const std::vector<double>& direction, double length) const {
    std::vector<double> all = state_.lambda();
    const bool closed = problem_.psi.domain().closed;
    for (std::size_t j = 0; j < free_.size(); ++j) {
      const std::size_t c = free_[j];
      const double to = all[c] + length * direction[j], end = problem_.upper(c);
      all[c] = std::max(0.0, to < end ? to : closed ? end : 0.5 * (all[c] + end));
    }
    balance(problem_, all);
    return all;
  }

  const P& problem_;
  const Gram& gram_;
  ClassKernelState<P>& state_;
  std::function<bool()> stop_;
  std::vector<std::size_t> free_;
  std::vector<Index> members_, place_;  // examples of the free constraints; the place of each constraint's among them
  std::vector<double> block_, f_;       // theirs; f class by class
  std::vector<double> bias_, next_bias_;
  Index steps_ = 0;
};

}  // namespace medlar
