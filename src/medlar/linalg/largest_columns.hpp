// The columns of the largest weights.
#pragma once

#include <span>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

// The columns of largest d, in increasing order, so that all others together hold at most `share` of the sum. Numbers
// are compared by their exponent and three bits of their mantissa, so the threshold is exact to an eighth of an octave.
std::vector<Index> columns_that_matter(std::span<const double> d, double share);

}  // namespace medlar
