// When is a solver given up? When it makes no further progress another takes over, or the report says so. A solver that
// is slow is given up late, since none of those that follow is sure to do better.
//
// None of these numbers was measured by itself. `benchmarks/convergence --data DIR` counts the fits that end without
// their certificate over a grid of p0 and c.
#pragma once

#include <algorithm>
#include <cmath>

#include "medlar/types.hpp"

namespace medlar {

// Ascent over examples: epochs after which it is given up, or that it must still need once Newton has failed; how often
// Newton may fail; and the most steps of Newton at a time.
inline constexpr Index kMostEpochs = 2000;
inline constexpr int kMostFailuresOfNewton = 2;
inline constexpr Index kMostStepsAtATime = 30;

// Newton over features: the most steps. It took 20 to 56 on a9a and mushrooms at c = 500 (docs/performance.md).
inline constexpr Index kMostStepsOverFeatures = 100;

// Between classes: rounds that may hardly move before ascent is given up; stages that may hardly lower the gap before
// smoothing is.
inline constexpr int kMostSlowRounds = 3, kMostIdleStages = 6;

// Interior point: so many iterations that do not even halve the gap are the end. It takes some 20 to 60 in all, and
// never more than 150 so far.
inline constexpr Index kIterationsToHalve = 60;
// Whether its start was poor, so that it begins anew from the fit with all switches on: after 20 iterations that have
// come nowhere, or 40 after which the end is not in sight.
inline constexpr Index kTrialIterations = 20;
inline constexpr double kNowhere = 0.8;

// Solvers that could go on for ever without coming nearer (Patience of run.hpp): so many certificates in which the gap
// may fail to fall by a hundredth.
inline constexpr int kMostIdleCertificates = 60;
inline constexpr double kProgress = 0.99;
// The paper's coordinate search: so many in which it may fall by less than a tenth in all, and J rise by less than this
// part of the gap.
inline constexpr int kMostIdleSearches = 60;
inline constexpr double kSteadyRise = 1e-3;

// Whether a gap that is left is reported as almost closed. A promise to the user: never above 1 %, however loose the
// tolerance.
constexpr bool is_almost_closed(double relative_gap, double tolerance) {
  return relative_gap <= std::min(1000 * tolerance, 0.01);
}

}  // namespace medlar
