// What is left of --max-seconds after a solve, for the further fits that its model would like to have.
#pragma once

#include <algorithm>
#include <cmath>

#include "medlar/report.hpp"
#include "medlar/settings.hpp"

namespace medlar {

// The seconds of each of so many fits.
inline double time_left(const Settings& settings, const Report& spent, Index fits) {
  return std::max(0.0, settings.max_seconds - spent.seconds) / static_cast<double>(fits);
}

// Whether a solve was ended by who asked for it or by the clock.
inline bool cut_short(const Settings& settings, const Report& report) {
  return report.status == Status::interrupted ||
         (report.status == Status::limit && report.seconds >= settings.max_seconds);
}

}  // namespace medlar
