// Checks of what a prior over parameters is made of. They throw OptionError.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "medlar/error.hpp"
#include "medlar/types.hpp"

namespace medlar {

inline void require_variance(double variance) {
  if (!(variance > 0) || !std::isfinite(variance)) {
    throw OptionError(fmt::format("prior variance = {}, but must be a finite number above 0", variance));
  }
}

inline void require_probabilities(std::span<const double> p, const char* owner) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!(p[i] >= 0 && p[i] <= 1)) {
      throw OptionError(fmt::format("p0 of {} {} = {}, but must lie in [0, 1]", owner, i + 1, p[i]));
    }
  }
}

}  // namespace medlar
