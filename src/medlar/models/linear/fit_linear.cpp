// The linear model: L(x) = sum_i theta_i s_i x_i + b under a Gaussian, switch or group prior.   [MED 3.1, 4.1, 5]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/models/kernel/solve_kernel.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/models/linear/coefficients.hpp"
#include "medlar/models/linear/linear_fit.hpp"
#include "medlar/models/linear/multiclass_fit.hpp"
#include "medlar/models/linear/solve_by_paper.hpp"
#include "medlar/models/linear/solver_fits.hpp"
#include "medlar/numerics/sum.hpp"
#include "medlar/options/unused_options.hpp"
#include "medlar/prepare/grouping.hpp"
#include "medlar/solvers/choose.hpp"

namespace medlar {

namespace {

constexpr double kFarFromOne = 1e-6;
constexpr double kFar = 1e4;     // a mean, of the spread of its feature
constexpr Index kLookedAt = 32;  // examples, about
constexpr int kSteps = 8;

// The user's solver, which require_solver() has let pass.
Solution solve_linear(const Settings& settings, const ParameterPrior& prior, const Constraints& constraints,
                      BiasPrior bias, Observer* observer, const Neighbour* from) {
  const Limits limits{settings.tolerance, settings.max_passes, settings.max_seconds,
                      static_cast<std::uint64_t>(settings.seed)};
  if (settings.solver == SolverKind::coordinate || settings.solver == SolverKind::bounded_qp) {
    return solve_by_paper(settings, prior, constraints, bias, limits, observer);
  }
  if (settings.solver == SolverKind::smo) {
    return solve_linear_by_smo(margin_prior(settings), std::get<GaussianPartition>(prior), constraints, bias, settings,
                               limits, observer);
  }
  return std::visit(
      [&](const auto& psi, const auto& partition) {
        return maximise(Problem{psi, partition, constraints, bias}, limits, observer, settings.solver, from);
      },
      margin_prior(settings), prior);
}

}  // namespace

LinearFit::LinearFit(const Dataset& data, const Settings& asked) : data_(data), settings_(asked) {
  settings_.task = resolve_task(data, asked);
  resolve_margin_and_bias(settings_);
  refuse_other_tasks(settings_);
  require_no_kernel(settings_);
  BinaryLabels binary;
  const bool classify = settings_.task == Task::classify;
  if (classify) binary = binary_labels(data, settings_);
  examples_ = counted_examples(data, resolve_weights(data, settings_, classify ? &binary : nullptr));
  prepared_ = prepare(data, examples_, settings_);
  grouping_ = grouping_of(data, settings_, prepared_.names);
  leave_empty_columns();
  if (classify) {
    resolve_classification_scale(settings_, prepared_.x);
    const std::vector<int> y = at(binary.y, examples_.rows);
    require_both_classes(y, settings_, binary, data.target);
    shift_features();
    constraints_ = classification_constraints(rows(), y, examples_.weights);
    labels_ = binary.labels;
    target_.assign(y.begin(), y.end());
  } else {
    std::vector<double> y = at(real_targets(data), examples_.rows);
    const Moments moments = weighted_moments(y, examples_.weights);
    resolve_regression_scale(settings_, prepared_.x, moments.sd);
    // Under a flat bias the fit does not change when y is shifted; numbers near 0 keep more digits.
    if (settings_.bias == BiasKind::flat) centre_ = moments.mean;
    for (double& value : y) value -= centre_;
    shift_features();
    constraints_ = regression_constraints(rows(), y, examples_.weights);
    target_ = std::move(y);
  }
}

// Where all features have one prior, those whose columns are empty have it still after the fit.
void LinearFit::leave_empty_columns() {
  if (settings_.feature_p0.empty() && settings_.prior_mean.empty() && grouping_.names.empty()) {
    filled_ = filled_columns(prepared_.x);
  }
}

ParameterPrior LinearFit::prior_of_all(const Settings& settings) const {
  return parameter_prior(settings, prepared_.names, grouping_);
}

ParameterPrior LinearFit::prior(const Settings& settings) const {
  if (!filled_) return prior_of_all(settings);
  return parameter_prior(settings, std::span(prepared_.names).first(filled_->columns.size()), grouping_);
}

// Nor does it change when features are: dense ones whose values lie far from 0, and near each other, lose the digits in
// which they differ.
void LinearFit::shift_features() {
  const Matrix& x = prepared_.x;
  if (settings_.bias != BiasKind::flat || x.is_sparse() || x.rows() == 0) return;
  const auto n = static_cast<std::size_t>(x.columns());
  std::vector<double> mean(n, 0.0), spread(n, 0.0);
  const Index stride = 1 + x.rows() / kLookedAt;
  double count = 0;
  for (Index t = 0; t < x.rows(); t += stride) {
    ++count;
    for_each(x.row(t), [&](Index i, double value) {
      const auto at = static_cast<std::size_t>(i);
      const double off = value - mean[at];
      mean[at] += off / count;
      spread[at] += off * (value - mean[at]);
    });
  }
  bool far = false;
  for (std::size_t i = 0; i < n; ++i)
    far = far || (spread[i] > 0 && std::abs(mean[i]) > kFar * std::sqrt(spread[i] / count));
  if (!far) return;
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(x.stored()));
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) { values.push_back(value - mean[static_cast<std::size_t>(i)]); });
  }
  prepared_.x = x.with_values(std::move(values));
  shift_ = std::move(mean);
}

