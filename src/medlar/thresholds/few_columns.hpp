// When are few columns worked on? Under a small p0 most features have next to no curvature, so that sweeps over the
// others alone come almost as far; and columns that no example fills need no work at all.
//
// The bounds of the sweeps were settled with a prototype on S1, S2, S3, dorothea and news20 at c = 5.
// `benchmarks/compare --data DIR --bars switches,path` measures them.
#pragma once

#include "medlar/types.hpp"

namespace medlar {

// From so many columns on ascent looks for the few that matter.
// Measured on 50 x 100: looking took twice the time at p0 = 1e-5. `build/bench/bin/bench-small_fits`.
inline constexpr Index kManyColumns = 1000;

// Whether p0 is so small that few columns may matter: `largest_p0` of all features.
constexpr bool may_few_columns_matter(double largest_p0) {
  return largest_p0 <= 0.02;
}

// The share of A'' that the columns left out may hold, of dense rows and of sparse ones; it is halved where that was
// too much. Of sparse rows more columns are taken, and only near the optimum: far from it so many examples move at once
// that columns which are linear at the last certificate lead astray.
// Measured on sparse sets at p0 = 1e-3, with what else came with it: basehock 45 ms to 25, dorothea 114 to 100, rcv1 19
// to 13, S1 570 to 480 (docs/performance.md).
inline constexpr double kLeftToDenseRows = 0.07, kLeftToSparseRows = 0.02;

// Whether the few columns hold so few of the entries that sweeps over them are worth the pass that copies them.
constexpr bool are_columns_few(double entries, double stored) {
  return entries <= 0.4 * stored;
}

// When to sweep over all columns for good: after J has fallen so often, or after so many certificates.
constexpr bool have_few_columns_failed(int falls, int rounds) {
  return falls >= 3 || rounds >= 14;
}

// Epochs over all columns of dense rows before it can be told which matter.
inline constexpr int kEpochsBeforeChoice = 4;

// Whether empty columns are left out of a solve: of so many columns that finding them is worth a look, and if at least
// a quarter is empty.
// Measured on rcv1, which fills 9,738 of 47,117 columns: 0.6 to 0.7 of the time, with what else came with it. The
// bounds themselves were not measured.
constexpr bool may_columns_be_empty(Index columns) {
  return columns >= 4096;
}
constexpr Index most_filled_columns(Index columns) {
  return static_cast<Index>(0.75 * static_cast<double>(columns));
}

}  // namespace medlar
