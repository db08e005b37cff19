// Which columns matter: those of the largest weights.
#pragma once

#include <span>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

// The columns of largest d whose others together hold at most `share` of its sum; increasing. Numbers are told apart by
// their exponent and three bits of their mantissa: thresholds are an eighth of an octave apart.
std::vector<Index> columns_that_matter(std::span<const double> d, double share);

}  // namespace medlar
