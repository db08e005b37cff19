#include "medlar/models/latent/latent_literal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "medlar/error.hpp"
#include "medlar/models/latent/latent_problems.hpp"
#include "medlar/models/latent/variables/drive.hpp"
#include "medlar/options/unused_options.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/prepare.hpp"

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
  if (model.task != Task::classify) {
    throw OptionError(
        fmt::format("task = regress, but latent-mode = literal fits classes; use --latent-mode anchored"));
  }
  resolve_margin_and_bias(settings);
  check_latent_settings(settings);
  refuse_unused(settings, {"balance", "unlabelled-weight"}, "latent-mode = literal");
  const ClassLabels classes = class_labels(data, settings);
  model.labels = classes.labels;
  const Examples examples = counted_examples(data, resolve_weights(data, settings, classes));
  KnownLabels known{examples.rows, at(classes.y, examples.rows), examples.weights};
  require_each_class(known.y, settings, classes);
  if (known.weight.empty()) known.weight.assign(known.y.size(), 1.0);
  return known;
}

namespace {

// +1 in the class of the problem, -1 in the others.
std::vector<double> signs_of(const KnownLabels& known, std::size_t positive) {
  std::vector<double> label;
  for (const Index y : known.y) label.push_back(static_cast<std::size_t>(y) == positive ? 1.0 : -1.0);
  return label;
}

// The median of those that are not 0.
double typical_multiplier(std::vector<double> lambda) {
  std::erase_if(lambda, [](double each) { return !(each > 0); });
  if (lambda.empty()) return 0;
  std::nth_element(lambda.begin(), lambda.begin() + std::ssize(lambda) / 2, lambda.end());
  return lambda[lambda.size() / 2];
}

}  // namespace

std::vector<double> solve_literal(Model& model, TransformationTerms& terms, const KnownLabels& known,
                                  const std::vector<std::string>& names, const Grouping& grouping, Observer* observer) {
  terms.weight = known.weight;
  LatentProblems problems(model, names, grouping, known.y.size());
  const Margin margin = margin_prior(model.settings);
  std::vector<double> typical_lambda;
  for (std::size_t k = 0; k < problems.count(); ++k) {
    terms.label = signs_of(known, problems.count() == 1 ? 1 : k);
    std::vector<double> lambda;
    LatentSolution solution = std::visit(
        [&](const auto& partition) {
          const PriorViewOf prior_view(partition);
          terms.psi = &margin;
          LatentDrive drive(prior_view, problems.bias(), problems.limits(), observer);
          const auto freeze = [&](std::span<const double> w, double b) -> std::unique_ptr<Terms> {
            return std::make_unique<FrozenTerms>(terms.frozen(w, b));
          };
          LatentPoint point =
              drive.alternate(std::make_unique<FrozenTerms>(terms.frozen_prior()), freeze, drive.origin(0));
          lambda = terms.lambdas(point.w, point.bias);
          terms.psi = nullptr;
          return std::move(drive).finished(std::move(point));
        },
        problems.prior());
    solution.report.solver = "alternation, each round by L-BFGS";
    solution.report.why = "latent-mode = literal";
    typical_lambda.push_back(typical_multiplier(lambda));
    for (std::size_t t = 0; t < lambda.size(); ++t) lambda[t] *= known.weight[t] * terms.label[t];
    problems.add(solution, solution.point.bias, lambda);
  }
  std::move(problems).finish(model);
  for (Index& t : model.support) t = known.rows[static_cast<std::size_t>(t)];
  return typical_lambda;
}

}  // namespace medlar
