// From a dataset to a linear model, of one output or several: what is prepared alike, solved by steps where a solve
// from nothing gets stuck, and told of alike.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/models/kinds.hpp"
#include "medlar/models/linear/coefficients.hpp"
#include "medlar/models/linear/one_output_fit.hpp"
#include "medlar/models/linear/solver_fits.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/options/unused_options.hpp"
#include "medlar/prepare/grouping.hpp"
#include "medlar/problem/relay.hpp"

namespace medlar {

LinearFit::LinearFit(const Dataset& data, const Settings& asked) : data_(data), settings_(asked) {
  settings_.task = resolve_task(data, asked);
  resolve_margin_and_bias(settings_);
  refuse_other_tasks(settings_);
  require_no_kernel(settings_);
}

void LinearFit::take_examples(std::span<const double> weights) {
  examples_ = counted_examples(data_, weights);
  prepared_ = prepare(data_, examples_, settings_);
  grouping_ = grouping_of(data_, settings_, prepared_.names);
}

ParameterPrior LinearFit::prior(const Settings& settings) const {
  return parameter_prior(settings, prepared_.names, grouping_, SolverUnits(settings, prepared_.names).unit());
}

// What is too hard from nothing is reached by steps, each from the one before it.
Solution LinearFit::solve(const Settings& settings, Observer* observer, const Neighbour* from) const {
  margin_prior(settings);  // refuses a margin that would teach nothing
  Solution found = solve_at_once(settings, observer, from);
  if (!is_stuck(found.report) || from != nullptr || settings.solver != SolverKind::automatic) return found;
  const std::vector<Settings> steps = steps_to(settings);
  Neighbour before;
  Report spent;
  for (const Settings& step : steps) {
    const Settings rest = what_is_left(what_is_left(step, found.report), spent);
    Solution next = solve_at_once(rest, observer, &step == &steps.front() ? nullptr : &before);
    add_cost(next.report, spent);
    if (&step == &steps.back()) {
      next.report.solver += fmt::format(" in {} steps", steps.size());
      return better_of(std::move(found), std::move(next));
    }
    if (!is_stuck(next.report) && next.report.status != Status::converged) {
      end_like(found.report, next.report);
      return found;
    }
    spent = std::move(next.report);
    before.dual = std::move(next.dual);
    before.primal = std::move(next.primal);
    before.same_margins = same_margins(step, settings);
  }
  return found;
}

std::vector<Feature> LinearFit::features(const Settings& settings, const Solution& solution) const {
  const auto of_all = [&](const std::vector<double>& values) {
    return filled_ ? filled_->among_all(values, 0.0) : values;
  };
  return fitted_features(prior(settings), SolverUnits(settings, prepared_.names), of_all(solution.primal.v),
                         of_all(solution.primal.w), prepared_.names, grouping_);
}

std::optional<MulticlassPart> LinearFit::classes(const Solution& solution) const {
  const std::size_t n = prepared_.names.size(), classes = labels_.size();
  if (classes <= 2) return {};
  MulticlassPart part;
  part.class_bias = solution.primal.bias;
  part.coefficient.resize(n * classes);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < classes; ++k) part.coefficient[i * classes + k] = solution.primal.w[k * n + i];
  }
  return part;
}

double LinearFit::training_error(const Solution& solution) const {
  double sum = 0, total = 0;
  for (std::size_t t = 0; t < examples_.rows.size(); ++t) {
    const double weight = examples_.weights.empty() ? 1 : examples_.weights[t];
    sum += weight * error(t, solution.primal);
    total += weight;
  }
  return settings_.task == Task::regress ? std::sqrt(sum / total) : sum / total;
}

Model LinearFit::model(const Settings& settings, const Solution& solution) const {
  Model model;
  model.task = settings.task;
  model.settings = settings;
  model.labels = labels_;
  model.schema = data_.schema;
  model.schema.features = data_.features();  // also for a dataset that no reader made
  model.transforms = prepared_.transforms;
  model.features = features(settings, solution);
  const bool grouped =
      std::any_of(model.features.begin(), model.features.end(), [](const Feature& f) { return f.group >= 0; });
  if (grouped) model.group_names = grouping_.names;
  model.multiclass = classes(solution);
  model.bias = bias(solution);
  const BiasPrior prior = bias_prior(settings);
  model.bias_sd = prior.kind == BiasPrior::Kind::gaussian ? std::sqrt(prior.variance) : 0;
  model.examples = data_.examples();
  const std::vector<double> lambda = multipliers(solution);
  for (std::size_t t = 0; t < lambda.size(); ++t) {
    if (lambda[t] == 0) continue;
    model.support.push_back(examples_.rows[t]);
    model.multipliers.push_back(lambda[t]);
  }
  model.report = solution.report;
  model.evident = evident(model.features);
  return model;
}

bool has_several_classes(const Dataset& data, const Settings& settings) {
  return resolve_task(data, settings) == Task::classify && class_labels(data, settings).classes() > 2;
}

std::unique_ptr<LinearFit> linear_fit(const Dataset& data, const Settings& asked) {
  if (has_several_classes(data, asked)) return several_classes_fit(data, asked);
  return std::make_unique<OneOutputFit>(data, asked);
}

bool same_margins(const Settings& a, const Settings& b) {
  return a.margin == b.margin && a.own_margin == b.own_margin && a.c == b.c && a.margin_location == b.margin_location &&
         a.epsilon == b.epsilon && a.class_weight == b.class_weight && a.bias == b.bias;
}

std::vector<Index> LinearFit::evident(const std::vector<Feature>& features) const {
  if (standing_) return evident_features(*standing_, features);
  std::vector<std::vector<double>> targets;
  if (settings_.task == Task::regress) {
    targets.push_back(at(data_.target.values, examples_.rows));
  } else {
    const ClassLabels classes = class_labels(data_, settings_);
    const std::size_t first = labels_.size() == 2 ? 1 : 0;  // of two labels one tells all
    for (std::size_t k = first; k < labels_.size(); ++k) {
      std::vector<double>& is_k = targets.emplace_back();
      for (const Index t : examples_.rows) is_k.push_back(classes.y[at(t)] == static_cast<Index>(k) ? 1 : 0);
    }
  }
  standing_ = standing_of(prepared_.x, examples_.weights, targets, settings_.task == Task::regress);
  return evident_features(*standing_, features);
}

Model fit_linear(const Dataset& data, const Settings& asked, Observer* observer) {
  const auto fit = linear_fit(data, asked);
  return fit->model(fit->settings(), fit->solve(fit->settings(), observer));
}

}  // namespace medlar
