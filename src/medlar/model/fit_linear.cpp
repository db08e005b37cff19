// The linear model: L(x) = sum_i theta_i s_i x_i + b under a Gaussian, switch or group prior.   [MED 3.1, 4.1, 5]
#include <cmath>
#include <unordered_map>

#include "medlar/model/kinds.hpp"
#include "medlar/model/labels.hpp"
#include "medlar/model/prepare.hpp"
#include "medlar/model/priors.hpp"
#include "medlar/model/solve_kernel.hpp"
#include "medlar/model/solver_fits.hpp"
#include "medlar/solvers/choose.hpp"

namespace medlar {

namespace {

// Features that share a switch: the levels of a categorical column, or the groups of a file. Groups of one are none.
Grouping grouping_of(const Dataset& data, const Settings& settings, std::span<const std::string> names) {
  std::vector<std::string> label(names.size());
  if (settings.groups == "columns" && settings.expand == "none" && !data.group_of.empty()) {
    for (std::size_t i = 0; i < names.size(); ++i)
      label[i] = data.group_names[static_cast<std::size_t>(data.group_of[i])];
  } else if (settings.groups == "file") {
    label = per_feature(settings.feature_group, names, "", "groups");
  } else {
    return {std::vector<Index>(names.size(), -1), {}};
  }
  std::unordered_map<std::string, Index> members, place;
  for (const std::string& name : label) ++members[name];
  Grouping grouping;
  for (const std::string& name : label) {
    if (name.empty() || members[name] < 2) {
      grouping.group_of.push_back(-1);
      continue;
    }
    const auto [entry, added] = place.emplace(name, static_cast<Index>(grouping.names.size()));
    if (added) grouping.names.push_back(name);
    grouping.group_of.push_back(entry->second);
  }
  return grouping;
}

// The fitted distribution of each coefficient, at the V of the primal point.
std::vector<Feature> fitted_features(const ParameterPrior& prior, const PrimalPoint& point,
                                     std::span<const std::string> names, const Grouping& grouping) {
  const std::size_t n = names.size();
  std::vector<double> inclusion(n), variance(n);
  std::visit(
      [&](const auto& partition) {
        partition.inclusion(point.v, inclusion);
        partition.variance(point.v, variance);
      },
      prior);
  const bool grouped = std::holds_alternative<GroupPartition>(prior);
  std::vector<Feature> features(n);
  for (std::size_t i = 0; i < n; ++i) {
    features[i] = {names[i], inclusion[i], point.w[i], std::sqrt(variance[i]), grouped ? grouping.group_of[i] : -1};
  }
  return features;
}

// The user's solver, which require_solver() has let pass.
Solution solve_linear(const Settings& settings, const ParameterPrior& prior, const Constraints& constraints,
                      BiasPrior bias, Observer* observer) {
  const Limits limits{settings.tolerance, settings.max_passes, settings.max_seconds,
                      static_cast<std::uint64_t>(settings.seed)};
  if (settings.solver == "smo") {
    return solve_linear_by_smo(margin_prior(settings), std::get<GaussianPartition>(prior), constraints, bias, settings,
                               limits, observer);
  }
  return std::visit(
      [&](const auto& psi, const auto& partition) {
        return maximise(Problem{psi, partition, constraints, bias}, limits, observer, settings.solver);
      },
      margin_prior(settings), prior);
}

}  // namespace

Model fit_linear(const Dataset& data, const Settings& asked, Observer* observer) {
  Model model;
  Settings& settings = model.settings = asked;
  settings.task = model.task = resolve_task(data, asked);
  resolve_margin(settings);
  require_no_kernel(settings);

  BinaryLabels binary;
  const bool classify = model.task == "classify";
  if (classify) binary = binary_labels(data, settings);
  const Examples examples = counted_examples(data, resolve_weights(data, settings, classify ? &binary : nullptr));
  Prepared prepared = prepare(data, examples, settings);

  Constraints constraints;
  double centre = 0;
  if (classify) {
    if (!settings.c) settings.c = 3;
    if (!settings.prior_variance) settings.prior_variance = 1;
    const std::vector<int> y = at(binary.y, examples.rows);
    require_both_classes(y, settings, binary);
    constraints = classification_constraints(prepared.x, y, examples.weights);
    model.labels = binary.labels;
  } else {
    std::vector<double> y = at(real_targets(data), examples.rows);
    const Moments moments = weighted_moments(y, examples.weights);
    resolve_regression_scale(settings, moments.sd);
    // Under a flat bias the fit does not change when y is shifted; numbers near 0 keep more digits.
    if (settings.bias == "flat") centre = moments.mean;
    for (double& value : y) value -= centre;
    constraints = regression_constraints(prepared.x, y, examples.weights);
  }

  const Grouping grouping = grouping_of(data, settings, prepared.names);
  const ParameterPrior prior = parameter_prior(settings, prepared.names, grouping);
  const BiasPrior bias = bias_prior(settings);
  require_solver(settings, prior);
  const Solution solution = solve_linear(settings, prior, constraints, bias, observer);

  model.schema = data.schema;
  model.schema.features = data.features();  // also for a dataset that no reader made
  model.transforms = std::move(prepared.transforms);
  model.features = fitted_features(prior, solution.primal, prepared.names, grouping);
  if (std::holds_alternative<GroupPartition>(prior)) model.group_names = grouping.names;
  model.bias = solution.primal.bias + centre;
  model.bias_sd = bias.kind == BiasPrior::Kind::gaussian ? std::sqrt(bias.variance) : 0;
  model.examples = data.examples();
  for (std::size_t t = 0; t < examples.rows.size(); ++t) {
    if (solution.dual.beta[t] == 0) continue;
    model.support.push_back(examples.rows[t]);
    model.multipliers.push_back(solution.dual.beta[t]);
  }
  model.report = solution.report;
  return model;
}

}  // namespace medlar
