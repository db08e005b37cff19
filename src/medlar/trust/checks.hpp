// What stability and knockoffs require of the settings.
#pragma once

#include <string_view>

#include "medlar/selection.hpp"

namespace medlar {

// Refuses models without a coefficient for each feature, and features that differ from fit to fit.
void require_linear(const Settings& settings, std::string_view what);

// What measure_stability() and discover() refuse.
void check_stability(const Dataset& data, const Settings& settings, const StabilityOptions& how);
void check_discoveries(const Dataset& data, const Settings& settings, const DiscoveryOptions& how);

}  // namespace medlar
