// The bias of dual coordinate ascent as an augmented Lagrangian (docs/theory.md#sweeps). With S = sum_t beta_t an epoch
// begins at the b that minimises
//
//   b^2 / (2 sigma2) - b S + (b - before)^2 / (2 step),     without the first term when it is flat,
//
// and b follows S with the slope of that minimum. A variance below the step needs none of this: then b = sigma2 S.
#pragma once

#include <cmath>

#include "medlar/problem/problem.hpp"

namespace medlar {

class LagrangianBias {
 public:
  LagrangianBias(BiasPrior prior, double variance) : prior_(prior), variance_(variance) {}

  double value() const { return b_; }
  double slope() const { return slope_; }  // of b, as S grows

  // A bias without a prior of its own is always 0.
  void set(double b) { b_ = prior_.kind == BiasPrior::Kind::none ? 0 : b; }
  void set_sum(double sum) { sum_ = sum; }
  // A hundredth of the mean curvature of a row: as a column of its own the bias would tie all examples together.
  void set_step(double mean_curvature) { step_ = kStep * mean_curvature; }

  void begin_epoch() {
    if (prior_.flat()) {
      slope_ = step_;
      b_ += slope_ * sum_;
    } else if (variance_ <= step_) {
      slope_ = variance_;
      b_ = slope_ * sum_;
    } else {
      slope_ = 1 / (1 / step_ + 1 / variance_);
      b_ = slope_ * (b_ / step_ + sum_);
    }
  }
  void follow(double moved) {
    sum_ += moved;
    b_ += slope_ * moved;
  }

  // What the gap holds because the bias is not that of the multipliers, whose sizes add up to `weight`.
  double held(double weight) const {
    if (variance_ > 0) return 0.5 * std::pow(b_ - variance_ * sum_, 2) / variance_;
    return prior_.flat() && weight > 0 ? 2 * sum_ * sum_ / weight : 0.0;
  }

 private:
  static constexpr double kStep = 0.01;

  BiasPrior prior_;
  double variance_;  // sigma2 as it enters J
  double b_ = 0, slope_ = 0, step_ = 0, sum_ = 0;
};

}  // namespace medlar
