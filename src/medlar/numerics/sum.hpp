// A running sum whose error does not grow with the number of terms (Neumaier's form of Kahan's sum).
// A, A* and J are sums over as many as 100,000 features; the duality gap is a difference of two of them.
#pragma once

#include <cmath>

namespace medlar {

class CompensatedSum {
 public:
  void add(double term) {
    const double next = sum_ + term;
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }

  // An infinite sum has no meaningful remainder: inf - inf would turn it into NaN.
  double value() const { return std::isfinite(sum_) ? sum_ + lost_ : sum_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace medlar
