// Kernels k(x, y) as functions of x.y, x.x and y.y, with LIBSVM's names and parameters   [MED 2.3, 3.1]
//
//   linear       x.y
//   poly         (gamma x.y + coef0)^degree
//   rbf          exp(-gamma |x - y|^2)
//   sigmoid      tanh(gamma x.y + coef0), indefinite for many parameters
//   precomputed  the number that stands in column y of row x
#pragma once

#include "medlar/words.hpp"

namespace medlar {

struct Kernel {
  using Kind = KernelKind;
  Kind kind = Kind::rbf;
  double gamma = 1;
  double coef0 = 0;
  int degree = 3;

  // Positive semidefinite whatever the examples: a sum of products of inner products with weights >= 0.
  bool surely_convex() const { return kind == Kind::linear || kind == Kind::rbf || (kind == Kind::poly && coef0 >= 0); }
};

}  // namespace medlar
