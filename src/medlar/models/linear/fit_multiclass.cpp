// The linear model of K > 2 classes, fitted jointly (docs/theory.md#several-classes): L_k(x) = theta_k . x + b_k, a
// constraint for each example and rival class, one switch for a feature in all classes.
#include <fmt/format.h>

#include <algorithm>

#include "medlar/error.hpp"
#include "medlar/models/linear/linear_fit.hpp"
#include "medlar/models/linear/solve_multiclass.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/thresholds/kinked.hpp"

namespace medlar {

namespace {

class SeveralClassesFit : public LinearFit {
 public:
  SeveralClassesFit(const Dataset& data, const Settings& asked) : LinearFit(data, asked) {
    if (settings_.solver != SolverKind::automatic && settings_.solver != SolverKind::ascent &&
        settings_.solver != SolverKind::newton && settings_.solver != SolverKind::primal_newton) {
      throw OptionError(fmt::format(
          "solver = {} tells two classes apart; for more use auto, ascent, primal-newton or newton", settings_.solver));
    }
    const ClassLabels classes = class_labels(data, settings_);
    labels_ = classes.labels;
    take_examples(resolve_weights(data, settings_, classes));
    resolve_classification_scale(settings_, prepared_.x);
    y_ = at(classes.y, examples_.rows);
    require_each_class(y_, settings_, classes);
    constraints_ = rival_constraints(y_, classes.classes(), examples_.weights);
  }

  std::vector<double> multipliers(const Solution& solution) const override {
    std::vector<double> sums(y_.size(), 0.0);
    for (std::size_t c = 0; c < constraints_.count(); ++c) sums[at(constraints_.example[c])] += solution.dual.lambda[c];
    return sums;
  }

 private:
  ParameterPrior prior(const Settings& settings) const override {
    const auto n = static_cast<Index>(prepared_.names.size()), classes = static_cast<Index>(labels_.size());
    if (!settings.prior_mean.empty()) {
      throw OptionError(
          "prior-mean gives one mean to a feature, but here it has a coefficient in each of several "
          "classes; leave it out");
    }
    const ParameterPrior single = LinearFit::prior(settings);
    if (std::holds_alternative<GaussianPartition>(single))
      return GaussianPartition(classes * n, *settings.prior_variance);
    std::vector<Index> one(at(n));
    std::vector<double> p;
    if (const auto* switches = std::get_if<SwitchPartition>(&single)) {
      for (Index i = 0; i < n; ++i) one[at(i)] = i;
      p.assign(switches->prior_inclusion().begin(), switches->prior_inclusion().end());
    } else {
      const auto& groups = std::get<GroupPartition>(single);
      one.assign(groups.group_of().begin(), groups.group_of().end());
      p.assign(groups.prior_inclusion().begin(), groups.prior_inclusion().end());
    }
    std::vector<Index> group_of;
    for (Index k = 0; k < classes; ++k) group_of.insert(group_of.end(), one.begin(), one.end());
    return GroupPartition(std::move(group_of), std::move(p), *settings.prior_variance);
  }

  Solution solve_rows(const ParameterPrior& prior, const Matrix& x, std::span<const double> known,
                      const Settings& settings, Observer* observer, const Neighbour* from) const override {
    const StatisticRows rows(x, {}, {});
    ClassConstraints constraints = beside_known_scores(constraints_, known, y_.size());
    constraints.rows = &rows;
    Solution found = solve_multiclass(prior, constraints, settings, observer, from);
    found.report.why =
        fmt::format("{} classes, {} examples, {} features", labels_.size(), y_.size(), prepared_.names.size());
    return found;
  }

  FlatSolution solve_flat(const ParameterPrior& prior, const FlatRows& rows, std::vector<double> t,
                          const Settings& settings, Observer* observer, const Neighbour* from) const override {
    const StatisticRows statistics(rows.x, {}, {});
    ClassConstraints constraints = constraints_;
    constraints.rows = &statistics;
    return solve_flat_over(
        constraints, prior, rows, std::move(t), settings, observer, from,
        [&](const Matrix& x, std::span<const double> known, const Settings& inner, Observer* watching,
            const Neighbour* near) { return solve_rows(prior, x, known, inner, watching, near); });
  }

  double loss_of_bias(const Settings& settings) const override {
    return loss_of_bias_over(constraints_, settings, y_.size());
  }

  double score_unit(const Settings& settings) const override { return settings.margin_location.value_or(1); }

  // A c so large that a solve from nothing gets stuck is reached from smaller ones.
  std::vector<Settings> steps_to(const Settings& settings) const override {
    if (settings.margin == MarginKind::own || *settings.c <= kSoftC) return {};
    std::vector<Settings> steps;
    for (double c = kSoftC / 2; c < *settings.c; c *= 2) {
      steps.push_back(settings);
      steps.back().c = c;
    }
    steps.push_back(settings);
    return steps;
  }

  double error(std::size_t t, const PrimalPoint& point) const override {
    const auto score = [&](std::size_t k) { return point.f[k * y_.size() + t] + point.bias[k]; };
    std::size_t best = 0;
    for (std::size_t k = 1; k < labels_.size(); ++k) best = score(k) > score(best) ? k : best;
    return best == at(y_[t]) ? 0 : 1;
  }

  std::vector<Index> y_;
  ClassConstraints constraints_;  // without their rows
};

}  // namespace

std::unique_ptr<LinearFit> several_classes_fit(const Dataset& data, const Settings& asked) {
  return std::make_unique<SeveralClassesFit>(data, asked);
}

}  // namespace medlar
