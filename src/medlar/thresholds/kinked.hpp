// When is a loss all but kinked? Where a potential ends at c, its loss bends over margins of about 1/c, and beyond some
// c no parabola follows it. Each solver suffers from that in a way of its own, so each has its own c. `end` is the end
// of the potential's domain: c, or infinity for gaussian and logistic, whose losses come near no kink.
#pragma once

#include <cmath>

#include "medlar/types.hpp"

namespace medlar {

// Whether Newton over features copes with the loss: up to c = 60 always; up to c = 1,000 without switches, or with ten
// examples for each feature, among which the kinks average out.
// The ten was measured on splice at c = 500 with switches, against the interior-point method: 13 ms where it took 40
// (docs/performance.md). The 60 and the 1,000 were not measured; `benchmarks/convergence --data DIR --sets splice,a9a
// --c 30,60,120,1000,3000` would tell.
inline bool suits_newton_over_features(double end, bool switches, Index examples, Index features) {
  if (!std::isfinite(end) || end <= 60) return true;
  return end <= 1000 && (!switches || examples >= 10 * features);
}

// Whether Newton over features with switches starts from the fit with all of them on, so that the losses find their
// place first.
// Measured on mushrooms at p0 = 1e-3 and c = 50: 0.28 s, where it took 1.7 s (docs/performance.md). Where between c = 5
// and c = 50 it begins to pay was not measured; `benchmarks/convergence --data DIR --sets mushrooms,a9a --c 5,10,20,40`
// would tell.
inline bool starts_with_all_switches_on(double end) {
  return std::isfinite(end) && end > 20;
}

// Whether c makes sweeps with switches slow: where a Gram matrix pays, Newton over examples then comes at once; else
// sparse rows are swept over all columns. A potential without an end counts as such.
// Measured on dorothea at p0 = 1e-8 and c = 50 (0.55 s, where it took 5.1 s) and on news20 with rows of length 1 at p0
// = 1e-3 and c = 50 (1.0 s, where it took 18 s, twins and digits included). `benchmarks/compare --data DIR --bars c`
// measures c = 50 and 500.
constexpr bool slows_sweeps(double end) {
  return end > 20;
}

// Whether losses between classes are smoothed for Newton, as those of the hinge always are.
// Measured on splice with three classes at c = 100, where Newton on the losses as they are had stalled. Where below 100
// that begins was not measured; `medlar train data/splice.csv --target class --c 60 --json` counts passes.
constexpr bool is_smoothed_between_classes(double c) {
  return c > 60;
}

// Newton between classes reaches a larger c from fits at smaller ones: from this c, at which every loss bends over a
// wide range of margins, and by this factor from one to the next, unless the rest is less than `kNotWorthAStep`. A fit
// that is stuck all the same begins anew at half of it and doubles.
// Not measured; c = 60 is reached by way of 5 and 20. `medlar train data/splice.csv --target class --c 60 --json`
// counts all passes.
inline constexpr double kSoftC = 5, kHarder = 4, kNotWorthAStep = 1.5;

}  // namespace medlar
