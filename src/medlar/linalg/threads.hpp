// How many cores are used, and how many the linear algebra may use.
#pragma once

#include <functional>

#include "medlar/types.hpp"

namespace medlar {

// `wanted` threads, or one per core if that is 0; at least 1.
Index thread_count(Index wanted);

// 0 leaves the choice to the BLAS: all cores. Without OpenBLAS this does nothing.
void set_linear_algebra_threads(Index threads);

// Calls work(begin, end) side by side on ranges that make up 0..count. The length of each but the last is a multiple of
// `grain`. The work must not throw.
void side_by_side(Index threads, Index count, Index grain, const std::function<void(Index, Index)>& work);

}  // namespace medlar
