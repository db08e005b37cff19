// How wide is the prior of columns that stay in, in the rounds that find their flat coefficients? A wide one needs few
// rounds, and leaves sweeps with a problem that is hard to sweep.
#pragma once

namespace medlar {

// The standard deviation of such a coefficient at first, for a column of spread 1, in units of the margin or of the
// spread of the target.
// Measured with two kept columns at p0 = 1e-3 for 1, 3, 10 and 30: passes of basehock 82, 104, 541, 819; colon 93, 70,
// 236, 2846; srbct 327, 351, 1821, 3783; golub 76, 108, 77, 55. Where Newton over features serves, one round does for
// all of them.
inline constexpr double kWidthOfKept = 3;

// By how much it is widened, and when: a round has left more than this share of the gap, until this much wider.
// Measured together: without, golub at p0 = 1 ended in three rounds without a bound; with it, it takes six. Not
// measured by themselves.
inline constexpr double kWidening = 10;
constexpr bool is_kept_prior_widened(double share_of_gap, double widened) {
  return share_of_gap > 0.1 && widened < 1e5;
}

// Kept columns alone separate the classes when they lower the loss to this share of what the bias alone leaves.
// Not measured: losses of classes that are apart are 0.
inline constexpr double kLossOfSeparated = 1e-6;

}  // namespace medlar
