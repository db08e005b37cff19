// Columns that cannot be told apart, and such as never vary: neither may count as further features among which a choice
// is made.
#pragma once

#include <vector>

#include "medlar/matrix.hpp"

namespace medlar {

// By column: the first that is the same but for unit and sign (itself, if none is before it), or kConstant.
constexpr Index kConstant = -1;
std::vector<Index> twins_of(const Matrix& x);

// How many columns differ and vary.
Index distinct_columns(const std::vector<Index>& twins);

}  // namespace medlar
