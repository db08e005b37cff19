// bench-fits: reads a contest as JSON from standard input, holds it, writes what came of it as JSON.
//
//   {"set": {"name": "S1"}, "accuracy": 1e-6, "rounds": 3, "limit": 30, "bounds": FILE, "folder": DIR,
//    "contestants": [{"id": "p0=1", "kind": "medlar", "settings": {"p0": "1", "c": "5"}},
//                    {"id": "s1", "kind": "liblinear", "solver": 1, "c": 5, "biases": [0.01, 0.1, 1, "data"]}, ...]}
//
// With "write": FILE it writes the set instead, as svmlight. benchmarks/compare speaks to it; OPENBLAS_NUM_THREADS=1.
#include <cstdio>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>

#include "contest.hpp"

int main() try {
  using nlohmann::json;
  const json spec = json::parse(std::cin);
  const medlar::bench::ContestSet set = medlar::bench::load_set(spec.at("set"));
  const auto& x = set.x();
  json answer{{"set", spec.at("set").at("name")}, {"examples", x.rows()},
              {"features", x.columns()},          {"stored", x.stored()},
              {"sparse", x.is_sparse()},          {"regression", set.regression},
              {"row_length", set.row_length}};
  if (spec.contains("write")) {
    medlar::bench::write_svmlight(set, spec.at("write").get<std::string>());
  } else {
    medlar::bench::ContestRules rules;
    rules.accuracy = spec.value("accuracy", rules.accuracy);
    rules.rounds = spec.value("rounds", rules.rounds);
    rules.limit_seconds = spec.value("limit", rules.limit_seconds);
    rules.bounds_file = spec.value("bounds", "");
    rules.folder = spec.value("folder", ".");
    answer["results"] = medlar::bench::hold_contest(set, spec.at("contestants"), rules);
  }
  std::cout << answer.dump(1) << '\n';
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench-fits: %s\n", error.what());
  return 1;
}
