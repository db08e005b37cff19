// How near must a fit come that only serves another? Its answer is a start, a slope or a choice, which its last digits
// do not change. All are relative gaps, and never below the tolerance of the fit that they serve.
#pragma once

#include "medlar/types.hpp"

namespace medlar {

// Newton over features, of a part of the examples: its w errs more by what the part lacks.
// Not measured; `benchmarks/compare --bars p0=1,switches --sets S4` times fits that start so.
inline constexpr double kGapOfSample = 1e-3;

// Newton over features, with all switches on: only where losses have their kinks is asked of it.
// Measured on mushrooms at p0 = 1e-3 and c = 50: 0.28 s, where it took 1.7 s without such a start
// (docs/performance.md). Other gaps were not.
inline constexpr double kGapOfAllSwitchesOn = 0.1;
// The same for the interior-point method, which starts anew with the multipliers as well.
// Not measured; `benchmarks/convergence --data DIR --c 1e4 --p0 1e-5,1e-8` counts iterations.
inline constexpr double kGapOfRestart = 1e-3;

// Sweeps before Newton over features: the gap and the passes at which they end.
// Measured on mushrooms and a9a at large c: with 0.05 Newton began from a poorer start, and mushrooms took 5.4 and 4.4
// times the time of c = 5 (docs/performance.md).
inline constexpr double kGapOfSweepsBeforeNewton = 0.02;
inline constexpr Index kMostSweepsBeforeNewton = 30;
// Whether classes are so nearly apart that few examples count, and others than in a part: by what is left of F at w =
// 0.
// Not measured; `benchmarks/compare --data DIR --bars p0=1 --sets mushrooms,a9a` times one set of each kind.
constexpr bool are_nearly_apart(double value, double value_at_zero) {
  return value < 0.02 * value_at_zero;
}

// Newton between classes, of the fits at smaller c that lead to a large one (kinked.hpp).
// Not measured; `build/bench/bin/bench-record write FILE --only ^classes/` counts passes.
inline constexpr double kGapOfSofter = 0.02;

// A kernel fit, of the factor of low rank itself.
// Settled on the sets of docs/kernels.md; `build/bench/bin/bench-kernels DATA a9a`.
inline constexpr double kGapOfFactor = 1e-2;

// Generative models, of folds whose scores only make the slope of probabilities.
// Not measured; `build/bench/bin/bench-record write FILE --only ^generative/` times fits with their folds.
inline constexpr double kGapOfFoldsForASlope = 1e-4;

// Latent models, of fits that only choose labels, where tighter fits choose the same; and of all parts of an anchored
// fit but the last, whose end is only a start.
// Not measured; `benchmarks/latent --data DIR --part a --part d` gives the accuracies that come of them.
inline constexpr double kGapOfChoice = 1e-3, kGapOfParts = 1e-4;

}  // namespace medlar
