// When does Newton cost less than the sweeps it would save? Both are counted in products of two numbers, and what
// sweeps still need is foretold from their pace (newton_cost.hpp counts a step).
#pragma once

#include <algorithm>

#include "medlar/types.hpp"

namespace medlar {

// What a product inside a factor costs, in products of a sweep: the BLAS does ten in the time of one.
// Not measured in this tree; `build/bench/bin/bench-inner_loops --benchmark_filter=row` times products outside the
// BLAS.
inline constexpr double kProductOfAFactor = 0.1;

// Ascent over examples hands over when the epochs that are left cost more than so many steps, which usually do.
// Not measured by itself; two or three steps reach the last digits at c = 5 as at c = 10,000, and
// `benchmarks/convergence --data DIR --sets basehock,dorothea,rcv1` counts what they took.
inline constexpr double kStepsOfNewton = 4;

// Whether the examples are so few that their Newton matrix costs less than sweeps, whatever the columns.
// Measured on golub (38), arcene (100) and S3 (200), where Newton at once took between an eighth and a half of the time
// (on S3 at p0 = 1e-5 all of it), and on S2 (500) and dorothea (800), where it took 0.9 to 2 times that of sweeps on
// few columns (docs/performance.md).
constexpr bool are_few_examples(Index examples) {
  return examples <= 300;
}

// Whether p0 makes sweeps slow, so that Newton over examples comes at once where a Gram matrix pays.
// Measured on dorothea at p0 = 1e-8 and c = 50 (5.1 s to 0.55); 1e-6 itself was not.
// `benchmarks/convergence --data DIR --sets dorothea,basehock --p0 1e-5,1e-6,1e-7 --c 5` would tell.
constexpr bool slows_sweeps_by_p0(double least_p0) {
  return least_p0 < 1e-6;
}

// Sweeps between classes near the optimum end when they would need more than so many.
// Not measured by itself; `build/bench/bin/bench-record write FILE --only '^(classes|sets)/'` counts passes.
inline constexpr double kMostSweepsLeft = 1000;

// Beside a neighbour on a path between few classes Newton begins, where a step costs no more than so many sweeps.
// Not measured by itself; `build/bench/bin/bench-record write FILE --only ^paths/` counts passes.
constexpr bool is_step_cheap_on_a_path(double sweeps_of_a_step) {
  return sweeps_of_a_step <= 200;
}

// A kernel fit: what Newton's block of the free multipliers may take, beside the memory of the rows.
// Not measured; with the smallest cache a thousand examples may still finish so.
constexpr double bytes_for_newton(double cache_megabytes) {
  return std::max(cache_megabytes * 1e6, 24e6);
}
// How many factors of the free multipliers a kernel fit needs to its end: a few where the potential is curved; with
// kinks a step solves one face of the box, and a hundred of them may be left again.
// Not measured by itself; it came with working sets that took a sixth of the time on covtype.
// `build/bench/bin/bench-kernels DATA --gap 1e-6` times both margins.
constexpr double factors_to_the_end(bool curved) {
  return curved ? 3 : 150;
}
// Between classes by a kernel a factor is weighed against so many sweeps over all pairs of examples.
// Not measured by itself; `build/bench/bin/bench-record write FILE --only ^kernels/` counts passes.
inline constexpr double kSweepsAgainstAFactor = 100;

}  // namespace medlar
