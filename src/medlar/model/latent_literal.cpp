// See the header.
#include "medlar/model/latent_literal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/latent/drive.hpp"
#include "medlar/model/coefficients.hpp"
#include "medlar/model/prepare.hpp"
#include "medlar/model/unused_options.hpp"

namespace medlar {

KnownLabels known_labels_of(const Dataset& data, Model& model) {
  Settings& settings = model.settings;
  if (!data.beliefs.empty()) {
    throw OptionError(
        fmt::format("latent-mode = literal with latent = {} needs certain labels, but they are only believed; "
                    "use --latent-mode anchored",
                    settings.latent));
  }
  settings.task = model.task = resolve_task(data, settings);
  if (model.task != "classify") {
    throw OptionError(
        fmt::format("task = regress, but latent-mode = literal fits classes; use --latent-mode anchored"));
  }
  resolve_margin(settings);
  check_latent_settings(settings);
  refuse_unused(settings, {"balance", "unlabelled-weight"}, "latent-mode = literal");
  const BinaryLabels binary = binary_labels(data, settings);
  model.labels = binary.labels;
  const Examples examples = counted_examples(data, resolve_weights(data, settings, &binary));
  KnownLabels known{examples.rows, {}, examples.weights};
  const std::vector<int> y = at(binary.y, examples.rows);
  require_both_classes(y, settings, binary);
  known.label.assign(y.begin(), y.end());
  if (known.weight.empty()) known.weight.assign(known.label.size(), 1.0);
  return known;
}

double solve_literal(Model& model, TransformationTerms& terms, const KnownLabels& known,
                     const std::vector<std::string>& names, const Grouping& grouping, Observer* observer) {
  const Settings& settings = model.settings;
  const ParameterPrior prior = parameter_prior(settings, names, grouping);
  const BiasPrior bias = bias_prior(settings);
  const Limits limits{settings.tolerance, settings.max_passes, settings.max_seconds,
                      static_cast<std::uint64_t>(settings.seed)};
  std::vector<double> lambda;
  const LatentSolution solution = std::visit(
      [&](const auto& psi, const auto& partition) {
        const MarginViewOf psi_view(psi);
        const PriorViewOf prior_view(partition);
        terms.psi = &psi_view;
        LatentDrive drive(prior_view, bias, limits, observer);
        const auto freeze = [&](std::span<const double> w, double b) -> std::unique_ptr<Terms> {
          return std::make_unique<FrozenTerms>(terms.frozen(w, b));
        };
        LatentPoint point =
            drive.alternate(std::make_unique<FrozenTerms>(terms.frozen_prior()), freeze, drive.origin(0));
        lambda = terms.lambdas(point.w, point.bias);
        terms.psi = nullptr;
        return std::move(drive).finished(std::move(point));
      },
      margin_prior(settings), prior);
  model.features = fitted_features(prior, solution.point.v, solution.point.w, names, grouping);
  if (std::holds_alternative<GroupPartition>(prior)) model.group_names = grouping.names;
  model.bias = solution.point.bias;
  model.bias_sd = bias.kind == BiasPrior::Kind::gaussian ? std::sqrt(bias.variance) : 0;
  std::vector<double> positive;
  for (std::size_t t = 0; t < lambda.size(); ++t) {
    if (!(lambda[t] > 0)) continue;
    positive.push_back(lambda[t]);
    model.support.push_back(known.rows[t]);
    model.multipliers.push_back(known.weight[t] * lambda[t] * known.label[t]);
  }
  model.latent->kl = solution.kl;
  model.report = solution.report;
  model.report.solver = "alternation, each round by L-BFGS";
  model.report.why = "latent-mode = literal";
  if (positive.empty()) return 0;
  std::nth_element(positive.begin(), positive.begin() + std::ssize(positive) / 2, positive.end());
  return positive[positive.size() / 2];
}

}  // namespace medlar
