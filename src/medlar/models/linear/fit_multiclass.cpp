// The linear model of K > 2 classes, fitted jointly (theory 6): L_k(x) = theta_k . x + b_k, a constraint for each
// example and rival class, one switch for a feature in all classes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/models/linear/multiclass_fit.hpp"
#include "medlar/models/linear/solver_fits.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/options/unused_options.hpp"
#include "medlar/options/vocabulary.hpp"

namespace medlar {

bool has_several_classes(const Dataset& data, const Settings& settings) {
  return resolve_task(data, settings) == Task::classify && class_labels(data, settings).classes() > 2;
}

MulticlassFit::MulticlassFit(const Dataset& data, const Settings& asked) : data_(data), settings_(asked) {
  settings_.task = Task::classify;
  resolve_margin_and_bias(settings_);
  refuse_other_tasks(settings_);
  require_no_kernel(settings_);
  if (settings_.solver != SolverKind::automatic && settings_.solver != SolverKind::ascent &&
      settings_.solver != SolverKind::newton && settings_.solver != SolverKind::primal_newton) {
    throw OptionError(fmt::format(
        "solver = {} tells two classes apart; for more use auto, ascent, primal-newton or newton", settings_.solver));
  }
  const ClassLabels classes = class_labels(data, settings_);
  labels_ = classes.labels;
  examples_ = counted_examples(data, resolve_weights(data, settings_, classes));
  prepared_ = prepare(data, examples_, settings_);
  resolve_classification_scale(settings_, prepared_.x);
  y_ = at(classes.y, examples_.rows);
  require_each_class(y_, settings_, classes);
  rows_ = StatisticRows(prepared_.x, {}, {});
  constraints_ = rival_constraints(y_, classes.classes(), examples_.weights);
  grouping_ = grouping_of(data, settings_, prepared_.names);
}

ClassPrior MulticlassFit::prior(const Settings& settings) const {
  const auto n = static_cast<Index>(prepared_.names.size()), classes = static_cast<Index>(labels_.size());
  if (!settings.prior_mean.empty()) {
    throw OptionError(
        "prior-mean gives one mean to a feature, but here it has a coefficient in each of several "
        "classes; leave it out");
  }
  const ParameterPrior single = parameter_prior(settings, prepared_.names, grouping_);
  if (std::holds_alternative<GaussianPartition>(single))
    return GaussianPartition(classes * n, *settings.prior_variance);
  std::vector<Index> one(at(n));
  std::vector<double> p;
  if (const auto* switches = std::get_if<SwitchPartition>(&single)) {
    for (Index i = 0; i < n; ++i) one[at(i)] = i;
    p.assign(switches->prior_inclusion().begin(), switches->prior_inclusion().end());
  } else {
    const auto& groups = std::get<GroupPartition>(single);
    one.assign(groups.group_of().begin(), groups.group_of().end());
    p.assign(groups.prior_inclusion().begin(), groups.prior_inclusion().end());
  }
  std::vector<Index> group_of;
  for (Index k = 0; k < classes; ++k) group_of.insert(group_of.end(), one.begin(), one.end());
  return GroupPartition(std::move(group_of), std::move(p), *settings.prior_variance);
}

ClassSolution MulticlassFit::solve(const Settings& settings, Observer* observer, const ClassNeighbour* from) const {
  margin_prior(settings);  // refuses a margin that would teach nothing
  return solve_multiclass(prior(settings), rows_, constraints_, settings, observer, from);
}

std::vector<Feature> MulticlassFit::features(const Settings& settings, const ClassSolution& solution) const {
  const ClassPrior all = prior(settings);
  std::vector<double> inclusion(solution.primal.v.size()), variance(inclusion.size());
  std::visit(
      [&](const auto& partition) {
        partition.inclusion(solution.primal.v, inclusion);
        partition.variance(solution.primal.v, variance);
      },
      all);
  const bool grouped = !grouping_.names.empty() && std::holds_alternative<GroupPartition>(all);
  const std::size_t n = prepared_.names.size();
  std::vector<Feature> features;
  for (std::size_t i = 0; i < n; ++i) {
    double squares = 0, sum = 0;
    for (std::size_t k = 0; k < labels_.size(); ++k) {
      const double w = solution.primal.w[k * n + i];
      squares += w * w;
      sum += variance[k * n + i];
    }
    features.push_back({prepared_.names[i], inclusion[i], std::sqrt(squares),
                        std::sqrt(sum / static_cast<double>(labels_.size())), grouped ? grouping_.group_of[i] : -1});
  }
  return features;
}

MulticlassPart MulticlassFit::part(const ClassSolution& solution) const {
  const std::size_t n = prepared_.names.size(), classes = labels_.size();
  MulticlassPart part;
  part.class_bias = solution.primal.bias;
  part.coefficient.resize(n * classes);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < classes; ++k) part.coefficient[i * classes + k] = solution.primal.w[k * n + i];
  }
  return part;
}

std::vector<double> MulticlassFit::multipliers(const ClassSolution& solution) const {
  std::vector<double> sums(y_.size(), 0.0);
  for (std::size_t c = 0; c < constraints_.count(); ++c) sums[at(constraints_.example[c])] += solution.dual.lambda[c];
  return sums;
}

double MulticlassFit::training_error(const ClassSolution& solution) const {
  double wrong = 0, total = 0;
  for (std::size_t t = 0; t < y_.size(); ++t) {
    const auto score = [&](std::size_t k) { return solution.primal.f[k * y_.size() + t] + solution.primal.bias[k]; };
    std::size_t best = 0;
    for (std::size_t k = 1; k < labels_.size(); ++k) best = score(k) > score(best) ? k : best;
    const double weight = examples_.weights.empty() ? 1 : examples_.weights[t];
    wrong += best == at(y_[t]) ? 0 : weight;
    total += weight;
  }
  return wrong / total;
}

Model MulticlassFit::model(const Settings& settings, const ClassSolution& solution) const {
  Model model;
  model.settings = settings;
  model.task = Task::classify;
  model.labels = labels_;
  model.schema = data_.schema;
  model.schema.features = data_.features();
  model.transforms = prepared_.transforms;
  model.features = features(settings, solution);
  const bool grouped =
      std::any_of(model.features.begin(), model.features.end(), [](const Feature& f) { return f.group >= 0; });
  if (grouped) model.group_names = grouping_.names;
  model.multiclass = part(solution);
  model.examples = data_.examples();
  model.bias_sd =
      settings.bias == BiasKind::flat || settings.bias == BiasKind::none ? 0 : std::sqrt(bias_prior(settings).variance);
  const std::vector<double> sums = multipliers(solution);
  for (std::size_t t = 0; t < sums.size(); ++t) {
    if (sums[t] == 0) continue;
    model.support.push_back(examples_.rows[t]);
    model.multipliers.push_back(sums[t]);
  }
  model.report = solution.report;
  model.report.why =
      fmt::format("{} classes, {} examples, {} features", labels_.size(), y_.size(), prepared_.names.size());
  return model;
}

Model fit_multiclass(const Dataset& data, const Settings& asked, Observer* observer) {
  const MulticlassFit several(data, asked);
  return several.model(several.settings(), several.solve(several.settings(), observer));
}

}  // namespace medlar
