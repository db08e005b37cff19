// Our own fits, and the bounds that they give to peers' problems.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contestant.hpp"
#include "medlar/fit.hpp"
#include "medlar/path.hpp"

namespace medlar::bench {

namespace {

Outcome fitted(const ContestSet& set, const Settings& settings) {
  Outcome outcome;
  Model model;
  outcome.seconds = seconds_of([&] { model = fit(set.data, settings); });
  outcome.passes = static_cast<long>(model.report.passes);
  outcome.objective = model.report.objective;
  outcome.relative_gap = model.report.relative_gap;
  outcome.status = to_string(model.report.status);
  outcome.solver = model.report.solver;
  outcome.bias = model.bias;
  for (const Feature& feature : model.features) outcome.w.push_back(feature.coefficient);
  if (model.report.status == Status::limit) outcome.end = "time limit";
  return outcome;
}

// A whole path in p0: its passes together, its largest gap, and the last of its fits that did not converge.
Outcome followed(const ContestSet& set, const Settings& settings, Index count) {
  Outcome outcome;
  Path path;
  outcome.seconds = seconds_of([&] { path = fit_path(set.data, settings, Swept::p0, usual_p0_path(count)); });
  outcome.status = "converged";
  for (const PathStep& step : path.steps) {
    outcome.passes += static_cast<long>(step.report.passes);
    outcome.relative_gap = std::max(outcome.relative_gap, step.report.relative_gap);
    if (step.report.status != Status::converged) outcome.status = to_string(step.report.status);
  }
  outcome.solver = fmt::format("path of {}", path.steps.size());
  outcome.objective = path.steps.back().report.objective;
  outcome.bias = path.steps.back().bias;
  outcome.w = path.steps.back().coefficient;
  if (!path.complete) outcome.end = "time limit";
  return outcome;
}

Settings common(const ContestSet& set) {
  Settings settings;
  settings.task = set.regression ? Task::regress : Task::classify;
  settings.scale = ScaleKind::none;  // the set is scaled already
  settings.threads = 1;
  settings.prior_variance = 1;
  return settings;
}

class MedlarContestant : public Contestant {
 public:
  MedlarContestant(const ContestSet& set, Settings settings, Index path)
      : set_(set), settings_(std::move(settings)), path_(path) {
    tolerances = {settings_.tolerance};
  }
  Outcome run(double tolerance, double limit_seconds) override {
    settings_.tolerance = tolerance;
    settings_.max_seconds = limit_seconds;
    const auto work = [this] { return path_ > 0 ? followed(set_, settings_, path_) : fitted(set_, settings_); };
    return visit(work, 2 * limit_seconds + 1);
  }

 private:
  const ContestSet& set_;
  Settings settings_;
  Index path_;  // values of p0; 0: one fit
};

}  // namespace

std::unique_ptr<Contestant> medlar_contestant(const ContestSet& set, const nlohmann::json& options) {
  Settings settings = common(set);
  std::string name = "medlar";
  Index path = 0;
  for (const auto& [option, value] : options.items()) {
    if (option == "path") {
      path = std::stol(value.get<std::string>());
    } else {
      set_option(settings, option, value.get<std::string>());
    }
    name += fmt::format(" {}={}", option, value.get<std::string>());
  }
  auto contestant = std::make_unique<MedlarContestant>(set, std::move(settings), path);
  contestant->name = name;
  return contestant;
}

Outcome medlar_bound(const ContestSet& set, const PeerProblem& problem, double limit_seconds) {
  Settings settings = common(set);
  settings.p0 = 1;
  settings.margin = problem.loss == PeerLoss::hinge  ? MarginKind::hinge
                    : problem.loss == PeerLoss::tube ? MarginKind::svr
                                                     : MarginKind::gaussian;
  settings.c = problem.loss == PeerLoss::squared_hinge ? std::sqrt(2 * problem.c) : problem.c;
  if (problem.regression()) settings.epsilon = problem.epsilon;
  if (problem.bias == PeerBias::penalised) {
    settings.bias = {BiasKind::variance, problem.bias_scale * problem.bias_scale};
  } else {
    settings.bias = problem.bias == PeerBias::free ? BiasKind::flat : BiasKind::none;
  }
  settings.tolerance = 1e-7;
  settings.max_seconds = limit_seconds;
  return visit([&] { return fitted(set, settings); }, 2 * limit_seconds + 1);
}

}  // namespace medlar::bench
