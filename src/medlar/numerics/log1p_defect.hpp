// x - log(1 + x). Near 0 it is x^2/2, where the plain difference has no digits left.
#pragma once

#include <cmath>

namespace medlar {

// With r = x / (2 + x): log(1 + x) = 2 atanh(r) and x - 2r = r x, hence
//   x - log(1 + x) = r (x - 2 r^2 (1/3 + r^2/5 + r^4/7 + ...)).
inline double log1p_defect(double x) {
  if (x < -0.3 || x > 0.4) return x - std::log1p(x);
  const double r = x / (2 + x);
  const double square = r * r;  // at most 0.0312: twelve terms leave less than 1e-18
  double series = 0;
  for (int odd = 25; odd >= 3; odd -= 2) series = series * square + 1.0 / odd;
  return r * (x - 2 * square * series);
}

}  // namespace medlar
