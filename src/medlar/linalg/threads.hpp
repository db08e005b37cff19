// How many cores are used, and how many the linear algebra may use.
#pragma once

#include <functional>

#include "medlar/types.hpp"

namespace medlar {

// As many threads as were asked for, where 0 asks for one per core; at least 1.
Index thread_count(Index wanted);

// 0 leaves the choice to the BLAS: all cores. Without OpenBLAS this does nothing.
void set_linear_algebra_threads(Index threads);

// Calls work(begin, end) on ranges that make up 0..count, side by side; each is a multiple of `grain`, save the last.
// The work must not throw.
void side_by_side(Index threads, Index count, Index grain, const std::function<void(Index, Index)>& work);

}  // namespace medlar
