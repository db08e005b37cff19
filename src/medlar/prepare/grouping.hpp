// Which features of a linear model share a switch.
#pragma once

#include <span>
#include <string>

#include "medlar/dataset.hpp"
#include "medlar/prepare/priors.hpp"

namespace medlar {

// The levels of a categorical column, or the groups of a file. A group of one feature counts as none. Kept features are
// in no group, for they have no switch.
Grouping grouping_of(const Dataset& data, const Settings& settings, std::span<const std::string> names);

}  // namespace medlar
