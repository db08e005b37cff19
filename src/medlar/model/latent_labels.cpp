// From a dataset with missing or believed labels to a model, and from a model with further examples to another.
#include "medlar/model/latent_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/cross_validate.hpp"
#include "medlar/data/transforms.hpp"
#include "medlar/error.hpp"
#include "medlar/latent/labels.hpp"
#include "medlar/model/coefficients.hpp"
#include "medlar/model/grouping.hpp"
#include "medlar/model/latent_features.hpp"
#include "medlar/model/latent_part.hpp"
#include "medlar/model/option_text.hpp"
#include "medlar/model/prepare.hpp"

namespace medlar {
namespace {

// Beliefs, weights and unlabelled rows of the whole dataset, besides the labels of the model.
struct Known {
  std::vector<double> belief, weight;
  std::vector<bool> unlabelled;
};

Known known_labels(const Dataset& data, Model& model) {
  const std::vector<Index> rows = labelled_rows(data);
  const Dataset labelled = subset(data, rows);
  Settings& settings = model.settings;
  settings.task = model.task = resolve_task(labelled, settings);
  if (model.task != "classify") {
    throw OptionError("task = regress, but latent labels are classes; use --task classify or --model linear");
  }
  const BinaryLabels binary = binary_labels(labelled, settings);
  model.labels = binary.labels;
  for (const int sign : {-1, +1}) {
    if (std::find(binary.y.begin(), binary.y.end(), sign) != binary.y.end()) continue;
    throw DataError(fmt::format("{}: no example is labelled '{}'; latent labels need some of each class", data.source,
                                binary.labels[sign > 0 ? 1 : 0]));
  }
  const auto count = static_cast<std::size_t>(data.examples());
  Known known{std::vector<double>(count, 0.5), data.weights, std::vector<bool>(count, true)};
  if (known.weight.empty()) known.weight.assign(count, 1.0);
  const std::vector<double> weights = resolve_weights(labelled, settings, &binary);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto t = static_cast<std::size_t>(rows[k]);
    const double right = data.beliefs.empty() ? 1.0 : data.beliefs[t];
    known.belief[t] = binary.y[k] > 0 ? right : 1 - right;
    known.unlabelled[t] = false;
    if (!weights.empty()) known.weight[t] = weights[k];
  }
  return known;
}

// r of the balance constraint, if there is to be one.
std::optional<double> positive_share(const LatentPart& part, const Settings& settings) {
  const bool given = settings.balance != "auto" && settings.balance != "none";
  if (part.unlabelled.empty() || settings.latent_mode == "literal") {
    if (!given) return std::nullopt;
    throw OptionError(fmt::format(
        "balance = {}, but {}; leave it at auto", settings.balance,
        part.unlabelled.empty() ? "every example has a label" : "latent-mode = literal has no balance constraint"));
  }
  if (settings.balance == "none") return std::nullopt;
  if (settings.bias != "flat") {
    throw OptionError(fmt::format(
        "bias = {}, but the balance constraint sets the bias; use --bias flat or --balance none", settings.bias));
  }
  if (given) return number_in(settings.balance);
  double positive = 1, all = 2;
  std::vector<bool> counts(part.belief.size(), true);
  for (const Index t : part.unlabelled) counts[static_cast<std::size_t>(t)] = false;
  for (std::size_t t = 0; t < counts.size(); ++t) {
    if (counts[t]) ++all, positive += part.belief[t] > 0.5 ? 1 : 0;
  }
  return positive / all;
}

// Fits model.latent's examples, whose transformed rows are x; model holds labels, settings and transforms. A model that
// was fitted before is where the fit starts.
void solve(Model& model, const Matrix& x, const std::vector<std::string>& names, const Grouping& grouping,
           Observer* observer) {
  LatentPart& part = *model.latent;
  const Settings& settings = model.settings;
  const MarginPrior margin = margin_prior(settings);
  const ParameterPrior prior = parameter_prior(settings, names, grouping);
  LabelPlan plan;
  plan.literal = settings.latent_mode == "literal";
  plan.positive_share = part.positive_share = positive_share(part, settings);
  plan.unlabelled_weight = settings.unlabelled_weight;
  if (!model.features.empty()) {
    std::vector<double> w;
    for (const Feature& feature : model.features) w.push_back(feature.coefficient);
    plan.start.resize(w.size());
    plan.start_bias = model.bias;
    std::visit([&](const auto& partition) { partition.from_mean(w, plan.start); }, prior);
  }
  const BiasPrior bias = bias_prior(settings);
  const Limits limits{settings.tolerance, settings.max_passes, settings.max_seconds,
                      static_cast<std::uint64_t>(settings.seed)};
  LabelSolution solution = std::visit(
      [&](const auto& psi, const auto& partition) {
        const MarginViewOf psi_view(psi);
        const PriorViewOf prior_view(partition);
        LabelProblem problem{&x, &psi_view, &prior_view, bias, part.belief, part.weight, {}};
        problem.unlabelled.assign(part.belief.size(), false);
        for (const Index t : part.unlabelled) problem.unlabelled[static_cast<std::size_t>(t)] = true;
        return fit_labels(problem, plan, limits, observer);
      },
      margin, prior);
  model.features = fitted_features(prior, solution.latent.point.v, solution.latent.point.w, names, grouping);
  model.group_names = std::holds_alternative<GroupPartition>(prior) ? grouping.names : std::vector<std::string>{};
  model.bias = solution.bias;
  model.bias_sd = bias.kind == BiasPrior::Kind::gaussian ? std::sqrt(bias.variance) : 0;
  model.support.clear();
  model.multipliers = std::move(solution.multipliers);
  for (std::size_t t = 0; t < model.multipliers.size(); ++t) {
    if (model.multipliers[t] != 0) model.support.push_back(static_cast<Index>(t));
  }
  std::erase(model.multipliers, 0.0);
  part.kl = std::move(solution.latent.kl);
  model.report = std::move(solution.latent.report);
}

}  // namespace

