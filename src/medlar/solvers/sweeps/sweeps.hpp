// What dual coordinate ascent knows of the parameters while it sweeps: the mean w (and the curvature d) for the present
// V, in single precision, with the two things that a visit to an example needs: its score and curvature, and a move.
// Many moves of a frequent feature lose digits that a nearly kinked loss asks for: sparse sweeps can be refined, and
// then sum in double precision.
#pragma once

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "medlar/core/concepts.hpp"
#include "medlar/simd/sweep_loops.hpp"
#include "medlar/solvers/sweeps/float_rows.hpp"
#include "medlar/solvers/sweeps/slabs.hpp"

namespace medlar {

struct Local {
  double score;      // x_t . w
  double curvature;  // sum_i x_ti^2 A''_i
};

// A Gaussian prior: w = m + v V is linear in beta, and an example's curvature is v |x_t|^2 throughout.
template <class A>
class LinearSweep {
 public:
  LinearSweep(const FloatRows& rows, const A& partition)
      : rows_(rows), partition_(partition), curvature_(static_cast<std::size_t>(rows.rows())) {
    for (std::size_t t = 0; t < curvature_.size(); ++t) {
      const FloatRow row = rows.row(t);
      curvature_[t] = partition.prior_variance() * dot_floats(row.values, row.values, row.size);
    }
  }

  void start(std::span<const double> v) {
    std::vector<double> w(v.size());
    partition_.mean(v, w);
    if (refined_) {
      fine_ = std::move(w);
    } else {
      w_.assign(w.begin(), w.end());
    }
  }
  bool can_be_refined() const { return rows_.sparse() && !refined_; }
  void refine() { refined_ = true; }  // from the next start on

  double mean_curvature() const {
    double sum = 0;
    for (const double q : curvature_) sum += q;
    return sum / static_cast<double>(curvature_.size());
  }

  Local look(std::size_t t) const {
    const FloatRow row = rows_.row(t);
    if (row.columns == nullptr) return {dot_floats(row.values, w_.data(), row.size), curvature_[t]};
    if (refined_) {
      double score = 0;
      for (std::size_t j = 0; j < row.size; ++j)
        score += row.values[j] * fine_[static_cast<std::size_t>(row.columns[j])];
      return {score, curvature_[t]};
    }
    float even = 0, odd = 0;
    std::size_t j = 0;
    for (; j + 2 <= row.size; j += 2) {
      even += row.values[j] * w_[static_cast<std::size_t>(row.columns[j])];
      odd += row.values[j + 1] * w_[static_cast<std::size_t>(row.columns[j + 1])];
    }
    if (j < row.size) even += row.values[j] * w_[static_cast<std::size_t>(row.columns[j])];
    return {even + odd, curvature_[t]};
  }

  // beta_t grows by `step`; the new score, given what look() said.
  double move(std::size_t t, double step, const Local& at) {
    const FloatRow row = rows_.row(t);
    const auto scale = static_cast<float>(step * partition_.prior_variance());
    if (row.columns == nullptr) {
      add_scaled_floats(row.values, scale, w_.data(), row.size);
    } else if (refined_) {
      const double whole = step * partition_.prior_variance();
      for (std::size_t j = 0; j < row.size; ++j)
        fine_[static_cast<std::size_t>(row.columns[j])] += whole * row.values[j];
    } else {
      for (std::size_t j = 0; j < row.size; ++j) w_[static_cast<std::size_t>(row.columns[j])] += scale * row.values[j];
    }
    return at.score + at.curvature * step;
  }

 private:
  const FloatRows& rows_;
  const A& partition_;
  std::vector<double> curvature_;
  std::vector<float> w_;
  bool refined_ = false;
  std::vector<double> fine_;  // w, where it is refined
};

// A prior whose A'' changes with V, of slabs of any shape. Dense rows keep w and d apart, sparse ones side by side, so
// that one cache line brings both.
template <class Slabs>
class SlabSweep {
 public:
  SlabSweep(const FloatRows& rows, Slabs slabs) : rows_(rows), slabs_(std::move(slabs)) {}

