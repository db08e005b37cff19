// A contest on one set: each peer is first set to the loosest tolerance at which our certificate of its problem tells
// the accuracy that our fits have, then all fit in turn, round after round, and the least time of each counts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "contest_set.hpp"

namespace medlar::bench {

struct ContestRules {
  double accuracy = 1e-6;  // relative gap
  int rounds = 3;
  double limit_seconds = 30;  // of one fit
  std::string bounds_file;    // certified lower bounds of peers' problems, kept between runs; empty: none
  std::string folder;         // for the data of peers in other languages
};

// The contestants of a spec, and what came of each: {"name", "seconds", "gap", "passes", "peak_mb", "tolerance", ...}.
nlohmann::json hold_contest(const ContestSet& set, const nlohmann::json& contestants, const ContestRules& rules);

}  // namespace medlar::bench
