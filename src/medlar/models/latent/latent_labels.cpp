// From a dataset with missing or believed labels to a model, and from a model with further examples to another.
// solve_latent_labels() fits what these put together.
#include "medlar/models/latent/latent_labels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "medlar/error.hpp"
#include "medlar/folds.hpp"
#include "medlar/models/latent/latent_features.hpp"
#include "medlar/models/latent/latent_part.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/grouping.hpp"
#include "medlar/prepare/prepare.hpp"
#include "medlar/prepare/transforms.hpp"

namespace medlar {
namespace {

// Beliefs (as LatentPart has them), weights and unlabelled rows of the whole dataset, besides the labels of the model.
struct Known {
  std::vector<double> belief, weight;
  std::vector<bool> unlabelled;
};

// Two classes: one even belief; more: one for each.
void add_unknown_label(std::vector<double>& belief, std::size_t classes) {
  belief.insert(belief.end(), classes == 2 ? 1 : classes, 1.0 / static_cast<double>(classes));
}

Known known_labels(const Dataset& data, Model& model) {
  const std::vector<Index> rows = labelled_rows(data);
  const Dataset labelled = subset(data, rows);
  Settings& settings = model.settings;
  settings.task = model.task = resolve_task(labelled, settings);
  if (model.task != Task::classify) {
    throw OptionError(
        "task = regress, but latent labels are classes; use --task classify, or --unlabelled LABEL if one of the "
        "numbers stands for no label");
  }
  const ClassLabels classes = class_labels(labelled, settings);
  model.labels = classes.labels;
  const auto K = static_cast<std::size_t>(classes.classes());
  for (std::size_t k = 0; k < K; ++k) {
    if (std::find(classes.y.begin(), classes.y.end(), static_cast<Index>(k)) != classes.y.end()) continue;
    throw DataError(fmt::format("{}: no example is labelled '{}'; latent labels need some of each class", data.source,
                                classes.labels[k]));
  }
  const auto count = static_cast<std::size_t>(data.examples());
  Known known{{}, data.weights, std::vector<bool>(count, true)};
  for (std::size_t t = 0; t < count; ++t) add_unknown_label(known.belief, K);
  if (known.weight.empty()) known.weight.assign(count, 1.0);
  const std::vector<double> weights = resolve_weights(labelled, settings, classes);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto t = static_cast<std::size_t>(rows[k]), own = static_cast<std::size_t>(classes.y[k]);
    const double right = data.beliefs.empty() ? 1.0 : data.beliefs[t];
    const double other = (1 - right) / static_cast<double>(K - 1);
    if (K == 2) known.belief[t] = own == 1 ? right : other;
    for (std::size_t c = 0; c < K && K > 2; ++c) known.belief[t * K + c] = c == own ? right : other;
    known.unlabelled[t] = false;
    if (!weights.empty()) known.weight[t] = weights[k];
  }
  return known;
}

}  // namespace

Model fit_latent_labels(const Dataset& data, const Settings& asked, Observer* observer) {
  Model model;
  model.settings = asked;
  Known known = known_labels(data, model);
  resolve_margin_and_bias(model.settings);
  check_latent_settings(model.settings);
  const Examples examples = counted_examples(data, known.weight);
  Prepared prepared = prepare(data, examples, model.settings);
  resolve_latent_scale(model.settings, prepared.x);
  LatentPart& part = model.latent.emplace();
  part.rows = kept_rows(data.x, examples.rows);
  for (const Index t : examples.rows) {
    const auto k = static_cast<std::size_t>(t);
    if (known.unlabelled[k]) part.unlabelled.push_back(static_cast<Index>(part.weight.size()));
    const std::size_t each = known.belief.size() / known.weight.size();
    for (std::size_t c = 0; c < each; ++c) part.belief.push_back(known.belief[k * each + c]);
    part.weight.push_back(known.weight[k]);
  }
  model.schema = data.schema;
  model.schema.features = data.features();
  model.transforms = std::move(prepared.transforms);
  model.examples = data.examples();
  solve_latent_labels(model, prepared.x, prepared.names, grouping_of(data, model.settings, prepared.names), observer);
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
    part.unlabelled.push_back(static_cast<Index>(part.weight.size()));
    add_unknown_label(part.belief, model.labels.size());
    part.weight.push_back(unlabelled.weights.empty() ? 1.0 : unlabelled.weights[static_cast<std::size_t>(t)]);
  }
  Matrix x = matrix_of(part.rows);
  for (const Transform& transform : model.transforms) x = apply(transform, x);
  Grouping grouping{{}, model.group_names, {}};
  std::vector<std::string> names;
  for (const Feature& feature : model.features)
    names.push_back(feature.name), grouping.group_of.push_back(feature.group);
  wider.examples = x.rows();
  solve_latent_labels(wider, x, names, grouping, observer);
  return wider;
}

}  // namespace medlar
