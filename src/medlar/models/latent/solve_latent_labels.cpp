// The fit of latent labels (models/latent/variables/labels.hpp) for the examples that a model keeps. With more than two
// classes each is fitted against all others (latent_problems.hpp), with its own beliefs and balance.
#include <fmt/format.h>

#include <algorithm>

#include "medlar/error.hpp"
#include "medlar/models/latent/latent_labels.hpp"
#include "medlar/models/latent/latent_problems.hpp"
#include "medlar/models/latent/variables/labels.hpp"
#include "medlar/options/option_text.hpp"
#include "medlar/options/unused_options.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/prepare.hpp"

namespace medlar {
namespace {

bool wants_balance(const LatentPart& part, const Settings& settings, std::size_t classes) {
  const bool given = settings.balance != BalanceKind::automatic && settings.balance != BalanceKind::none;
  if (settings.latent_mode == LatentMode::literal)
    refuse_unused(settings, {"unlabelled-weight"}, "latent-mode = literal");
  if (part.unlabelled.empty()) {
    refuse_unused(settings, {"unlabelled-weight"}, "a fit in which every example has a label");
  }
  const bool open = std::any_of(part.belief.begin(), part.belief.end(), [](double p) { return p > 0 && p < 1; });
  if (!open || settings.latent_mode == LatentMode::literal) {
    if (!given) return false;
    throw OptionError(fmt::format(
        "balance = {}, but {}; leave it at auto", settings.balance,
        open ? "latent-mode = literal has no balance constraint" : "every example has a label that is certain"));
  }
  if (settings.balance == BalanceKind::none) return false;
  if (settings.bias != BiasKind::flat && !given && part.unlabelled.empty())
    return false;  // such a bias does not run away
  if (settings.bias != BiasKind::flat) {
    throw OptionError(fmt::format(
        "bias = {}, but the balance constraint sets the bias; use --bias flat or --balance none", settings.bias));
  }
  if (given && classes > 2) {
    throw OptionError(fmt::format("balance = {} is the share of one class, but there are {}; use auto or none",
                                  settings.balance, classes));
  }
  return true;
}

// The share of the labelled examples that each problem takes as positive, one example of each class added.
std::vector<double> shares(const LatentPart& part, const Settings& settings, std::size_t classes) {
  if (classes == 2 && settings.balance != BalanceKind::automatic) return {settings.balance.argument.value};
  const std::size_t problems = classes == 2 ? 1 : classes;
  std::vector<bool> labelled(part.weight.size(), true);
  for (const Index t : part.unlabelled) labelled[static_cast<std::size_t>(t)] = false;
  std::vector<double> share(problems, 1.0);
  double all = static_cast<double>(classes);
  for (std::size_t t = 0; t < labelled.size(); ++t) {
    if (!labelled[t]) continue;
    ++all;
    const auto own = part.belief.begin() + static_cast<std::ptrdiff_t>(t * problems);
    if (problems == 1) {
      share[0] += *own > 0.5 ? 1 : 0;
    } else {
      ++share[static_cast<std::size_t>(std::max_element(own, own + static_cast<std::ptrdiff_t>(problems)) - own)];
    }
  }
  for (double& each : share) each /= all;
  return share;
}

}  // namespace

void solve_latent_labels(Model& model, const Matrix& x, const std::vector<std::string>& names, const Grouping& grouping,
                         Observer* observer) {
  LatentPart& part = *model.latent;
  const Settings& settings = model.settings;
  const Margin margin = margin_prior(settings);
  const std::size_t K = model.labels.size(), n = names.size(), examples = part.weight.size();
  LatentProblems problems(model, names, grouping, examples);
  part.share = wants_balance(part, settings, K) ? shares(part, settings, K) : std::vector<double>{};
  std::vector<bool> unlabelled(examples, false);
  for (const Index t : part.unlabelled) unlabelled[static_cast<std::size_t>(t)] = true;
  const bool again = !model.features.empty();  // a fitted model is the start of the next fit
  for (std::size_t k = 0; k < problems.count(); ++k) {
    LabelPlan plan;
    plan.literal = settings.latent_mode == LatentMode::literal;
    if (!part.share.empty()) plan.positive_share = part.share[k];
    plan.unlabelled_weight = settings.unlabelled_weight;
    if (again) {
      std::vector<double> w(n);
      for (std::size_t i = 0; i < n; ++i) {
        w[i] = K == 2 ? model.features[i].coefficient : model.multiclass->coefficient[i * K + k];
      }
      plan.start.resize(n);
      plan.start_bias = K == 2 ? model.bias : model.multiclass->class_bias[k];
      std::visit([&](const auto& partition) { partition.from_mean(w, plan.start); }, problems.prior());
    }
    const LabelSolution solution = std::visit(
        [&](const auto& partition) {
          const PriorViewOf prior_view(partition);
          LabelProblem problem{&x, &margin, &prior_view, problems.bias(), {}, part.weight, unlabelled};
          for (std::size_t t = 0; t < examples; ++t) problem.belief.push_back(part.belief[t * problems.count() + k]);
          return fit_labels(problem, plan, problems.limits(), observer);
        },
        problems.prior());
    problems.add(solution.latent, solution.bias, solution.multipliers);
  }
  std::move(problems).finish(model);
}

}  // namespace medlar
