// How rough may Newton's matrix be? A rough matrix costs less and makes a rough step, which the certificate corrects;
// too rough a one costs more steps than it saves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "medlar/types.hpp"

namespace medlar {

// Over few examples with switches: the share of its trace that columns not refreshed may hold. The gap that this leaves
// goes with its square, and with that of the step, so loose tolerances may leave out more. Nothing is left out of fewer
// than 500 features, which are soon refreshed.
// Measured at a tolerance of 1e-6, with what else came with it: golub, arcene and S3 at p0 = 1e-3 11.7 ms to 4.0, 50 ms
// to 19, 0.37 s to 0.17; and at 1e-3 on paths of 50 values: golub 151 ms to 50, arcene 362 to 132
// (docs/performance.md). The 500 was not measured; `build/bench/bin/bench-small_fits` times 100 features.
inline double may_be_left_out(double tolerance) {
  return std::clamp(0.02 * std::pow(tolerance / 1e-6, 0.36), 0.02, 0.25);
}
// The same at a relative gap above a half, where the next step will be far off anyway.
constexpr double may_be_left_out_far_away(double share, double relative_gap) {
  return relative_gap > 0.5 ? std::max(0.05, share) : share;
}
constexpr bool is_refreshed_whole(std::size_t features) {
  return features < 500;
}

// A whole step that gains more than this share of what it promises is taken without a look at shorter ones.
// Measured on paths, where steps are mostly whole, with what else came with it: S3 1.6 s to 1.1 (docs/performance.md).
constexpr bool is_promise_kept(double gained, double promised) {
  return gained > 0.5 * promised;
}
// One that gains less than this blames the floats of the matrix, which is made anew in double.
// Not measured; `benchmarks/convergence --data DIR --sets golub,arcene,dorothea --tolerance 1e-9` counts the steps.
constexpr bool is_promise_broken(double gained, double promised) {
  return !(gained > 0.1 * promised);
}

// Over features with plenty of examples: one in so many tells the bends of the first step; and a step that promises
// less than this share of F leaves the bends as they are for the next.
// Measured on R4 and S4, with what else came with it: 0.42 s to 0.30, 0.26 s to 0.19 (docs/performance.md).
inline constexpr Index kExamplesPerBend = 4;
constexpr bool are_bends_settled(double promised, double value) {
  return promised <= 1e-4 * value;
}

// Where a line of Newton over features ends: when the slope along it has fallen to this share. With plenty of examples
// kinks even out, and F is a parabola with a four-hundredth of its gain left.
// Measured on R4 (0.35 s to 0.28) and california (17 ms to 15); a9a and mushrooms, with fewer examples for each
// feature, were slower by a fifth to a half at 0.1 (docs/performance.md).
constexpr double flat_enough(bool plenty_of_examples) {
  return plenty_of_examples ? 0.1 : 0.02;
}

}  // namespace medlar
