// Where do digits run out? Beyond these a fit is prepared differently, or refused with a sentence.
#pragma once

#include <cmath>

namespace medlar {

// Whether a feature lies so far from 0, beside its spread, that it is shifted before the fit, which a flat bias allows.
// Derived: squares then lose 8 of 16 digits. No fit without the shift was measured.
inline bool is_far_from_zero(double mean, double spread) {
  return std::abs(mean) > 1e4 * spread;
}

// How far a strength may lie from one, in units of what is predicted, before double precision cannot tell it from its
// limit.
// Not measured; 4 digits of 16 are left then.
inline constexpr double kFarthestStrength = 1e12;

// Whether the values of a kernel are so far off in double precision that it is not the one that was asked for.
// Not measured; a promise to the user.
inline constexpr double kMostRoundingOfKernel = 1e-3;
constexpr bool is_kernel_lost(double rounding) {
  return rounding > kMostRoundingOfKernel;
}

}  // namespace medlar
