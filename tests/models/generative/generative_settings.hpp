// Settings of generative models, and all families of the table.
#pragma once

#include <string>
#include <vector>

#include "medlar/priors/families/families.hpp"
#include "medlar/settings.hpp"

namespace medlar::test {

inline Settings generative(const std::string& family) {
  Settings settings;
  settings.model = ModelKind::generative;
  set_option(settings, "family", family);
  settings.task = Task::classify;
  settings.calibration = CalibrationScores::left_out;
  return settings;
}

inline const std::vector<std::string> kFamilies = [] {
  std::vector<std::string> names;
  for (const FamilyRow& row : families()) names.emplace_back(word_of(row.kind));
  return names;
}();

// Which kind of numbers a family takes: any, those above 0, counts or bits.
inline std::string numbers_for(const std::string& family) {
  const auto law = find_family(*read_word<FamilyKind>(family))->make(1);
  for (const auto& [value, kind] : {std::pair{-0.5, "gaussian"}, {0.5, "exponential"}, {2.0, "poisson"}}) {
    if (law->objection(value).empty()) return kind;
  }
  return "bernoulli";
}

}  // namespace medlar::test