Model fit_latent_labels(const Dataset& data, const Settings& asked, Observer* observer) {
  Model model;
  model.settings = asked;
  Known known = known_labels(data, model);
  resolve_margin(model.settings);
  check_latent_settings(model.settings);
  const Examples examples = counted_examples(data, known.weight);
  Prepared prepared = prepare(data, examples, model.settings);
  resolve_latent_scale(model.settings, prepared.x);
  LatentPart& part = model.latent.emplace();
  part.rows = kept_rows(data.x, examples.rows);
  for (const Index t : examples.rows) {
    const auto k = static_cast<std::size_t>(t);
    if (known.unlabelled[k]) part.unlabelled.push_back(static_cast<Index>(part.belief.size()));
    part.belief.push_back(known.belief[k]);
    part.weight.push_back(known.weight[k]);
  }
  model.schema = data.schema;
  model.schema.features = data.features();
  model.transforms = std::move(prepared.transforms);
  model.examples = data.examples();
  solve(model, prepared.x, prepared.names, grouping_of(data, model.settings, prepared.names), observer);
  for (Index& t : model.support) t = examples.rows[static_cast<std::size_t>(t)];
  return model;
}

Model transduce(const Model& model, const Dataset& unlabelled, Observer* observer) {
  if (!model.latent || model.latent->belief.empty()) {
    throw OptionError(
        fmt::format("the model is {} and keeps no examples to which others could be added; train it with "
                    "--model latent --latent labels",
                    model.settings.model));
  }
  require_features(model, unlabelled.x);
  Model wider = model;
  LatentPart& part = *wider.latent;
  add_rows(part.rows, latent_features(model, unlabelled.x));
  for (Index t = 0; t < unlabelled.examples(); ++t) {
    part.unlabelled.push_back(static_cast<Index>(part.belief.size()));
    part.belief.push_back(0.5);
    part.weight.push_back(unlabelled.weights.empty() ? 1.0 : unlabelled.weights[static_cast<std::size_t>(t)]);
  }
  Matrix x = matrix_of(part.rows);
  for (const Transform& transform : model.transforms) x = apply(transform, x);
  Grouping grouping{{}, model.group_names};
  std::vector<std::string> names;
  for (const Feature& feature : model.features)
    names.push_back(feature.name), grouping.group_of.push_back(feature.group);
  wider.examples = x.rows();
  solve(wider, x, names, grouping, observer);
  return wider;
}

}  // namespace medlar
