// The kernel model: L(x) = a Gaussian process with covariance v k(x, x'), and a bias; no switches.   [MED 2.3, 3.1]
#include <fmt/format.h>

#include <cmath>

#include "medlar/error.hpp"
#include "medlar/kernels/gram.hpp"
#include "medlar/models/kernel/kernel_checks.hpp"
#include "medlar/models/kernel/kernel_part.hpp"
#include "medlar/models/kernel/solve_kernel.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/options/unused_options.hpp"
#include "medlar/prepare/labels.hpp"
#include "medlar/prepare/prepare.hpp"
#include "medlar/prepare/priors.hpp"

namespace medlar {

Model fit_kernel(const Dataset& data, const Settings& asked, Observer* observer) {
  Model model;
  Settings& settings = model.settings = asked;
  settings.task = model.task = resolve_task(data, asked);
  resolve_margin_and_bias(settings);
  refuse_other_tasks(settings);
  require_kernel_settings(settings);
  const bool precomputed = settings.kernel == KernelKind::precomputed;
  if (precomputed) require_gram(data);

  BinaryLabels binary;
  const bool classify = model.task == Task::classify;
  if (classify && class_labels(data, settings).classes() > 2) return fit_kernel_classes(data, settings, observer);
  refuse_unused(settings, {"multiclass"}, classify ? "a classifier of two labels" : "a regression");
  if (classify) binary = binary_labels(data, settings);
  const Examples examples = counted_examples(data, resolve_weights(data, settings, classify ? &binary : nullptr));
  Prepared prepared = prepare(data, examples, settings);
  if (precomputed) prepared.x = selected_gram(data.x, examples.rows);
  if (!settings.gamma) settings.gamma = 1 / static_cast<double>(prepared.x.columns());

  Constraints constraints;
  double centre = 0;
  if (classify) {
    resolve_classification_scale(settings, prepared.x);
    const std::vector<int> y = at(binary.y, examples.rows);
    require_both_classes(y, settings, binary, data.target);
    constraints = classification_constraints(prepared.x, y, examples.weights);
    model.labels = binary.labels;
  } else {
    std::vector<double> y = at(real_targets(data), examples.rows);
    const Moments moments = weighted_moments(y, examples.weights);
    resolve_regression_scale(settings, prepared.x, moments.sd);
    if (settings.bias == BiasKind::flat) centre = moments.mean;  // a flat bias takes it up
    for (double& value : y) value -= centre;
    constraints = regression_constraints(prepared.x, y, examples.weights);
  }

  const Kernel kernel = kernel_of(settings);
  Gram gram(kernel, prepared.x, settings.threads, gram_storage(settings));
  require_convex(kernel, gram, settings);
  const BiasPrior bias = bias_prior(settings);
  const GaussianPartition prior(prepared.x.columns(), *settings.prior_variance);
  const Limits limits = limits_of(settings);
  const KernelSolution solution = solve_kernel_surely(margin_prior(settings), prior, constraints, bias, kernel,
                                                      prepared.x, gram, settings, limits, observer);

  model.schema = data.schema;
  model.schema.features = data.features();
  model.transforms = std::move(prepared.transforms);
  std::vector<Index> support;
  for (std::size_t t = 0; t < solution.beta.size(); ++t) {
    if (solution.beta[t] == 0) continue;
    support.push_back(static_cast<Index>(t));
    model.support.push_back(examples.rows[t]);
    model.multipliers.push_back(solution.beta[t]);
  }
  model.kernel = kept_vectors(prepared.x, kernel, support);
  for (const double beta : model.multipliers) model.kernel->weights.push_back(*settings.prior_variance * beta);
  model.kernel->mean_diagonal = mean_diagonal(gram);
  if (precomputed) model.kernel->columns = data.features();
  model.bias = solution.bias + centre;
  model.bias_sd = bias.kind == BiasPrior::Kind::gaussian ? std::sqrt(bias.variance) : 0;
  model.examples = data.examples();
  model.report = solution.report;
  return model;
}

}  // namespace medlar
