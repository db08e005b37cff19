// When is a solve near its optimum? Newton's steps keep what they promise only there, so sweeps come before them and
// shorter steps before whole ones. The measure is the relative gap of the best certified pair. What comes next differs,
// and so do the gaps.
#pragma once

namespace medlar {

// Ascent over examples: from here on Newton takes over as soon as it costs less than the epochs that are left, and
// sparse rows are swept on few columns. Farther away sweeps and steps take turns by what they gain.
// Measured on basehock (0.33 of the time at p0 = 1e-3, 0.03 at 1e-5), rcv1 (0.49 and 0.68) and S3 (0.76 and 0.34):
// there Newton had begun far from the optimum and taken up to 90 steps. The gap itself was not measured;
// `benchmarks/compare --data DIR --bars switches` would tell.
inline constexpr double kNearInSweeps = 0.02;

// Ascent between classes: from here on the sweeps that are left are counted, and Newton over features goes on from
// where sweeps have come to. Farther away it starts anew.
// Not measured by itself; `build/bench/bin/bench-record write FILE --only '^(classes|sets)/'` counts passes.
inline constexpr double kNearBetweenClasses = 0.05;

// Newton over examples: from here on the whole step is tried first, without a look at shorter ones.
// Measured with what else made paths faster, 50 values of p0 at 1e-3: S3 1.6 s to 1.1, golub 35 ms to 28, arcene 138 to
// 112. `benchmarks/compare --data DIR --bars path`.
inline constexpr double kNearForWholeSteps = 0.1;

// Pairs of multipliers for a kernel: from here on Newton on the free ones is worth its block of the Gram matrix.
// Not measured by itself; `build/bench/bin/bench-kernels DATA --gap 1e-6` times fits that go through it.
inline constexpr double kNearForPairs = 1e-2;

// The same for sweeps between classes by a kernel.
// Not measured by itself; `build/bench/bin/bench-record write FILE --only ^kernels/` counts passes.
inline constexpr double kNearForKernelClasses = 3e-2;

// Interior point: the end is in sight. Steps are then guarded against raising F, multipliers are settled for a look,
// and 40 iterations that have not come so far are a poor start.
// Not measured by itself; `benchmarks/convergence --data DIR --c 100,1e4` counts iterations over a grid of p0 and c.
inline constexpr double kEndInSight = 0.01;

}  // namespace medlar
