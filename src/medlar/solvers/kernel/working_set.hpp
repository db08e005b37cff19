// SMO inside a working set: a few hundred multipliers whose block of the Gram matrix lies in the cache, moved two at a
// time (flat bias) or one at a time, each move the exact maximum along its line. The first of a pair is the steepest,
// the second has the largest gain to second order, in which a curved potential counts by h = -phi'':
//
//   gain_ij = (slope_i - slope_j)^2 / (2 eta),   eta = K_ii + K_jj - 2 K_ij + h_i + h_j
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "medlar/kernels/gram_rows.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/simd/pair_loops.hpp"
#include "medlar/solvers/kernel/kernel_state.hpp"

namespace medlar {

template <class P>
class WorkingSet {
 public:
  WorkingSet(const P& problem, const KernelState<P>& state) : problem_(problem), state_(state) {}

  // Takes these examples with their multipliers, their scores f (without the bias) and their block of the Gram matrix,
  // rows[a] at places[b]; the rows must stay where they are until solve() ends.
  void load(std::span<const Index> examples, std::span<const double> f, const GramRows& rows,
            std::span<const Index> places) {
    examples_.assign(examples.begin(), examples.end());
    places_.assign(places.begin(), places.end());
    rows_ = rows;
    const std::size_t count = examples.size();
    size_ = (count + kPairPad - 1) / kPairPad * kPairPad;
    block_.resize(std::max(block_.size(), count * size_));
    here_.assign(count, 0);
    f_.assign(size_, 0.0);
    up_.assign(size_, -SignedPotential<P>::kInfinity);
    down_.assign(size_, SignedPotential<P>::kInfinity);
    own_.assign(size_, 1.0);
    inverse_own_.assign(size_, 0.0);
    beta_.resize(count);
    for (std::size_t a = 0; a < count; ++a) {
      f_[a] = f[a];
      beta_[a] = state_.beta()[static_cast<std::size_t>(examples[a])];
    }
    by_margin(problem_, [&](const auto& own) {
      const SignedPotential phi(own);
      for (std::size_t a = 0; a < count; ++a) update(phi, a);
    });
  }

  // Moves until no slope is worth more than `enough`, at most `most` times; returns how many there were.
  Index solve(double enough, Index most) {
    return by_margin(problem_, [&](const auto& own) {
      const SignedPotential phi(own);
      return own.bias.flat() ? solve_pairs(phi, enough, most) : solve_singles(phi, enough, most);
    });
  }

  // By how much the slopes contradict optimality.
  double violation() {
    if (!problem_.bias.flat()) {
      return move_single(f_.data(), row(0), 0.0, 0.0, up_.data(), down_.data(), inverse_own_.data(), size_).steepest;
    }
    const Extremes now = move_pair(f_.data(), row(0), row(0), 0.0, up_.data(), down_.data(), size_);
    return now.highest - now.lowest;
  }

  const std::vector<double>& beta() const { return beta_; }

 private:
  static constexpr double kLeast = 1e-12;  // curvature of two examples that are the same

  // Row a of the block: brought here when a first move asks for it, for many rows are never asked for.
  const float* row(std::size_t a) {
    float* const own = block_.data() + a * size_;
    if (!here_[a]) {
      rows_.gather(a, places_, own);
      std::fill(own + places_.size(), own + size_, 0.0f);
      here_[a] = 1;
    }
    return own;
  }

  template <class Phi>
  void update(const Phi& phi, std::size_t a) {
    const auto t = static_cast<std::size_t>(examples_[a]);
    up_[a] = phi.rising(t, beta_[a]);
    down_[a] = phi.falling(t, beta_[a]);
    own_[a] = state_.curvature(t) + phi.curvature_towards(t, beta_[a], f_[a] + state_.bias()[0]);
    inverse_own_[a] = 1 / std::max(own_[a] + problem_.bias_variance(), kLeast);
  }

  template <class Phi>
  Index solve_pairs(const Phi& phi, double enough, Index most) {
    const double scale = state_.scale();
    Extremes now = move_pair(f_.data(), row(0), row(0), 0.0, up_.data(), down_.data(), size_);
    Pauses pauses;
    for (Index moves = 0; moves < most; ++moves) {
      pauses.after(3 * size_);
      if (!(now.highest - now.lowest > enough)) return moves;
      const std::size_t i = now.index;
      const std::size_t j =
          best_partner(f_.data(), down_.data(), own_.data(), row(i), now.highest, own_[i], scale, kLeast, size_);
      if (j == size_ || j == i) return moves;
      const auto t = static_cast<std::size_t>(examples_[i]), u = static_cast<std::size_t>(examples_[j]);
      const double eta =
          std::max(state_.curvature(t) + state_.curvature(u) - 2 * scale * static_cast<double>(row(i)[j]), kLeast);
      const double step = phi.best_together(t, beta_[i], u, beta_[j], f_[i] - f_[j], eta);
      if (!(step > 0)) return moves;
      beta_[i] = landed(beta_[i] + step, step, phi.high(t) - beta_[i], phi.high(t));
      beta_[j] = landed(beta_[j] - step, step, beta_[j] - phi.low(u), phi.low(u));
      update(phi, i);
      update(phi, j);
      now = move_pair(f_.data(), row(i), row(j), scale * step, up_.data(), down_.data(), size_);
    }
    return most;
  }

  // A step of the whole room ends exactly at the end.
  static double landed(double to, double step, double room, double end) { return step == room ? end : to; }

  template <class Phi>
  Index solve_singles(const Phi& phi, double enough, Index most) {
    const double scale = state_.scale(), sigma2 = problem_.bias_variance();
    BestSingle now = move_single(f_.data(), row(0), 0.0, 0.0, up_.data(), down_.data(), inverse_own_.data(), size_);
    Pauses pauses;
    for (Index moves = 0; moves < most; ++moves) {
      pauses.after(3 * size_);
      if (!(now.steepest > enough)) return moves;
      const std::size_t i = now.index;
      const auto t = static_cast<std::size_t>(examples_[i]);
      const double q = std::max(state_.curvature(t) + sigma2, kLeast);
      const double to = phi.best_alone(t, beta_[i], f_[i], q), step = to - beta_[i];
      if (step == 0) return moves;
      beta_[i] = to;
      update(phi, i);
      now = move_single(f_.data(), row(i), scale * step, sigma2 * step, up_.data(), down_.data(), inverse_own_.data(),
                        size_);
    }
    return most;
  }

  const P& problem_;
  const KernelState<P>& state_;
  std::vector<Index> examples_, places_;
  GramRows rows_;
  std::size_t size_ = 0;
  std::vector<float> block_;
  std::vector<char> here_;  // whether a row of the block is
  std::vector<double> f_, up_, down_, own_, inverse_own_, beta_;
};

}  // namespace medlar
