// The linear model of one output: L(x) = sum_i theta_i s_i x_i + b under a Gaussian, switch or group prior.
// [MED 3.1, 4.1, 5]
#include <algorithm>
#include <cmath>

#include "medlar/models/kernel/solve_kernel.hpp"
#include "medlar/models/linear/one_output_fit.hpp"
#include "medlar/models/linear/solve_by_paper.hpp"
#include "medlar/models/linear/solver_fits.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/numerics/sum.hpp"
#include "medlar/solvers/choose.hpp"
#include "medlar/thresholds/digits.hpp"

namespace medlar {

namespace {

constexpr double kFarFromOne = 1e-6;
constexpr Index kLookedAt = 32;  // examples, about
constexpr int kSteps = 8;

// The user's solver, which require_solver() has let pass.
Solution solve_linear(const Settings& settings, const ParameterPrior& prior, const Constraints& constraints,
                      BiasPrior bias, Observer* observer, const Neighbour* from) {
  const Limits limits = limits_of(settings);
  if (settings.solver == SolverKind::coordinate || settings.solver == SolverKind::bounded_qp) {
    return solve_by_paper(settings, prior, constraints, bias, limits, observer);
  }
  if (settings.solver == SolverKind::smo) {
    return solve_linear_by_smo(margin_prior(settings), std::get<GaussianPartition>(prior), constraints, bias, settings,
                               limits, observer);
  }
  return std::visit(
      [&](const auto& partition) {
        return maximise(Problem{margin_prior(settings), partition, constraints, bias}, limits, observer,
                        settings.solver, from);
      },
      prior);
}

}  // namespace

OneOutputFit::OneOutputFit(const Dataset& data, const Settings& asked) : LinearFit(data, asked) {
  BinaryLabels binary;
  const bool classify = settings_.task == Task::classify;
  if (classify) binary = binary_labels(data, settings_);
  take_examples(resolve_weights(data, settings_, classify ? &binary : nullptr));
  // Where all features have one prior, those whose columns are empty have it still after the fit.
  if (settings_.feature_p0.empty() && settings_.feature_prior_variance.empty() && settings_.prior_mean.empty() &&
      grouping_.names.empty() && grouping_.kept.empty()) {
    filled_ = filled_columns(prepared_.x);
  }
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

// Under a flat bias the fit does not change when features are shifted. Dense ones whose values lie far from 0, and near
// each other, lose the digits in which they differ.
void OneOutputFit::shift_features() {
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
    far = far || (spread[i] > 0 && is_far_from_zero(mean[i], std::sqrt(spread[i] / count)));
  if (!far) return;
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(x.stored()));
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) { values.push_back(value - mean[static_cast<std::size_t>(i)]); });
  }
  prepared_.x = x.with_values(std::move(values));
  shift_ = std::move(mean);
}

double OneOutputFit::dot_of_shift(std::span<const double> w) const {
  CompensatedSum sum;
  for (std::size_t i = 0; i < shift_.size(); ++i) sum.add(w[i] * shift_[i]);
  return sum.value();
}

Solution OneOutputFit::solve_rows(const ParameterPrior& prior, const Matrix& x, std::span<const double> known,
                                  const Settings& settings, Observer* observer, const Neighbour* from) const {
  require_solver(settings, prior);
  if (constraints_.x == &x && known.empty())
    return solve_linear(settings, prior, constraints_, bias_prior(settings), observer, from);
  const Constraints others = beside_known_scores(constraints_.over(x), known, target_.size());
  return solve_linear(settings, prior, others, bias_prior(settings), observer, from);
}

FlatSolution OneOutputFit::solve_flat(const ParameterPrior& prior, const FlatRows& rows, std::vector<double> t,
                                      const Settings& settings, Observer* observer, const Neighbour* from) const {
  return solve_flat_over(constraints_.over(rows.x), prior, rows, std::move(t), settings, observer, from,
                         [&](const Matrix& x, std::span<const double> known, const Settings& inner, Observer* watching,
                             const Neighbour* near) { return solve_rows(prior, x, known, inner, watching, near); });
}

double OneOutputFit::loss_of_bias(const Settings& settings) const {
  return loss_of_bias_over(constraints_, settings, target_.size());
}

double OneOutputFit::score_unit(const Settings& settings) const {
  if (settings.task == Task::classify) return settings.margin_location.value_or(1);
  const Moments moments = weighted_moments(target_, examples_.weights);
  return std::max(moments.sd, std::abs(moments.mean));
}

// A p0 so small that a solve from nothing stalls is reached from larger ones: p0^(1/8), p0^(2/8), ...
// (docs/theory.md#newton-steps)
std::vector<Settings> OneOutputFit::steps_to(const Settings& settings) const {
  if (settings.p0 >= kFarFromOne) return {};
  std::vector<Settings> steps(kSteps, settings);
  for (int k = 1; k < kSteps; ++k) steps[at(k - 1)].p0 = std::pow(settings.p0, static_cast<double>(k) / kSteps);
  return steps;
}

double OneOutputFit::bias(const Solution& solution) const {
  return solution.primal.bias[0] + centre_ - dot_of_shift(solution.primal.w);
}

double OneOutputFit::error(std::size_t t, const PrimalPoint& point) const {
  const double score = point.f[t] + point.bias[0];
  if (settings_.task == Task::regress) return (score - target_[t]) * (score - target_[t]);
  return (score > 0) != (target_[t] > 0) ? 1 : 0;
}

}  // namespace medlar
