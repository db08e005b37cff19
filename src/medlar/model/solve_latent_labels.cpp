// The fit of latent labels (latent/labels.hpp) for the examples that a model keeps. Two classes are one problem. More
// are one problem for each class against all others, with beliefs, balance and bias of its own: J, F, the gap and the
// total KL divergence are then sums over the classes, and the certificate of the sum is the sum of the certificates.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/latent/labels.hpp"
#include "medlar/model/coefficients.hpp"
#include "medlar/model/latent_labels.hpp"
#include "medlar/model/option_text.hpp"
#include "medlar/model/prepare.hpp"
#include "medlar/model/unused_options.hpp"

namespace medlar {
namespace {

bool wants_balance(const LatentPart& part, const Settings& settings, std::size_t classes) {
  const bool given = settings.balance != "auto" && settings.balance != "none";
  if (settings.latent_mode == "literal") refuse_unused(settings, {"unlabelled-weight"}, "latent-mode = literal");
  if (part.unlabelled.empty()) {
    refuse_unused(settings, {"unlabelled-weight"}, "a fit in which every example has a label");
  }
  const bool open = std::any_of(part.belief.begin(), part.belief.end(), [](double p) { return p > 0 && p < 1; });
  if (!open || settings.latent_mode == "literal") {
    if (!given) return false;
    throw OptionError(fmt::format(
        "balance = {}, but {}; leave it at auto", settings.balance,
        open ? "latent-mode = literal has no balance constraint" : "every example has a label that is certain"));
  }
  if (settings.balance == "none") return false;
  if (settings.bias != "flat" && !given && part.unlabelled.empty()) return false;  // such a bias does not run away
  if (settings.bias != "flat") {
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
  if (classes == 2 && settings.balance != "auto") return {*number_in(settings.balance)};
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

// Adds one class's report to those before it.
void add(Report& sum, const Report& more) {
  const auto worse = [](const Report& a, const Report& b) {
    return static_cast<int>(a.status) < static_cast<int>(b.status);
  };
  if (worse(sum, more)) sum.status = more.status, sum.message = more.message;
  sum.objective += more.objective;
  sum.primal += more.primal;
  sum.gap += more.gap;
  sum.iterations += more.iterations;
  sum.passes += more.passes;
  sum.seconds += more.seconds;
}

// Totals of problems that ran one after the other, as if side by side: each keeps its last total while others go on.
void add(std::vector<double>& sum, const std::vector<double>& more) {
  const double last = sum.empty() ? 0 : sum.back();
  sum.resize(std::max(sum.size(), more.size()), last);
  for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += more[std::min(r, more.size() - 1)];
}

}  // namespace

void solve_latent_labels(Model& model, const Matrix& x, const std::vector<std::string>& names, const Grouping& grouping,
                         Observer* observer) {
  LatentPart& part = *model.latent;
  const Settings& settings = model.settings;
  const MarginPrior margin = margin_prior(settings);
  const ParameterPrior prior = parameter_prior(settings, names, grouping);
  const BiasPrior bias = bias_prior(settings);
  Limits limits{settings.tolerance, settings.max_passes, settings.max_seconds,
                static_cast<std::uint64_t>(settings.seed)};
  const std::size_t K = model.labels.size(), problems = K == 2 ? 1 : K, n = names.size(), examples = part.weight.size();
  part.share = wants_balance(part, settings, K) ? shares(part, settings, K) : std::vector<double>{};
  std::vector<bool> unlabelled(examples, false);
  for (const Index t : part.unlabelled) unlabelled[static_cast<std::size_t>(t)] = true;

  MulticlassPart classes{std::vector<double>(n * K), {}};
  std::vector<Feature> features;
  std::vector<double> multipliers(examples, 0.0);
  part.kl.clear();
  const bool again = !model.features.empty();  // a model that was fitted before is where the fit starts
  for (std::size_t k = 0; k < problems; ++k) {
    LabelPlan plan;
    plan.literal = settings.latent_mode == "literal";
    if (!part.share.empty()) plan.positive_share = part.share[k];
    plan.unlabelled_weight = settings.unlabelled_weight;
    if (again) {
      std::vector<double> w(n);
      for (std::size_t i = 0; i < n; ++i) {
        w[i] = K == 2 ? model.features[i].coefficient : model.multiclass->coefficient[i * K + k];
      }
      plan.start.resize(n);
      plan.start_bias = K == 2 ? model.bias : model.multiclass->class_bias[k];
      std::visit([&](const auto& partition) { partition.from_mean(w, plan.start); }, prior);
    }
    const LabelSolution solution = std::visit(
        [&](const auto& psi, const auto& partition) {
          const MarginViewOf psi_view(psi);
          const PriorViewOf prior_view(partition);
          LabelProblem problem{&x, &psi_view, &prior_view, bias, {}, part.weight, unlabelled};
          for (std::size_t t = 0; t < examples; ++t) problem.belief.push_back(part.belief[t * problems + k]);
          return fit_labels(problem, plan, limits, observer);
        },
        margin, prior);
    const LatentPoint& point = solution.latent.point;
    const std::vector<Feature> fitted = fitted_features(prior, point.v, point.w, names, grouping);
    if (k == 0) {
      features = fitted;
      model.bias = solution.bias;
      model.report = solution.latent.report;
    } else {
      add(model.report, solution.latent.report);
    }
    if (K > 2) {
      classes.class_bias.push_back(solution.bias);
      for (std::size_t i = 0; i < n; ++i) {
        classes.coefficient[i * K + k] = point.w[i];
        features[i].inclusion = std::max(features[i].inclusion, fitted[i].inclusion);
        // While classes are added: the sums of squares, from which a length and a mean are taken at the end.
        features[i].coefficient = (k == 0 ? 0.0 : features[i].coefficient) + point.w[i] * point.w[i];
        features[i].sd = (k == 0 ? 0.0 : features[i].sd) + fitted[i].sd * fitted[i].sd;
      }
    }
    add(part.kl, solution.latent.kl);
    for (std::size_t t = 0; t < examples; ++t) {
      multipliers[t] += K == 2 ? solution.multipliers[t] : std::abs(solution.multipliers[t]);
    }
    limits.max_seconds -= solution.latent.report.seconds;
    limits.max_passes -= solution.latent.report.passes;
    if (model.report.status == Status::interrupted) limits.max_passes = 0;
  }
  if (K > 2) {
    Report& report = model.report;
    report.relative_gap = report.gap / std::max(report.primal, 1e-10);
    report.message =
        report.status == Status::converged
            ? fmt::format("converged: relative gap {:.1e} <= {:.1e} over {} classes", report.relative_gap,
                          report.tolerance, K)
            : fmt::format("{}; over {} classes the relative gap is {:.1e}", report.message, K, report.relative_gap);
    report.why += fmt::format("; {} classes, each against the others", K);
    report.trace = {{report.iterations, report.passes, report.seconds, report.objective, report.primal,
                     report.relative_gap, "each class against the others"}};
    for (Feature& each : features) {
      each.coefficient = std::sqrt(each.coefficient);
      each.sd = std::sqrt(each.sd / static_cast<double>(K));
    }
    model.bias = 0;
    model.multiclass = std::move(classes);
  }
  model.features = std::move(features);
  model.group_names = std::holds_alternative<GroupPartition>(prior) ? grouping.names : std::vector<std::string>{};
  model.bias_sd = bias.kind == BiasPrior::Kind::gaussian ? std::sqrt(bias.variance) : 0;
  model.support.clear();
  model.multipliers.clear();
  for (std::size_t t = 0; t < examples; ++t) {
    if (multipliers[t] == 0) continue;
    model.support.push_back(static_cast<Index>(t));
    model.multipliers.push_back(multipliers[t]);
  }
}

}  // namespace medlar
