// The strength of selection tau = sqrt(2/v log((1 - p0)/p0)) (docs/theory.md#switches), as a share of the one at which
// no feature enters.
#pragma once

#include "medlar/dataset.hpp"
#include "medlar/observer.hpp"
#include "medlar/settings.hpp"

namespace medlar {

// The settings with p0 and the prior variance of this strength. Models without such paths (of
// kernels) keep their p0.
Settings at_strength_of(const Dataset& data, const Settings& settings, double share, Observer* observer);

}  // namespace medlar
