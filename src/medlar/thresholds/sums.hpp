// When will plain sums do? V is a sum over all examples in which multipliers up to c nearly cancel. Sums that carry
// their rounding along take longer, and matter only where the gap is of the size of that rounding.
#pragma once

namespace medlar {

// Whether points on the way have plain sums: what they lose is far below the tolerance, even where multipliers up to c
// nearly cancel. `end` is the end of the potential's domain.
// The bounds were not measured; 1e-16 times the square of 1e3 is a hundredth of 1e-8.
// What it saves was measured with V and scores on one pass: golub 2.2 ms to 1.3, arcene 8.2 to 4.6 at p0 = 1
// (docs/performance.md).
constexpr bool suit_plain_sums(double tolerance, double end) {
  return tolerance >= 1e-8 && end <= 1e3;
}

// What plain sums may cost at the end, of the tolerance: they stay where their bound is below it.
// Chosen so that nobody sees it: the gap that is reported is larger by a hundredth of the tolerance at most.
// What it saves was measured on sparse sets, with what else came with it: rcv1 at p0 = 1e-3 19 ms to 13
// (docs/performance.md).
inline constexpr double kRoundingAtTheEnd = 0.01;

// Whether a whole step of Newton over examples should be the last, so that its certificate is in exact sums at once.
// Not measured; `benchmarks/compare --data DIR --bars switches --sets golub,arcene` times fits that end so.
constexpr bool is_last_but_one(double relative_gap, double tolerance) {
  return relative_gap <= 1e3 * tolerance;
}

}  // namespace medlar
