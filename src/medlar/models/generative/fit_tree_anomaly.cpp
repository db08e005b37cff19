// Anomaly detection by trees over discrete columns (docs/theory.md#trees, #anomalies): one class whose tables are fixed
// and whose tree is unknown. Before the fit, log beta of an edge is the sum of its log-ratio log p(x_u, x_v)/(p(x_u)
// p(x_v)) over the examples that count. Each example is left out of the tables for its own ratio; otherwise the ratios
// of unrelated columns would all seem to say something.
#include <numeric>

#include "medlar/models/generative/detector.hpp"
#include "medlar/models/generative/generative.hpp"
#include "medlar/models/generative/tree_tables.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/priors/families/tree_partition.hpp"

namespace medlar {

namespace {

// The tables and the edges that these counts make, and the levels of all examples under them.
struct TreePrior {
  GenerativeTree tree;  // its weight is log beta
  LevelsBefore before;
};

TreePrior tree_prior(const std::vector<std::vector<Index>>& variables, const std::vector<std::vector<Index>>& levels,
                     std::span<const double> counted, double smoothing) {
  const std::size_t nodes = variables.size(), edges = nodes * (nodes - 1) / 2, T = levels.size();
  PairCounts counts(variables, smoothing);
  for (std::size_t t = 0; t < T; ++t) {
    if (counted[t] > 0) counts.add(levels[t], counted[t]);
  }
  TreePrior prior{counts.tables(), {std::vector<double>(T), std::vector<double>(T)}};
  prior.tree.weight.assign(edges, 0.0);
  std::vector<double> single(nodes), pair(edges), u(edges);
  LeftOutRatios left_out(counts);
  for (std::size_t t = 0; t < T; ++t) {
    if (counted[t] == 0) continue;
    left_out.of(levels[t], counted[t], single, pair);
    for (std::size_t e = 0; e < edges; ++e) prior.tree.weight[e] += counted[t] * pair[e];
  }
  const std::vector<double> p = TreeSums(prior.tree.weight, static_cast<Index>(nodes)).edges();
  for (std::size_t t = 0; t < T; ++t) {
    left_out.of(levels[t], counted[t], single, pair);
    tree_statistics(prior.tree, variables, levels[t], u);
    const double with = std::inner_product(u.begin(), u.end(), p.begin(), tree_fixed(prior.tree, levels[t]));
    prior.before.level[t] =
        std::inner_product(pair.begin(), pair.end(), p.begin(), std::accumulate(single.begin(), single.end(), 0.0));
    prior.before.change[t] = prior.before.level[t] - with;
  }
  return prior;
}

}  // namespace

Model fit_tree_anomaly(const Dataset& data, const Settings& asked, Observer* observer) {
  const FitTime time(asked, observer);
  refuse_for_trees(asked);
  Model model;
  Settings& settings = model.settings = asked;
  settings.scale = ScaleKind::none;
  model.task = settings.task;
  resolve_detector(settings);
  const Examples examples = counted_examples(data, data.weights);
  GenerativePart part;
  part.variables = tree_variables(data);
  const auto levels = at(variable_levels(part.variables, data.x), examples.rows);
  const std::size_t T = levels.size();
  const std::vector<double> weights = examples.weights.empty() ? std::vector<double>(T, 1.0) : examples.weights;
  const LevelsBefore before = trimmed(weights, settings.trim, time, [&](const std::vector<double>& counted) {
    TreePrior prior = tree_prior(part.variables, levels, counted, settings.prior_strength);
    part.trees = {std::move(prior.tree)};
    return std::move(prior.before);
  });

  GenerativeTree& tree = part.trees.front();
  const double level = quantile(before.level, settings.alpha);
  const TreePartition partition(std::ssize(part.variables), 1, tree.weight);
  const StatisticRows rows = tree_rows(part.trees, part.variables, levels);
  ClassConstraints constraints = single_class_constraints(static_cast<Index>(T), examples.weights);
  for (std::size_t t = 0; t < T; ++t) {
    constraints.offset[t] =
        -tree_fixed(tree, levels[t]) - (settings.offsets == Offsets::leave_one_out ? before.change[t] : 0.0);
  }
  const Solution solution = solve_classes(partition, rows, constraints, settings, level, {0.0}, time);

  for (std::size_t e = 0; e < tree.weight.size(); ++e) tree.weight[e] += solution.primal.v[e];
  part.class_bias = {0.0};
  model.generative = std::move(part);
  describe_tree_model(model, data, examples, solution.dual.lambda, solution.report);
  complete_detector(model, data, asked, before, level, time);
  return model;
}

}  // namespace medlar
