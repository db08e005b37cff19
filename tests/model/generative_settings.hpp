// Settings of generative models, and the families that take one column or several.
#pragma once

#include <string>
#include <vector>

#include "medlar/settings.hpp"

namespace medlar::test {

inline Settings generative(const std::string& family) {
  Settings settings;
  settings.model = "generative";
  settings.family = family;
  settings.task = "classify";
  settings.calibration = "left-out";
  return settings;
}

inline const std::vector<std::string> kFamilies{"gaussian",  "gaussian-diagonal", "gaussian-full", "multinomial",
                                                "bernoulli", "poisson",           "exponential"};

}  // namespace medlar::test
