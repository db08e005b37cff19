// Several classes by a kernel, two by two or jointly (settings.multiclass): what comes before and after either.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/models/kernel/kernel_checks.hpp"
#include "medlar/models/kernel/kernel_classes.hpp"
#include "medlar/models/kernel/kernel_part.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/prepare/priors.hpp"

namespace medlar {

namespace {

void require_every_label(std::span<const Index> y, const ClassLabels& classes, const Settings& settings) {
  for (Index k = 0; k < classes.classes(); ++k) {
    if (std::find(y.begin(), y.end(), k) != y.end()) continue;
    throw DataError(fmt::format("no example of the label '{}' counts{}; add examples of it, or leave it out",
                                classes.labels[at(k)],
                                settings.bias == BiasKind::flat ? ", so that its flat bias would be unbounded" : ""));
  }
}

}  // namespace

Model fit_kernel_classes(const Dataset& data, const Settings& resolved, Observer* observer) {
  Model model;
  Settings& settings = model.settings = resolved;
  model.task = settings.task;
  const ClassLabels classes = class_labels(data, settings);
  const Examples examples = counted_examples(data, resolve_weights(data, settings, classes));
  const std::vector<Index> y = at(classes.y, examples.rows);
  require_every_label(y, classes, settings);
  Prepared prepared = prepare(data, examples, settings);
  const bool precomputed = settings.kernel == KernelKind::precomputed;
  if (!settings.gamma) settings.gamma = 1 / static_cast<double>(prepared.x.columns());
  resolve_classification_scale(settings, prepared.x);
  if (precomputed) prepared.x = selected_gram(data.x, examples.rows);
  const Kernel kernel = kernel_of(settings);
  const bool joint = settings.multiclass == Multiclass::joint;

  const KernelClasses given{classes, y, examples.weights, prepared.x, kernel, settings};
  KernelClassFit fit = joint ? fit_jointly(given, observer) : fit_two_by_two(given, observer);
  const auto count = y.size();
  std::vector<Index> support;
  for (std::size_t t = 0; t < count; ++t) {
    double largest = 0;
    for (std::size_t s = 0; s < fit.bias.size(); ++s) largest = std::max(largest, std::abs(fit.beta[s * count + t]));
    if (largest == 0) continue;
    support.push_back(static_cast<Index>(t));
    model.support.push_back(examples.rows[t]);
    model.multipliers.push_back(largest);
  }
  KernelPart part = kept_vectors(prepared.x, kernel, support);
  for (std::size_t s = 0; s < fit.bias.size(); ++s) {
    for (const Index t : support) part.weights.push_back(*settings.prior_variance * fit.beta[s * count + at(t)]);
  }
  (joint ? part.class_bias : part.pair_bias) = std::move(fit.bias);
  part.mean_diagonal = fit.mean_diagonal;
  if (precomputed) part.columns = data.features();
  model.kernel = std::move(part);
  model.labels = classes.labels;
  model.schema = data.schema;
  model.schema.features = data.features();
  model.transforms = std::move(prepared.transforms);
  const BiasPrior bias = bias_prior(settings);
  model.bias_sd = bias.kind == BiasPrior::Kind::gaussian ? std::sqrt(bias.variance) : 0;
  model.examples = data.examples();
  model.report = std::move(fit.report);
  return model;
}

}  // namespace medlar