double LinearFit::dot_of_shift(std::span<const double> w) const {
  CompensatedSum sum;
  for (std::size_t i = 0; i < shift_.size(); ++i) sum.add(w[i] * shift_[i]);
  return sum.value();
}

Solution LinearFit::solve(const Settings& settings, Observer* observer, const Neighbour* from) const {
  const ParameterPrior parameters = prior(settings);
  require_solver(settings, parameters);
  Solution solution = solve_linear(settings, parameters, constraints_, bias_prior(settings), observer, from);
  const bool stuck = solution.report.status == Status::stalled || solution.report.status == Status::almost;
  if (!stuck || from != nullptr || settings.solver != SolverKind::automatic || settings.p0 >= kFarFromOne)
    return solution;
  return solve_by_steps(settings, std::move(solution), observer);
}

// A p0 so small that a solve from nothing stalls is reached from larger ones: p0^(1/8), p0^(2/8), ...   (theory 11)
Solution LinearFit::solve_by_steps(const Settings& settings, Solution stalled, Observer* observer) const {
  Settings step = settings;
  Neighbour from;
  Index passes = stalled.report.passes, iterations = stalled.report.iterations;
  double seconds = stalled.report.seconds;
  for (int k = 1; k <= kSteps; ++k) {
    step.p0 = k == kSteps ? settings.p0 : std::pow(settings.p0, static_cast<double>(k) / kSteps);
    step.max_seconds = settings.max_seconds - seconds;
    step.max_passes = std::max<Index>(1, settings.max_passes - passes);
    const ParameterPrior parameters = prior(step);
    Solution solution =
        solve_linear(step, parameters, constraints_, bias_prior(step), observer, k > 1 ? &from : nullptr);
    Report& report = solution.report;
    passes += report.passes;
    iterations += report.iterations;
    seconds += report.seconds;
    const bool ended = report.status == Status::interrupted || report.status == Status::limit;
    if (k == kSteps || ended) {
      const bool better = k == kSteps && report.relative_gap < stalled.report.relative_gap;
      Solution& kept = better ? solution : stalled;
      if (ended && !better) kept.report.status = report.status;
      kept.report.passes = passes;
      kept.report.iterations = iterations;
      kept.report.seconds = seconds;
      if (better) kept.report.why = fmt::format("{}; in {} steps of p0, for at once it stalled", report.why, kSteps);
      return std::move(kept);
    }
    from.dual = std::move(solution.dual);
    from.primal = std::move(solution.primal);
  }
  return stalled;
}

std::vector<double> LinearFit::coefficients(const Solution& solution) const {
  return filled_ ? filled_->among_all(solution.primal.w, 0.0) : solution.primal.w;
}

std::vector<double> LinearFit::v_of_all(const Solution& solution) const {
  return filled_ ? filled_->among_all(solution.primal.v, 0.0) : solution.primal.v;
}

std::vector<Feature> LinearFit::features(const Settings& settings, const Solution& solution) const {
  return fitted_features(prior_of_all(settings), v_of_all(solution), coefficients(solution), prepared_.names,
                         grouping_);
}

std::vector<double> LinearFit::inclusion(const Settings& settings, const Solution& solution) const {
  const std::vector<double> v = v_of_all(solution);
  std::vector<double> inclusion(v.size());
  std::visit([&](const auto& partition) { partition.inclusion(v, inclusion); }, prior_of_all(settings));
  return inclusion;
}

double LinearFit::training_error(const Solution& solution) const {
  const std::vector<double>& f = solution.primal.f;
  const bool classify = settings_.task == Task::classify;
  double sum = 0, total = 0;
  for (std::size_t t = 0; t < target_.size(); ++t) {
    const double score = f[t] + solution.primal.bias, weight = examples_.weights.empty() ? 1 : examples_.weights[t];
    const bool wrong = (score > 0) != (target_[t] > 0);
    sum += weight * (classify ? (wrong ? 1.0 : 0.0) : (score - target_[t]) * (score - target_[t]));
    total += weight;
  }
  return classify ? sum / total : std::sqrt(sum / total);
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
  model.bias = bias(solution);
  const BiasPrior prior = bias_prior(settings);
  model.bias_sd = prior.kind == BiasPrior::Kind::gaussian ? std::sqrt(prior.variance) : 0;
  model.examples = data_.examples();
  for (std::size_t t = 0; t < examples_.rows.size(); ++t) {
    if (solution.dual.beta[t] == 0) continue;
    model.support.push_back(examples_.rows[t]);
    model.multipliers.push_back(solution.dual.beta[t]);
  }
  model.report = solution.report;
  return model;
}

Model fit_linear(const Dataset& data, const Settings& asked, Observer* observer) {
  if (has_several_classes(data, asked)) return fit_multiclass(data, asked, observer);
  const LinearFit linear(data, asked);
  return linear.model(linear.settings(), linear.solve(linear.settings(), observer));
}

}  // namespace medlar
