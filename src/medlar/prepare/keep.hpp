// Which features stay in.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "medlar/dataset.hpp"
#include "medlar/settings.hpp"

namespace medlar {

// The features that settings.keep names, increasing; a category names all of its levels. A name that is neither, and a
// prior that another option gives to one of them, is an OptionError.
std::vector<Index> kept_features(const Dataset& data, const Settings& settings, std::span<const std::string> names);

// Of each feature, whether it is a level of a category.
std::vector<char> levels_of_categories(const Dataset& data, std::span<const std::string> names);

}  // namespace medlar
