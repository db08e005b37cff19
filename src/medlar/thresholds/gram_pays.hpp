// When does a Gram matrix of the examples pay? It costs one pass with T / 2 products for each number, and saves the
// epochs that would read the rows instead of it.
#pragma once

#include "medlar/types.hpp"

namespace medlar {

// What a solve over the Gram matrix saves, in epochs over the rows.
// Not measured by itself; `benchmarks/compare --data DIR --bars p0=1` measures the choice: S3 took 0.17 of the time
// over the rows, S2 0.53, arcene 0.18, golub 0.28 and dorothea 0.80 (docs/performance.md).
inline constexpr double kEpochsSavedByGram = 25;

// Whether it can pay at all: for few examples, as a matrix that is not much larger than the rows are.
// The sets on which it was measured have up to 800 examples (dorothea). 1,500 was not measured.
constexpr bool may_gram_pay(Index examples, double stored) {
  const auto T = static_cast<double>(examples);
  return !(examples > 1500 || T * T > 4 * stored);
}

// Dense rows: a product by the BLAS takes a twentieth of the time of one in an epoch.
// Measured up to 500 examples (S2). That it holds up to 1,000 was not.
constexpr bool gram_pays_for_dense_rows(Index examples) {
  return static_cast<double>(examples) <= 40 * kEpochsSavedByGram;
}

// Sparse rows: `pairs` of entries in one column; a visit of an entry in an epoch takes the time of two of them.
// Measured on dorothea at p0 = 1, which takes 1.3 times as long without the Gram matrix (docs/performance.md).
constexpr bool gram_pays_for_sparse_rows(double pairs, double stored) {
  return pairs <= 2 * kEpochsSavedByGram * stored;
}

// A dense matrix is stored by columns as well once a quarter of its columns has been gathered for Newton's matrix from
// far apart, if the copy in floats takes no more than half a gigabyte.
// Measured with what else came with it (docs/performance.md, columns that lie together): golub at p0 = 1e-3 5.3 ms to
// 4.0, arcene 23.5 to 17, S3 143 to 120. After how many columns was not.
constexpr bool is_stored_by_columns(Index gathered, Index columns) {
  return gathered > columns / 4;
}
constexpr bool has_room_by_columns(Index stored) {
  return stored <= Index{1} << 27;
}

}  // namespace medlar
