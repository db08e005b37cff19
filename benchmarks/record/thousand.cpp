// The problems of the thousand-problem test (tests/reference), by the library's fit and by each solver that takes them.
#include <fmt/format.h>

#include <algorithm>

#include "drawn.hpp"
#include "recorder.hpp"
#include "reference/random_problem.hpp"

namespace medlar::bench {
namespace {

using test::PlainBias;
using test::PlainProblem;

double number(test::Real value) {
  return static_cast<double>(value);
}

Dataset dataset_of(const PlainProblem& problem) {
  std::size_t zeros = 0;
  for (const auto& row : problem.x) zeros += static_cast<std::size_t>(std::count(row.begin(), row.end(), 0.0));
  const bool sparse = 2 * zeros > problem.examples() * problem.features();
  return dataset(sparse ? sparse_matrix(problem.x) : dense_matrix(problem.x), problem.y, problem.weights);
}

std::string bias_of(const PlainProblem& problem) {
  if (problem.bias == PlainBias::flat) return "flat";
  return problem.bias == PlainBias::none ? "none" : fmt::format("{}", number(problem.sigma2));
}

Settings settings_of(const PlainProblem& problem) {
  Settings settings;
  settings.threads = 1;
  set_option(settings, "task", problem.margin.regression() ? "regress" : "classify");
  set_option(settings, "margin", problem.margin.name);
  settings.c = number(problem.margin.c);
  if (problem.margin.regression()) {
    settings.epsilon = number(problem.margin.epsilon);
  } else {
    settings.margin_location = number(problem.margin.location);
  }
  settings.prior_variance = number(problem.prior.v);
  settings.p0 = 1;
  set_option(settings, "scale", "none");
  set_option(settings, "bias", bias_of(problem));
  const auto& prior = problem.prior;
  const bool grouped = prior.p.size() < problem.features();
  if (grouped) take_named_groups(settings.groups);
  for (std::size_t i = 0; i < problem.features(); ++i) {
    const std::string name = fmt::format("f{}", i);
    const auto on = static_cast<std::size_t>(prior.switch_of[i]);
    settings.feature_p0.entries.emplace_back(name, number(prior.p[on]));
    if (prior.mean[i] != 0) settings.prior_mean.entries.emplace_back(name, number(prior.mean[i]));
    if (grouped) settings.feature_group.entries.emplace_back(name, fmt::format("g{}", on));
  }
  return settings;
}

}  // namespace

void record_thousand(Recorder& record) {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    const PlainProblem problem = test::RandomProblem(seed).draw();
    record.fit(fmt::format("thousand/{:04}", seed), dataset_of(problem), settings_of(problem));
  }
  for (unsigned seed = 2001; seed <= 2400; ++seed) {
    const PlainProblem problem = test::RandomProblem(seed).draw();
    for (const char* solver : {"auto", "ascent", "primal-newton", "newton", "coordinate", "bounded-qp"}) {
      Settings settings = settings_of(problem);
      set_option(settings, "solver", solver);
      settings.tolerance = 1e-9;
      record.fit(fmt::format("thousand/{:04} {}", seed, solver), dataset_of(problem), settings);
    }
  }
}

}  // namespace medlar::bench
