#include "medlar/models/latent/variables/labels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "medlar/problem/constraints.hpp"

namespace medlar {
namespace {

bool any_unlabelled(const LabelProblem& problem) {
  return std::count(problem.unlabelled.begin(), problem.unlabelled.end(), true) > 0;
}

// The mean of the unlabelled examples or, if every example has a label, of the uncertain ones.
std::vector<double> open_mean(const LabelProblem& problem) {
  std::vector<double> share(problem.belief.size(), 0.0);
  const bool any = any_unlabelled(problem);
  double total = 0;
  for (std::size_t t = 0; t < share.size(); ++t) {
    const bool open = any ? problem.unlabelled[t] : problem.belief[t] > 0 && problem.belief[t] < 1;
    if (open) share[t] = problem.weight[t], total += problem.weight[t];
  }
  for (double& each : share) each /= total;
  return statistics(*problem.x, share);
}

std::vector<double> with_unlabelled(const LabelProblem& problem, double weight) {
  std::vector<double> weights = problem.weight;
  for (std::size_t t = 0; t < weights.size(); ++t) {
    if (problem.unlabelled[t]) weights[t] *= weight;
  }
  return weights;
}

// 0.001, 0.003, 0.01, ... up to `last`.
std::vector<double> growing_weights(double last) {
  std::vector<double> weights;
  for (double decade = 1e-3; decade < last; decade *= 10) {
    weights.push_back(decade);
    if (3 * decade < last) weights.push_back(3 * decade);
  }
  weights.push_back(last);
  return weights;
}

LatentPoint anchored(const LabelProblem& problem, const LabelPlan& plan, LabelTerms& terms, LatentDrive& drive) {
  LatentPoint point = drive.origin(plan.positive_share ? 2 * *plan.positive_share - 1 : plan.start_bias);
  const bool any = any_unlabelled(problem);
  std::vector<double> weights{1.0};
  if (!plan.start.empty()) {
    point.v = plan.start;
    weights = {plan.unlabelled_weight};
  } else {
    terms.weight = with_unlabelled(problem, 0);
    if (!drive.stopped()) point = drive.descend(terms.frozen_prior(), std::move(point), "labels as believed", false);
    if (any) weights = growing_weights(plan.unlabelled_weight);
  }
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const bool last = k + 1 == weights.size() || drive.stopped();
    terms.weight = with_unlabelled(problem, weights[k]);
    point =
        drive.descend(terms, std::move(point), any ? fmt::format("unlabelled weight {}", weights[k]) : "beliefs", last);
    if (last) break;
  }
  return point;
}

LatentPoint literal(const LabelTerms& terms, LatentDrive& drive) {
  const auto freeze = [&](std::span<const double> w, double b) -> std::unique_ptr<Terms> {
    return std::make_unique<FrozenTerms>(terms.frozen(w, b));
  };
  return drive.alternate(std::make_unique<FrozenTerms>(terms.frozen_prior()), freeze, drive.origin(0));
}

}  // namespace

LabelSolution fit_labels(const LabelProblem& problem, const LabelPlan& plan, const Limits& limits, Observer* observer) {
  LabelTerms terms;
  terms.rows.x = *problem.x;
  terms.psi = problem.psi;
  terms.belief = problem.belief;
  terms.weight = problem.weight;
  BiasPrior bias = problem.bias;
  if (plan.positive_share) {
    terms.rows.centre = open_mean(problem);
    bias = {BiasPrior::Kind::none, 0};  // it stays at 2 r - 1
  }
  LatentDrive drive(*problem.prior, bias, limits, observer);
  LatentPoint point = plan.literal ? literal(terms, drive) : anchored(problem, plan, terms, drive);
  LabelSolution solution;
  solution.bias = terms.rows.uncentred_bias(point.w, point.bias);
  solution.multipliers = plan.literal ? terms.at(point.w, point.bias).multipliers : point.terms.multipliers;
  solution.latent = std::move(drive).finished(std::move(point));
  solution.latent.report.solver = plan.literal ? "alternation, each round by L-BFGS" : "L-BFGS on the total KL";
  solution.latent.report.why = plan.literal ? "latent-mode = literal" : "latent-mode = anchored";
  return solution;
}

}  // namespace medlar
