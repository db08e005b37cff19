// When is a sparse matrix multiplied as a dense one? The BLAS multiplies zeros faster than loops find the entries.
#pragma once

#include "medlar/types.hpp"

namespace medlar {

// Newton's matrix over the features: from this share of non-zeros on, the BLAS with all zeros rather than pairs of
// entries.
// Measured on splice, whose sparse rows are all full: 7.8 ms to 4.6, margins in vectors included. On a9a (11 %) and
// mushrooms (19 %) pairs are taken; shares between were not measured (docs/performance.md).
constexpr bool is_nearly_full_for_sums(double stored, double all) {
  return !(stored < 0.3 * all);
}

// Rows of a kernel: the same for the inner products of rows, whose sparse loops take sixteen columns at a time.
// Not measured; a9a and mushrooms, with a ninth and a fifth of their entries, lie below it
// (`build/bench/bin/bench-kernels DATA a9a mushrooms`).
constexpr bool is_nearly_full_for_kernels(double share) {
  return !(share < 0.35);
}

// A sparse column of Newton's matrix over examples: by the BLAS if more than an eighth of the examples fill it.
// Not measured; `benchmarks/compare --data DIR --bars switches --sets dorothea,basehock,rcv1` times fits that take both
// ways.
constexpr bool is_column_nearly_full(Index entries, Index rows) {
  return entries * 8 > rows;
}

}  // namespace medlar
