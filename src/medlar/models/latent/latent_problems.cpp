// Problems come one after another and are told as if they had gone side by side.
#include "medlar/models/latent/latent_problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "medlar/models/linear/coefficients.hpp"
#include "medlar/problem/relay.hpp"

namespace medlar {
namespace {

// Totals of problems that ran one after the other, as if side by side: each keeps its last total while others go on.
void add(std::vector<double>& sum, const std::vector<double>& more) {
  const double last = sum.empty() ? 0 : sum.back();
  sum.resize(std::max(sum.size(), more.size()), last);
  for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += more[std::min(r, more.size() - 1)];
}

// Writes the report of all classes together.
void conclude(Report& report, std::size_t classes) {
  report.message =
      report.status == Status::converged
          ? fmt::format("converged: relative gap {:.1e} <= {:.1e} over {} classes", report.relative_gap,
                        report.tolerance, classes)
          : fmt::format("{}; over {} classes the relative gap is {:.1e}", report.message, classes, report.relative_gap);
  report.why += fmt::format("; {} classes, each against the others", classes);
  report.trace = {{report.iterations, report.passes, report.seconds, report.objective, report.primal,
                   report.relative_gap, "each class against the others"}};
}

}  // namespace

LatentProblems::LatentProblems(const Model& model, const std::vector<std::string>& names, const Grouping& grouping,
                               std::size_t examples)
    : names_(names),
      grouping_(grouping),
      classes_(model.labels.size()),
      prior_(parameter_prior(model.settings, names, grouping)),
      bias_(bias_prior(model.settings)),
      limits_(limits_of(model.settings)),
      part_{std::vector<double>(names.size() * classes_), {}},
      multipliers_(examples, 0.0) {}

void LatentProblems::add(const LatentSolution& solution, double bias, std::span<const double> multipliers) {
  const LatentPoint& point = solution.point;
  const std::vector<Feature> fitted = fitted_features(prior_, {}, point.v, point.w, names_, grouping_);
  const std::size_t k = added_++;
  part_.class_bias.push_back(bias);
  if (k == 0) features_ = fitted;
  add_beside(report_, solution.report);
  for (std::size_t i = 0; i < fitted.size() && classes_ > 2; ++i) {
    part_.coefficient[i * classes_ + k] = point.w[i];
    features_[i].inclusion = std::max(features_[i].inclusion, fitted[i].inclusion);
    // While classes are added, these hold sums of squares. Their length and mean are taken at the end.
    features_[i].coefficient = (k == 0 ? 0.0 : features_[i].coefficient) + point.w[i] * point.w[i];
    features_[i].sd = (k == 0 ? 0.0 : features_[i].sd) + fitted[i].sd * fitted[i].sd;
  }
  medlar::add(kl_, solution.kl);
  for (std::size_t t = 0; t < multipliers.size(); ++t) {
    multipliers_[t] += classes_ == 2 ? multipliers[t] : std::abs(multipliers[t]);
  }
  limits_ = what_is_left(limits_, solution.report);
  if (report_.status == Status::interrupted) limits_.max_passes = 0;
}

void LatentProblems::finish(Model& model) && {
  model.bias = classes_ == 2 ? part_.class_bias.front() : 0;
  if (classes_ > 2) {
    conclude(report_, classes_);
    for (Feature& each : features_) {
      each.coefficient = std::sqrt(each.coefficient);
      each.sd = std::sqrt(each.sd / static_cast<double>(classes_));
    }
    model.multiclass = std::move(part_);
  }
  model.report = std::move(report_);
  model.latent->kl = std::move(kl_);
  model.features = std::move(features_);
  model.group_names = std::holds_alternative<GroupPartition>(prior_) ? grouping_.names : std::vector<std::string>{};
  model.bias_sd = bias_.kind == BiasPrior::Kind::gaussian ? std::sqrt(bias_.variance) : 0;
  model.support.clear();
  model.multipliers.clear();
  for (std::size_t t = 0; t < multipliers_.size(); ++t) {
    if (multipliers_[t] == 0) continue;
    model.support.push_back(static_cast<Index>(t));
    model.multipliers.push_back(multipliers_[t]);
  }
}

}  // namespace medlar
