// Columns that cannot be told apart, and columns that never vary. Neither count as further features to choose from.
#pragma once

#include <vector>

#include "medlar/matrix.hpp"

namespace medlar {

// For each column, the first one that equals it up to unit and sign (itself if there is none before), or kConstant.
constexpr Index kConstant = -1;
std::vector<Index> twins_of(const Matrix& x);

// How many columns differ and vary.
Index distinct_columns(const std::vector<Index>& twins);

}  // namespace medlar
