// Kernels by their definition, one pair of rows at a time.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "medlar/kernels/kernel.hpp"

namespace medlar::test {

inline double naive_kernel(const Kernel& kernel, const std::vector<double>& a, const std::vector<double>& b) {
  double product = 0, distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += a[i] * b[i];
    distance += (a[i] - b[i]) * (a[i] - b[i]);
  }
  switch (kernel.kind) {
    case Kernel::Kind::poly:
      return std::pow(kernel.gamma * product + kernel.coef0, kernel.degree);
    case Kernel::Kind::rbf:
      return std::exp(-kernel.gamma * distance);
    case Kernel::Kind::sigmoid:
      return std::tanh(kernel.gamma * product + kernel.coef0);
    default:
      return product;
  }
}

}  // namespace medlar::test
