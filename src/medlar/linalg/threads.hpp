// How many cores the linear algebra may use.
#pragma once

#include "medlar/types.hpp"

namespace medlar {

// 0 leaves the choice to the BLAS: all cores. Without OpenBLAS this does nothing.
void set_linear_algebra_threads(Index threads);

}  // namespace medlar