  void start(std::span<const double> v) {
    const std::size_t n = v.size();
    v_.assign(v.begin(), v.end());
    w_.assign(n, 0.0f);
    d_.assign(n, 0.0f);
    const std::vector<float> none(n, 0.0f);
    slabs_.move(nullptr, none.data(), 0.0f, v_.data(), w_.data(), d_.data(), n);
    if (!rows_.sparse()) return;
    pairs_.resize(n);
    for (std::size_t i = 0; i < n; ++i) pairs_[i] = {w_[i], d_[i]};
    if (refined_) fine_.assign(v.begin(), v.end());
  }
  bool can_be_refined() const { return rows_.sparse() && !refined_; }
  void refine() { refined_ = true; }  // from the next start on

  // Of about a hundred examples: it only sets a step.
  double mean_curvature() const {
    const auto examples = static_cast<std::size_t>(rows_.rows()), stride = 1 + examples / 100;
    double sum = 0, count = 0;
    for (std::size_t t = 0; t < examples; t += stride) sum += look(t).curvature, ++count;
    return sum / count;
  }

  Local look(std::size_t t) const {
    const FloatRow row = rows_.row(t);
    if (row.columns == nullptr) {
      const LocalCurvature local = score_and_curvature(row.values, w_.data(), d_.data(), row.size);
      return {local.score, local.curvature};
    }
    return refined_ ? sparse_look<double>(row) : sparse_look<float>(row);
  }

  double move(std::size_t t, double step, const Local&) {
    const FloatRow row = rows_.row(t);
    const auto scale = static_cast<float>(step);
    if (row.columns == nullptr) {
      return slabs_.move(nullptr, row.values, scale, v_.data(), w_.data(), d_.data(), row.size);
    }
    touched_v_.resize(row.size);
    touched_w_.resize(row.size);
    touched_d_.resize(row.size);
    for (std::size_t j = 0; j < row.size; ++j) touched_v_[j] = v_[static_cast<std::size_t>(row.columns[j])];
    if (refined_) follow(row, step);
    const float score =
        slabs_.move(row.columns, row.values, scale, touched_v_.data(), touched_w_.data(), touched_d_.data(), row.size);
    for (std::size_t j = 0; j < row.size; ++j) {
      const auto i = static_cast<std::size_t>(row.columns[j]);
      v_[i] = touched_v_[j];
      pairs_[i] = {touched_w_[j], touched_d_[j]};
    }
    return score;
  }

 private:
  struct Pair {
    float w, d;
  };
  // V in double, so that the floats which the next visit moves begin at its digits.
  void follow(const FloatRow& row, double step) {
    for (std::size_t j = 0; j < row.size; ++j) {
      double& v = fine_[static_cast<std::size_t>(row.columns[j])];
      touched_v_[j] = static_cast<float>(v);
      v += step * row.values[j];
    }
  }
  template <class Sum>
  Local sparse_look(const FloatRow& row) const {
    Sum score = 0;
    float curvature = 0;
    for (std::size_t j = 0; j < row.size; ++j) {
      const Pair pair = pairs_[static_cast<std::size_t>(row.columns[j])];
      score += row.values[j] * pair.w;
      curvature += row.values[j] * row.values[j] * pair.d;
    }
    return {score, curvature};
  }

  const FloatRows& rows_;
  Slabs slabs_;
  bool refined_ = false;
  std::vector<double> fine_;  // V, where it is refined
  std::vector<float> v_, w_, d_;
  std::vector<Pair> pairs_;
  std::vector<float> touched_v_, touched_w_, touched_d_;  // one sparse row
};

// What sweeps over a prior, and what makes it.
template <class A>
auto sweep_over(const FloatRows& rows, const A& partition) {
  if constexpr (A::kLinearMean) {
    return LinearSweep<A>(rows, partition);
  } else {
    return SlabSweep(rows, slabs_of(partition));
  }
}
template <class A>
using Sweep = decltype(sweep_over(std::declval<const FloatRows&>(), std::declval<const A&>()));

}  // namespace medlar
