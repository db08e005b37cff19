// phi(u) = (e^u - 1)/u and phi(u) - 1, smooth through u = 0.
#pragma once

#include <cmath>

namespace medlar {

inline double expm1_ratio(double u) {
  return u == 0 ? 1 : std::expm1(u) / u;
}

// phi(u) - 1 = u/2! + u^2/3! + u^3/4! + ...
inline double expm1_ratio_minus_1(double u) {
  if (std::abs(u) > 1) return expm1_ratio(u) - 1;
  const int terms = std::abs(u) > 0.1 ? 19 : 10;  // the first term left out is below 1e-16
  double series = 1;
  for (int j = terms; j >= 3; --j) series = 1 + series * u / j;
  return u / 2 * series;
}

}  // namespace medlar
