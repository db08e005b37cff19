// From a dataset to a certified model: resolve what was left open, prepare the data, solve, keep the distribution.
#include "medlar/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "medlar/data/transforms.hpp"
#include "medlar/error.hpp"
#include "medlar/linalg/threads.hpp"
#include "medlar/model/checks.hpp"
#include "medlar/model/labels.hpp"
#include "medlar/model/priors.hpp"
#include "medlar/model/rows.hpp"
#include "medlar/solvers/choose.hpp"

namespace medlar {

namespace {

// Examples with weight 0 are left out; what remains, with its place in the dataset.
struct Examples {
  std::vector<Index> rows;
  std::vector<double> weights;  // empty: every example counts once
};

Examples counted_examples(const Dataset& data, std::span<const double> weights) {
  Examples examples;
  for (Index t = 0; t < data.examples(); ++t) {
    if (!weights.empty() && weights[static_cast<std::size_t>(t)] == 0) continue;
    examples.rows.push_back(t);
    if (!weights.empty()) examples.weights.push_back(weights[static_cast<std::size_t>(t)]);
  }
  return examples;
}

template <class Value>
std::vector<Value> at(const std::vector<Value>& values, std::span<const Index> rows) {
  std::vector<Value> chosen;
  chosen.reserve(rows.size());
  for (const Index t : rows) chosen.push_back(values[static_cast<std::size_t>(t)]);
  return chosen;
}

struct Moments {
  double mean = 0, sd = 0;
};

Moments weighted_moments(std::span<const double> y, std::span<const double> weights) {
  CompensatedSum total, sum, squares;
  const auto weight = [&](std::size_t t) { return weights.empty() ? 1.0 : weights[t]; };
  for (std::size_t t = 0; t < y.size(); ++t) total.add(weight(t)), sum.add(weight(t) * y[t]);
  const double mean = sum.value() / total.value();
  for (std::size_t t = 0; t < y.size(); ++t) squares.add(weight(t) * (y[t] - mean) * (y[t] - mean));
  return {mean, std::sqrt(squares.value() / total.value())};
}

void resolve_margin(Settings& settings) {
  const bool regress = settings.task == "regress",
             for_regression = settings.margin == "tube" || settings.margin == "svr";
  if (settings.margin == "auto")
    settings.margin = regress ? "tube" : "exponential";
  else if (regress != for_regression) {
    throw OptionError(fmt::format("margin = {} does not go with task = {}; use {}", settings.margin, settings.task,
                                  regress ? "tube or svr" : "exponential, laplace, gaussian or hinge"));
  }
}

// Regression is measured in units of the target: its standard deviation sets c, epsilon and the prior variance, so
// that a change of units changes nothing (c ~ 1/y, epsilon ~ y, v ~ y^2).
void resolve_regression_scale(Settings& settings, double sd) {
  const double unit = sd > 0 ? sd : 1.0;
  if (!settings.c) settings.c = 10 / unit;
  if (!settings.epsilon) settings.epsilon = 0.1 * unit;
  if (!settings.prior_variance) settings.prior_variance = unit * unit;
}

// Transforms made from the training data, and the matrix they give. The names follow along.
struct Prepared {
  Matrix x;
  std::vector<Transform> transforms;
  std::vector<std::string> names;
};

Prepared prepare(const Dataset& data, const Examples& examples, Settings& settings) {
  Prepared prepared;
  prepared.names = data.names;
  const bool all = static_cast<Index>(examples.rows.size()) == data.examples();
  prepared.x = all ? data.x : select_rows(data.x, examples.rows);
  if (settings.precision == "float") prepared.x = prepared.x.as_floats();
  const auto add = [&](Transform transform) {
    prepared.x = apply(transform, prepared.x, prepared.names);
    prepared.names = names_after(transform, prepared.names);
    prepared.transforms.push_back(std::move(transform));
  };
  if (settings.expand != "none") add(make_expansion(prepared.x, settings.expand));
  if (settings.scale == "auto") settings.scale = prepared.x.is_sparse() ? "maxabs" : "standard";
  if (settings.scale == "standard" && prepared.x.is_sparse() && settings.bias != "flat") {
    throw OptionError(
        fmt::format("scale = standard centres the features, which a flat bias absorbs for sparse data, but "
                    "bias = {}; use --scale maxabs or --bias flat",
                    settings.bias));
  }
  if (settings.scale != "none") add(make_scale(prepared.x, settings.scale, true, examples.weights));
  return prepared;
}

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

void require_both_classes(std::span<const int> y, const Settings& settings, const BinaryLabels& binary) {
  const auto positive = std::count(y.begin(), y.end(), 1);
  if (settings.bias == "flat" && (positive == 0 || positive == std::ssize(y))) {
    throw DataError(
        fmt::format("every example has the label '{}': a flat bias would be unbounded; add examples of another "
                    "label, or use --bias VARIANCE",
                    binary.labels[positive == 0 ? 0 : 1]));
  }
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

}  // namespace

Model fit(const Dataset& data, const Settings& asked, Observer* observer) {
  check_dataset(data);
  check_settings(asked);
  Model model;
  Settings& settings = model.settings = asked;
  settings.task = model.task = resolve_task(data, asked);
  resolve_margin(settings);
  set_linear_algebra_threads(settings.threads);

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
  const Limits limits{settings.tolerance, settings.max_passes, settings.max_seconds,
                      static_cast<std::uint64_t>(settings.seed)};
  const Solution solution = std::visit(
      [&](const auto& psi, const auto& partition) {
        return maximise(Problem{psi, partition, constraints, bias}, limits, observer, settings.solver);
      },
      margin_prior(settings), prior);

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
