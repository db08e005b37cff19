// When is single precision enough? Floats, and fractions of 1/65535, move the optimum a little. A solver that sums its
// certificate in double may use them as long as the gap it works on is larger than what they make.
#pragma once

namespace medlar {

// Sweeps in floats that end at their goal without closing the gap lack digits: when so much of it is left near the
// optimum, sparse sweeps go on in double.
// Measured on news20 with rows of length 1 and what else came with it: c = 500 at p0 = 1 24 s to 2.0
// (docs/performance.md).
constexpr bool lack_sweeps_digits(double gap, double gap_before) {
  return gap > 0.9 * gap_before;
}

// What a solve over the Gram matrix, in floats, aims at: the certificate in double then finds the gap below the
// tolerance.
// Not measured; `benchmarks/compare --data DIR --bars p0=1 --sets S2,S3,arcene,golub` times it.
constexpr double goal_over_gram(double tolerance) {
  return 0.1 * tolerance;
}

// Whether values of an rbf kernel in floats are too far off: an inner product of rows of length |x| is off by 1e-7
// |x|^2, and an error of 1e-4 in a value costs a solver only a few steps.
// Not measured; 1e-7 is the rounding of a float.
constexpr bool are_floats_too_rough_for_rbf(double gamma, double largest_square) {
  return gamma * largest_square * 1e-7 > 1e-4;
}

// Whether rows of a kernel may be kept as fractions: by so much the potential must bend more than they move
// eigenvalues.
// What fractions do to the gap was foretold as 1.59e-5 on covtype, and was 1.60e-5 (docs/kernels.md). The four was not
// measured.
constexpr bool bends_beyond_fractions(double bend, double moved) {
  return bend >= 4 * moved;
}

// What the rounding of fractions may have made of a gap, before the scores in play are computed without them.
// Settled on covtype and news; `build/bench/bin/bench-kernels DATA covtype news --gap 1e-6`.
constexpr bool spoil_fractions(double rounding_gap, double gap) {
  return rounding_gap > 0.3 * gap;
}

// What is left to single precision of the tolerance, when Newton from a fit of low rank ends.
// Settled on the sets of docs/kernels.md; `build/bench/bin/bench-kernels DATA a9a --gap 1e-6`.
constexpr double goal_from_low_rank(double tolerance) {
  return 0.3 * tolerance;
}

}  // namespace medlar
