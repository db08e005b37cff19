// Several classes by a kernel: each two of them are told apart by a model of their own, as LIBSVM does. The certificate
// is of the sum over pairs: J and F add up, and so do their gaps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/model/kernel_checks.hpp"
#include "medlar/model/kernel_part.hpp"
#include "medlar/model/kinds.hpp"
#include "medlar/model/labels.hpp"
#include "medlar/model/prepare.hpp"
#include "medlar/model/priors.hpp"
#include "medlar/model/rows.hpp"
#include "medlar/model/solve_kernel.hpp"
#include "medlar/numerics/at.hpp"

namespace medlar {

namespace {

// The report of all pairs so far and of the next.
void add_report(Report& sum, const Report& next) {
  for (TracePoint point : next.trace) {
    point.iteration += sum.iterations;
    point.passes += sum.passes;
    point.seconds += sum.seconds;
    point.objective += sum.objective;
    point.primal += sum.primal;
    point.relative_gap = std::max(0.0, point.primal - point.objective) / std::max(point.primal, 1e-10);
    sum.trace.push_back(point);
  }
  sum.iterations += next.iterations;
  sum.passes += next.passes;
  sum.seconds += next.seconds;
  sum.objective += next.objective;
  sum.primal += next.primal;
  sum.gap += next.gap;
  sum.solver = next.solver;
  sum.tolerance = next.tolerance;
  if (next.status != Status::converged) {
    sum.status = next.status;
    sum.message = next.message;
  }
}

void require_every_label(std::span<const Index> y, const ClassLabels& classes, const Settings& settings) {
  for (Index k = 0; k < classes.classes(); ++k) {
    if (std::find(y.begin(), y.end(), k) != y.end()) continue;
    throw DataError(fmt::format("no example of the label '{}' counts{}; add examples of it, or leave it out",
                                classes.labels[at(k)],
                                settings.bias == "flat" ? ", so that its flat bias would be unbounded" : ""));
  }
}

}  // namespace

Model fit_kernel_pairs(const Dataset& data, const Settings& resolved, Observer* observer) {
  Model model;
  Settings& settings = model.settings = resolved;
  model.task = settings.task;
  const ClassLabels classes = class_labels(data, settings);
  const Examples examples = counted_examples(data, resolve_weights(data, settings, classes));
  const std::vector<Index> y = at(classes.y, examples.rows);
  require_every_label(y, classes, settings);
  Prepared prepared = prepare(data, examples, settings);
  const bool precomputed = settings.kernel == "precomputed";
  if (!settings.gamma) settings.gamma = 1 / static_cast<double>(prepared.x.columns());
  resolve_classification_scale(settings, prepared.x);
  const Kernel kernel = kernel_of(settings);
  const BiasPrior bias = bias_prior(settings);
  const GaussianPartition prior(prepared.x.columns(), *settings.prior_variance);

  const auto count = y.size(), K = at(classes.classes());
  std::vector<double> beta, biases;  // beta of every example, pair by pair
  Report& report = model.report;
  report.status = Status::converged;
  double diagonal = 0;
  for (std::size_t a = 0; a < K; ++a) {
    for (std::size_t b = a + 1; b < K; ++b) {
      std::vector<Index> own;
      std::vector<int> side;
      std::vector<double> weights;
      for (std::size_t t = 0; t < count; ++t) {
        if (at(y[t]) != a && at(y[t]) != b) continue;
        own.push_back(static_cast<Index>(t));
        side.push_back(at(y[t]) == a ? 1 : -1);
        if (!examples.weights.empty()) weights.push_back(examples.weights[t]);
      }
      const Matrix x = precomputed ? selected_gram(data.x, at(examples.rows, own)) : select_rows(prepared.x, own);
      Gram gram(kernel, x, settings.threads);
      require_convex(kernel, gram, settings);
      const Limits limits{settings.tolerance, std::max<Index>(1, settings.max_passes - report.passes),
                          std::max(0.0, settings.max_seconds - report.seconds),
                          static_cast<std::uint64_t>(settings.seed)};
      const KernelSolution solution =
          solve_kernel(margin_prior(settings), prior, classification_constraints(x, side, weights), bias, gram,
                       settings, limits, observer);
      add_report(report, solution.report);
      if (report.status == Status::interrupted) {
        report.message += fmt::format("; at the pair of '{}' and '{}'", classes.labels[a], classes.labels[b]);
      }
      beta.resize(beta.size() + count, 0.0);
      for (std::size_t s = 0; s < own.size(); ++s) beta[beta.size() - count + at(own[s])] = solution.beta[s];
      biases.push_back(solution.bias);
      diagonal += mean_diagonal(gram);
    }
  }
  report.relative_gap = report.gap / std::max(report.primal, 1e-10);
  report.why = fmt::format("{} pairs of {} classes, {} examples", biases.size(), K, count);
  if (report.status == Status::converged) {
    report.message = fmt::format("converged: relative gap {:.1e} <= {:.1e} over {} pairs of classes",
                                 report.relative_gap, settings.tolerance, biases.size());
  }

  std::vector<Index> support;
  for (std::size_t t = 0; t < count; ++t) {
    double largest = 0;
    for (std::size_t p = 0; p < biases.size(); ++p) largest = std::max(largest, std::abs(beta[p * count + t]));
    if (largest == 0) continue;
    support.push_back(static_cast<Index>(t));
    model.support.push_back(examples.rows[t]);
    model.multipliers.push_back(largest);
  }
  KernelPart part = kept_vectors(prepared.x, kernel, support);
  for (std::size_t p = 0; p < biases.size(); ++p) {
    for (const Index t : support) part.weights.push_back(*settings.prior_variance * beta[p * count + at(t)]);
  }
  part.pair_bias = std::move(biases);
  part.mean_diagonal = diagonal / static_cast<double>(part.pair_bias.size());
  if (precomputed) part.columns = data.features();
  model.kernel = std::move(part);
  model.labels = classes.labels;
  model.schema = data.schema;
  model.schema.features = data.features();
  model.transforms = std::move(prepared.transforms);
  model.bias_sd = bias.kind == BiasPrior::Kind::gaussian ? std::sqrt(bias.variance) : 0;
  model.examples = data.examples();
  return model;
}

}  // namespace medlar
