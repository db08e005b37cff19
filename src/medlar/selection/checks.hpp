// What stability and knockoffs ask of the settings.
#pragma once

#include <string_view>

#include "medlar/settings.hpp"

namespace medlar {

// Refuses models without a coefficient for each feature, and features that another draw of examples would make anew.
void require_linear(const Settings& settings, std::string_view what);

}  // namespace medlar
