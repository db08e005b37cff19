// Switches with Gaussian slabs of one variance as sweeps in single precision see them, through a SIMD loop
// (simd/sweep_loops.hpp).
#pragma once

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "medlar/simd/sweep_loops.hpp"
#include "medlar/types.hpp"

namespace medlar {

class GaussianSlabs {
 public:
  GaussianSlabs(std::span<const double> p, double variance) : variance_(static_cast<float>(variance)) {
    for (const double each : p) same_ = same_ && each == p.front();
    logit_.resize(same_ && !p.empty() ? 1 : p.size());
    for (std::size_t i = 0; i < logit_.size(); ++i) {
      logit_[i] = static_cast<float>(std::log(p[i]) - std::log1p(-p[i]));
    }
  }

  GaussianSlabs part(std::span<const Index> columns) const {
    GaussianSlabs some(*this);
    if (same_) return some;
    some.logit_.clear();
    for (const Index i : columns) some.logit_.push_back(logit_[static_cast<std::size_t>(i)]);
    return some;
  }

  // V += scale x, with w and d of the new V, for the features of `columns`, or all where it is null; the new x.w.
  float move(const Column* columns, const float* x, float scale, float* v, float* w, float* d, std::size_t size) {
    const float* logit = logit_.data();
    if (columns != nullptr && !same_) {
      touched_.resize(size);
      for (std::size_t j = 0; j < size; ++j) touched_[j] = logit_[static_cast<std::size_t>(columns[j])];
      logit = touched_.data();
    }
    return move_switches({variance_, logit, same_}, x, scale, v, w, d, size);
  }

 private:
  float variance_;
  bool same_ = true;
  std::vector<float> logit_, touched_;  // of each feature, or of all; of one sparse row
};

}  // namespace medlar
