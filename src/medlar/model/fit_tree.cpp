// Trees over discrete columns (theory 6): the tables of each class are fixed, the tree is unknown and every tree is as
// likely as another before the fit.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/families/tree_partition.hpp"
#include "medlar/model/class_scores.hpp"
#include "medlar/model/generative.hpp"
#include "medlar/model/kinds.hpp"
#include "medlar/model/tree_tables.hpp"
#include "medlar/model/unused_options.hpp"
#include "medlar/numerics/at.hpp"

namespace medlar {

namespace {

std::vector<std::vector<Index>> variables_of(const Dataset& data) {
  std::vector<std::vector<Index>> variables;
  if (data.group_of.empty()) {
    for (Index i = 0; i < data.features(); ++i) variables.push_back({i});
  } else {
    variables.resize(data.group_names.size());
    for (std::size_t i = 0; i < data.group_of.size(); ++i)
      variables[at(data.group_of[i])].push_back(static_cast<Index>(i));
  }
  if (variables.size() < 2) throw OptionError("family = tree, but there is one column only; a tree needs two or more");
  for (Index t = 0; t < data.examples(); ++t) {
    for_each(data.x.row(t), [&](Index i, double value) {
      if (value == 0 || value == 1 || std::isnan(value)) return;
      throw OptionError(
          fmt::format("family = tree takes categories and bits, but '{}' is {} in example {}; write the "
                      "column as text, leave it out with --ignore, or use another --family",
                      data.names[at(i)], value, t + 1));
    });
  }
  return variables;
}

void refuse_options_of_families(const Settings& settings) {
  refuse_unused(settings,
                {"groups", "feature-priors", "prior-mean", "prior-variance", "epsilon", "switches", "p0", "expand",
                 "statistics-weight", "switch-evidence"},
                "family tree");
  if (settings.task == "anomaly")
    throw OptionError(
        "family = tree tells classes apart; it is no anomaly detector yet: "
        "use another --family for --task anomaly");
  if (settings.scale != "auto" && settings.scale != "none") {
    throw OptionError(
        fmt::format("scale = {}, but family tree takes categories as they are; use none", settings.scale));
  }
  if (settings.solver != "auto" && settings.solver != "newton") {
    throw OptionError(fmt::format("solver = {}, but trees are fitted by newton; use auto or newton", settings.solver));
  }
}

}  // namespace

Model fit_tree(const Dataset& data, const Settings& asked, Observer* observer) {
  refuse_options_of_families(asked);
  Model model;
  Settings& settings = model.settings = asked;
  settings.scale = "none";
  settings.task = model.task = resolve_task(data, asked);
  if (settings.task == "regress") throw OptionError("family = tree tells classes apart, but the task is regress");
  resolve_margin(settings);
  if (!settings.c) settings.c = 0.3;
  const ClassLabels classes = class_labels(data, settings);
  const Index K = classes.classes();
  const Examples examples = counted_examples(data, resolve_weights(data, settings, classes));
  const std::vector<Index> y = at(classes.y, examples.rows);
  const std::vector<double> class_weight = class_weights_of(y, examples.weights, K);
  require_every_class(class_weight, classes);
  const std::vector<double> wanted =
      settings.bias == "flat" ? log_shares(class_weight) : std::vector<double>(at(K), 0.0);

  GenerativePart part;
  part.variables = variables_of(data);
  const auto nodes = std::ssize(part.variables);
  const TreePartition partition(nodes, K);
  const auto all_levels = at(variable_levels(part.variables, data.x), examples.rows);
  std::vector<PairCounts> counts(at(K), PairCounts(part.variables, settings.prior_strength));
  const auto weight = [&](std::size_t t) { return examples.weights.empty() ? 1.0 : examples.weights[t]; };
  for (std::size_t t = 0; t < y.size(); ++t) counts[at(y[t])].add(all_levels[t], weight(t));
  for (const PairCounts& each : counts) part.trees.push_back(each.tables());

  // Statistics class by class; the fixed part of each score, and what leaving the example out changes.
  const auto edges = at(partition.edges());
  std::vector<Index> starts{0};
  std::vector<Column> column_of;
  std::vector<double> stored, u(edges), fixed(at(K) * y.size()), scores(fixed.size()), change(y.size(), 0.0);
  const double even = 2.0 / static_cast<double>(nodes);  // probability of each edge when all trees are alike
  for (std::size_t t = 0; t < y.size(); ++t) {
    for (std::size_t k = 0; k < at(K); ++k) {
      tree_statistics(part.trees[k], part.variables, all_levels[t], u);
      double sum = 0;
      for (std::size_t e = 0; e < edges; ++e) {
        sum += u[e];
        if (u[e] == 0) continue;
        column_of.push_back(static_cast<Column>(k * edges + e));
        stored.push_back(u[e]);
      }
      fixed[k * y.size() + t] = tree_fixed(part.trees[k], all_levels[t]);
      scores[k * y.size() + t] = fixed[k * y.size() + t] + even * sum + wanted[k];
    }
    starts.push_back(static_cast<Index>(stored.size()));
    const PairCounts& own = counts[at(y[t])];
    for (Index v = 0; v < nodes; ++v) {
      change[t] += own.single(v, all_levels[t], weight(t)) - own.single(v, all_levels[t], 0);
      for (Index w = 0; w < v; ++w) {
        change[t] += even * (own.pair(w, v, all_levels[t], weight(t)) - own.pair(w, v, all_levels[t], 0));
      }
    }
    scores[at(y[t]) * y.size() + t] += change[t];
  }
  const StatisticRows rows(
      Matrix::sparse(std::ssize(y), partition.statistics(), std::move(starts), std::move(column_of), std::move(stored)),
      {}, {});
  part.margin_scale = margin_scale(scores, y, K);
  part.margin_location = settings.margin_location.value_or(part.margin_scale > 0 ? part.margin_scale : 1.0);
  ClassConstraints constraints = rival_constraints(y, K, examples.weights);
  for (std::size_t c = 0; c < constraints.count(); ++c) {
    const std::size_t t = at(constraints.example[c]);
    constraints.offset[c] = fixed[at(constraints.down[c]) * y.size() + t] - fixed[at(constraints.up[c]) * y.size() + t];
    if (settings.offsets == "leave-one-out") constraints.offset[c] -= change[t];
  }
  BiasPrior bias = bias_prior(settings);
  if (K == 2) bias.variance *= 0.5;
  const Limits limits{settings.tolerance, settings.max_passes, settings.max_seconds,
                      static_cast<std::uint64_t>(settings.seed)};
  const ClassProblem problem{class_margin(settings, part.margin_location), partition, rows, constraints, bias};
  const ClassSolution solution = ClassNewton(problem, limits, observer, wanted).solve();

  for (std::size_t k = 0; k < at(K); ++k) {
    const auto own = std::span(solution.primal.v).subspan((k * at(K) + k) * edges, edges);
    part.trees[k].weight.assign(own.begin(), own.end());
  }
  part.class_bias = solution.primal.bias;
  model.labels = classes.labels;
  model.schema = data.schema;
  model.schema.features = data.features();
  model.examples = data.examples();
  model.bias = K == 2 ? part.class_bias[1] - part.class_bias[0] : 0;
  model.report = solution.report;
  for (const std::string& name : data.names) model.features.push_back({name, 1, 0, 0, -1});
  std::vector<double> sum(y.size(), 0.0);
  for (std::size_t c = 0; c < constraints.count(); ++c) {
    sum[at(constraints.example[c])] += (K == 2 && constraints.up[c] == 0 ? -1 : 1) * solution.dual.lambda[c];
  }
  for (std::size_t t = 0; t < sum.size(); ++t) {
    if (sum[t] == 0) continue;
    model.support.push_back(examples.rows[t]);
    model.multipliers.push_back(sum[t]);
  }
  model.generative = std::move(part);
  set_probabilities(model, data, asked, classes, scores, y, observer);
  return model;
}

}  // namespace medlar
