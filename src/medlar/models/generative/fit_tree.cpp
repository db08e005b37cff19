// Trees over discrete columns (docs/theory.md#trees): the tables of each class are fixed, the tree is unknown and every
// tree is as likely as another before the fit.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "medlar/error.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/models/generative/class_scores.hpp"
#include "medlar/models/generative/generative.hpp"
#include "medlar/models/generative/tree_tables.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/options/unused_options.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/priors/families/tree_partition.hpp"

namespace medlar {

void refuse_for_trees(const Settings& settings) {
  refuse_unused(settings,
                {"groups", "feature-priors", "prior-mean", "prior-variance", "epsilon", "switches", "p0", "expand",
                 "statistics-weight", "switch-evidence"},
                "family tree");
  if (settings.scale != ScaleKind::automatic && settings.scale != ScaleKind::none) {
    throw OptionError(
        fmt::format("scale = {}, but family tree takes categories as they are; use none", settings.scale));
  }
  if (settings.solver != SolverKind::automatic && settings.solver != SolverKind::newton) {
    throw OptionError(fmt::format("solver = {}, but trees are fitted by newton; use auto or newton", settings.solver));
  }
}

void describe_tree_model(Model& model, const Dataset& data, const Examples& examples,
                         std::span<const double> multipliers, const Report& report) {
  model.schema = data.schema;
  model.schema.features = data.features();
  leave_open(model);
  model.examples = data.examples();
  model.report = report;
  for (const std::string& name : data.names) model.features.push_back({name, 1, 0, 0, -1});
  for (std::size_t t = 0; t < multipliers.size(); ++t) {
    if (multipliers[t] == 0) continue;
    model.support.push_back(examples.rows[t]);
    model.multipliers.push_back(multipliers[t]);
  }
}

Model fit_tree(const Dataset& data, const Settings& asked, Observer* observer) {
  const FitTime time(asked, observer);
  refuse_for_trees(asked);
  Model model;
  Settings& settings = model.settings = asked;
  settings.scale = ScaleKind::none;
  settings.task = model.task = resolve_task(data, asked);
  if (settings.task == Task::regress) throw OptionError("family = tree tells classes apart, but the task is regress");
  resolve_margin_and_bias(settings);
  if (!settings.c) settings.c = 0.3;
  const LabelledExamples given(data, settings);
  const std::vector<Index>& y = given.y;
  const std::vector<double>& wanted = given.wanted_bias;
  const Index K = given.classes();

  GenerativePart part;
  part.variables = tree_variables(data);
  const auto nodes = std::ssize(part.variables);
  const TreePartition partition(nodes, K);
  const auto all_levels = at(variable_levels(part.variables, data.x), given.examples.rows);
  std::vector<PairCounts> counts(at(K), PairCounts(part.variables, settings.prior_strength));
  for (std::size_t t = 0; t < y.size(); ++t) counts[at(y[t])].add(all_levels[t], given.weight(t));
  for (const PairCounts& each : counts) part.trees.push_back(each.tables());
  const StatisticRows rows = tree_rows(part.trees, part.variables, all_levels);

  // The fixed part of each score, and what leaving the example out changes.
  const auto edges = at(partition.edges());
  std::vector<double> u(at(K) * edges), fixed(at(K) * y.size()), scores(fixed.size()), change(y.size(), 0.0);
  const double even = 2.0 / static_cast<double>(nodes);  // probability of each edge when all trees are alike
  std::vector<double> single(at(nodes)), pair(edges);
  std::vector<LeftOutRatios> left_out(counts.begin(), counts.end());
  for (std::size_t t = 0; t < y.size(); ++t) {
    pause_after(4 * u.size());
    rows.row(static_cast<Index>(t), u);
    for (std::size_t k = 0; k < at(K); ++k) {
      const double sum = std::accumulate(u.begin() + std::ssize(pair) * static_cast<Index>(k),
                                         u.begin() + std::ssize(pair) * static_cast<Index>(k + 1), 0.0);
      fixed[k * y.size() + t] = tree_fixed(part.trees[k], all_levels[t]);
      scores[k * y.size() + t] = fixed[k * y.size() + t] + even * sum + wanted[k];
      if (k != at(y[t])) continue;
      left_out[k].of(all_levels[t], given.weight(t), single, pair);
      change[t] = std::accumulate(single.begin(), single.end(), 0.0) - fixed[k * y.size() + t] +
                  even * (std::accumulate(pair.begin(), pair.end(), 0.0) - sum);
    }
    scores[at(y[t]) * y.size() + t] += change[t];
  }
  part.margin_scale = margin_scale(scores, y, K);
  part.margin_location = settings.margin_location.value_or(part.margin_scale > 0 ? part.margin_scale : 1.0);
  ClassConstraints constraints = rival_constraints(y, K, given.examples.weights);
  for (std::size_t c = 0; c < constraints.count(); ++c) {
    const std::size_t t = at(constraints.example[c]);
    constraints.offset[c] = fixed[at(constraints.down[c]) * y.size() + t] - fixed[at(constraints.up[c]) * y.size() + t];
    if (settings.offsets == Offsets::leave_one_out) constraints.offset[c] -= change[t];
  }
  const Solution solution = solve_classes(partition, rows, constraints, settings, part.margin_location, wanted, time);

  for (std::size_t k = 0; k < at(K); ++k) {
    const auto own = std::span(solution.primal.v).subspan((k * at(K) + k) * edges, edges);
    part.trees[k].weight.assign(own.begin(), own.end());
  }
  part.class_bias = solution.primal.bias;
  model.labels = given.labels.labels;
  model.bias = K == 2 ? part.class_bias[1] - part.class_bias[0] : 0;
  std::vector<double> sum(y.size(), 0.0);
  for (std::size_t c = 0; c < constraints.count(); ++c) {
    sum[at(constraints.example[c])] += (K == 2 && constraints.up[c] == 0 ? -1 : 1) * solution.dual.lambda[c];
  }
  describe_tree_model(model, data, given.examples, sum, solution.report);
  model.generative = std::move(part);
  set_probabilities(model, data, asked, given.labels, scores, y, time);
  return model;
}

}  // namespace medlar
