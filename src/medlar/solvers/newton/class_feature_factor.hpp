// The inverse of diag(h) + U A'' U^T + sigma2 R R^T by a factor in the dimension of the parameters: for many
// constraints over few statistics and classes. With M = U^T diag(1/h) U, and a statistic that is always 1 for the
// biases,
//
//   z = (1 + M A'')^-1 U^T (r / h),     d = (r - U A'' z) / h
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "medlar/problem/class_constraints.hpp"

namespace medlar {

class ClassFeatureFactor {
 public:
  using Product = std::function<void(std::span<const double> d, std::span<double> out)>;  // A'' d

  // Whether it costs little, also against a factor in the number of constraints.
  static bool suits(const ClassConstraints& constraints);

  ClassFeatureFactor(const ClassConstraints& constraints, double sigma2);

  ~ClassFeatureFactor();

  void factor(std::vector<double> h, const Product& product);
  void solve(std::span<const double> r, std::span<double> d) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace medlar
