// When is a matrix formed and factored, and when do conjugate gradients do without? By the side of the factor, which
// takes the cube of it in products and the square in memory, and by the products that its sums take.
#pragma once

#include <algorithm>
#include <cstddef>

#include "medlar/types.hpp"

namespace medlar {

// The interior-point method factors whole up to this side. Beyond, the factor is partial.
// Measured by its size: 200 MB, and about a second on two cores.
inline constexpr Index kLargestWholeFactor = 5000;

// Ascent hands over to Newton up to this side. Beyond, it sweeps on.
// Not measured at its bound, which is 400 MB. On news20 with rows of length 1 at p0 = 1 and c = 500 a matrix of 4,000
// free examples takes two thirds of the time (docs/performance.md).
inline constexpr Index kLargestFactorOfAscent = 7000;

// Rows that bend far less than others are kept apart in a factor of their own, up to so many. More are left to
// conjugate gradients.
// Not measured; this factor then takes 72 MB at most.
inline constexpr std::size_t kMostRowsApart = 3000;

// Between classes, over features: `parameters` = statistics, the constant one included, times classes. More of them are
// factored where constraints are more than half as many. `sums` are the multiplications to sum the blocks, `stored` the
// numbers of the rows.
// Measured on ten digits of 64 pixels: 3 s, where conjugate gradients had come nowhere in 25. The bounds themselves
// were not measured; the rows then take 320 MB at most.
constexpr bool is_factored_over_features(double parameters, double constraints, double sums, double stored) {
  return parameters <= (parameters < 2 * constraints ? 3000 : 1000) && sums <= 4e10 && stored <= 4e7;
}

// Between classes, over constraints: how many, unless A'' ties no two classes; and how many multiplications.
// Not measured; `build/bench/bin/bench-record write FILE --only '^(classes|generative)/'` times fits on both sides of
// it.
inline constexpr std::size_t kMostConstraintsFactored = 1200;
inline constexpr double kMostWorkOfFactor = 4e9;
// The same for the free multipliers alone, at the end of slow sweeps.
// Measured on usps whole by gaussian-diagonal, which ends at 7.7e-7 in 169 s, where Newton over all constraints came to
// 2.1e-2 in 205 s (docs/generative.md).
inline constexpr double kMostWorkOfFreeFactor = 6e10;

// Whether conjugate gradients go over the pairs of examples, instead of `columns`^2 statistics of each, where full
// covariance gives the pairs in closed form; they take 400 MB at most.
// Measured on digits whole: 4.3 s, where it took 14.5 (docs/generative.md).
constexpr bool goes_over_pairs(double examples, double columns, double classes) {
  return examples < 2 * columns * columns && examples * examples * classes <= 5e7;
}

// Up to so many numbers in the rows of all examples and classes, conjugate gradients get the exact diagonal of A'' for
// their preconditioner; beyond, that of some rows stands for all.
// Measured on usps by unit variance, 7,291 rows: 9.8 s by a sample, where it took 20.9 s (docs/generative.md).
constexpr bool is_worth_an_exact_diagonal(double numbers) {
  return numbers <= 1e7;
}
// Where the diagonal is estimated from products with A'': every row up to so many multiplications, else one in so many
// rows that 64 stand for all.
// Not measured; `benchmarks/generative --data DIR --many` fits large sets.
constexpr Index rows_to_next_of_diagonal(double work, Index examples) {
  return work <= 2e8 ? 1 : std::max<Index>(1, examples / 64);
}
// Newton over the free multipliers does without each one's own bend beyond so many numbers.
// Not measured.
constexpr bool is_too_long_for_variances(double numbers) {
  return numbers > 1e9;
}

}  // namespace medlar
