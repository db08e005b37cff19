// phi(u) = (e^u - 1)/u and phi(u) - 1, smooth through u = 0.
#pragma once

#include <cmath>

#include "medlar/numerics/factorial_series.hpp"

namespace medlar {

inline double expm1_ratio(double u) {
  return u == 0 ? 1 : std::expm1(u) / u;
}

// phi(u) - 1 = u/2! + u^2/3! + u^3/4! + ...
inline double expm1_ratio_minus_1(double u) {
  if (std::abs(u) > 1) return expm1_ratio(u) - 1;
  return u / 2 * factorial_series<2>(u);
}

}  // namespace medlar
