// Copies of the features of a dataset, drawn as often as is wanted; what all draws share is computed once.
#pragma once

#include <cstdint>
#include <functional>

#include "medlar/selection.hpp"

namespace medlar {

using DrawKnockoffs = std::function<Knockoffs(std::uint64_t seed)>;

// As gaussian_knockoffs() draws them.
DrawKnockoffs gaussian_copies(const Matrix& x);

}  // namespace medlar
