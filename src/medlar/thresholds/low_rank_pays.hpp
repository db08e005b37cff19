// When does a kernel fit begin from a factor of low rank? Where the factor is near the kernel, Newton's steps with it
// are nearly free, and working sets would need more rows than the cache holds.
//
// All of it was settled on the sets of docs/kernels.md (`build/bench/bin/bench-kernels DATA`): on a9a it brings the
// exponential margin from 0.74 s to 0.42; on mushrooms rows fit into the cache, and working sets take half as long; on
// the other four a factor of rank 300 leaves 5 to 45 times too much, and steps take hundreds of products.
#pragma once

#include <algorithm>

#include "medlar/types.hpp"

namespace medlar {

// Whether examples are so many, and rows of the kernel in the cache so few, that working sets would wait for rows.
// The 2,000 was not measured: the smallest of the sets has 7,291 examples.
constexpr bool may_low_rank_pay(Index examples, Index rows_in_cache) {
  return examples >= 2000 && 3 * rows_in_cache < examples;
}

// The rank that is tried: as large as `room` allows, up to an eighth of the examples and 200.
// Tried with 200 and 300.
constexpr Index rank_to_try(Index examples, Index room) {
  return std::min({Index{200}, examples / 8, room});
}

// What the factor and the triangle may take of the memory that is given to rows, and the factor's part of it.
// Not measured.
inline constexpr double kMemoryOfLowRank = 1.05, kShareOfFactor = 0.15;

// Whether the factor is near enough: what it leaves of the diagonal of v K is at most what the potential bends at 0.
// Measured on the sets above: it holds on a9a, and four others are 5 to 45 times beyond it.
constexpr bool is_near_low_rank(double left, double bend_at_zero) {
  return left <= bend_at_zero;
}

}  // namespace medlar
