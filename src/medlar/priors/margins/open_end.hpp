// The largest multiplier that still lies inside an open domain [0, c).
#pragma once

#include <cmath>
#include <limits>

namespace medlar {

inline constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

// A maximiser closer to c than doubles can tell is rounded to the last double before c, where psi is finite.
inline double below(double c, double lambda) {
  return lambda < c ? lambda : (std::isnan(lambda) ? lambda : std::nextafter(c, 0.0));
}

}  // namespace medlar
