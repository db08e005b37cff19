// The units of solvers, and the columns that stay in: what a linear model of one output or several does alike.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/models/linear/linear_fit.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/prepare/keep.hpp"
#include "medlar/thresholds/kept.hpp"

namespace medlar {

bool LinearFit::make_solver_rows(const Settings& settings) const {
  if (!grouping_.kept.empty() && !kept_) {
    kept_.emplace(prepared_.x, examples_.weights, grouping_.kept, levels_of_categories(data_, prepared_.names),
                  prepared_.names, settings_.bias == BiasKind::flat);
  }
  SolverUnits units(settings, prepared_.names);
  const double unit = kept_ ? score_unit(settings) / std::sqrt(*settings.prior_variance) : 0.0;
  if (solver_rows_.x.rows() > 0 && solver_rows_.units == units && solver_rows_.unit_of_kept == unit) return false;
  solver_rows_ = {std::move(units), unit, kWidthOfKept * unit, {}};
  fill_solver_rows();
  return true;
}

void LinearFit::fill_solver_rows() const {
  const Matrix x = solver_rows_.units.scaled(rows());
  solver_rows_.x = kept_ ? kept_->replaced(x, solver_rows_.scale) : x;
}

// In the units of solvers, and back.
Solution LinearFit::solve_at_once(const Settings& settings, Observer* observer, const Neighbour* from) const {
  if (settings.feature_prior_variance.empty() && grouping_.kept.empty()) {
    const std::span<const std::string> names(prepared_.names);
    return solve_rows(
        filled_ ? parameter_prior(settings, names.first(filled_->columns.size()), grouping_) : prior(settings), rows(),
        {}, settings, observer, from);
  }
  const bool other_rows = make_solver_rows(settings);
  const SolverUnits& units = solver_rows_.units;
  Neighbour beside;
  if (from != nullptr) {
    beside = *from;
    for (DualPoint* point : {&beside.dual, &beside.before, &beside.earlier}) units.to_solver(*point);
    units.to_solver(beside.primal);
    if (other_rows) beside.rows = {}, beside.columns = {}, beside.gram = {}, beside.curved = {};
  }
  Neighbour* const near = from != nullptr ? &beside : nullptr;
  Solution found = kept_ ? solve_kept(settings, observer, near)
                         : solve_rows(prior(settings), solver_rows_.x, {}, settings, observer, near);
  units.to_model(found.dual);
  units.to_model(found.primal);
  return found;
}

// Solvers know the kept columns less their mean, which is a matter of the bias.
Solution LinearFit::solve_kept(Settings settings, Observer* observer, Neighbour* from) const {
  const FlatColumns& flat = kept_->flat();
  const std::size_t n = prepared_.names.size(), examples = flat.examples;
  const auto of_output = [&](std::vector<double>& values, std::size_t k, std::size_t size) {
    return std::span(values).subspan(k * size, size);
  };
  const auto move_mean = [&](PrimalPoint& point, std::size_t k, double mean) {
    for (double& each : of_output(point.f, k, examples)) each += mean;
    point.bias[k] -= mean;
  };
  std::vector<double> t;
  if (from != nullptr) {
    PrimalPoint& point = from->primal;
    for (std::size_t k = 0; k < outputs(); ++k) {
      const std::span<const double> w = of_output(point.w, k, n);
      const std::vector<double> part = kept_->to_flat(w);
      t.insert(t.end(), part.begin(), part.end());
      move_mean(point, k, -kept_->mean_score(w));
    }
    const std::vector<double> known = flat.scores(t);
    for (std::size_t e = 0; e < known.size(); ++e) point.f[e] -= known[e];
    clear_flat(flat, outputs(), point.w);
    clear_flat(flat, outputs(), point.v);
  } else {
    t = kept_alone(settings, observer);
    settings.max_seconds = std::max(0.0, settings.max_seconds - kept_alone_seconds_);
  }
  // A wider prior than another fit began with is where the next begins.
  const auto rows_at = [this](double scale) -> const Matrix& {
    if (solver_rows_.scale != scale) {
      solver_rows_.scale = scale;
      fill_solver_rows();
    }
    return solver_rows_.x;
  };
  auto [found, coefficients] = solve_flat(prior(settings), {solver_rows_.x, flat, solver_rows_.scale, rows_at},
                                          std::move(t), settings, observer, from);
  for (std::size_t k = 0; k < outputs(); ++k) {
    const double mean = kept_->to_features(of_output(coefficients, k, flat.count()), of_output(found.primal.w, k, n));
    move_mean(found.primal, k, mean);
  }
  return std::move(found);
}

// A fit to the kept columns alone, to a few digits: where fits begin. It also tells whether they separate the classes.
const std::vector<double>& LinearFit::kept_alone(const Settings& settings, Observer* observer) const {
  constexpr double enough = 1e-3;
  const FlatColumns& flat = kept_->flat();
  if (!kept_alone_.empty() || flat.count() == 0) return kept_alone_;
  const std::size_t size = outputs() * flat.count();
  const double width = kWidthOfKept * score_unit(settings);
  FlatColumns alone = flat;
  for (std::size_t j = 0; j < alone.count(); ++j) alone.place[j] = j;
  Matrix x = kept_->alone(width);
  const auto rows_at = [&](double scale) -> const Matrix& { return x = kept_->alone(scale); };
  Settings null = settings;
  null.prior_variance = 1;
  null.solver = SolverKind::automatic;
  null.line_search = Settings{}.line_search;
  null.tolerance = std::max(enough, settings.tolerance);
  const ParameterPrior wide = GaussianPartition(static_cast<Index>(size), 1);
  auto [found, t] =
      solve_flat(wide, {x, alone, width, rows_at}, std::vector<double>(size, 0.0), null, observer, nullptr);
  if (settings_.task == Task::classify && !found.report.trace.empty() &&
      found.report.primal <= kLossOfSeparated * loss_of_bias(settings)) {
    std::string list;
    for (const Index i : grouping_.kept)
      list += fmt::format("{}'{}'", list.empty() ? "" : ", ", prepared_.names[at(i)]);
    throw OptionError(
        fmt::format("the columns of keep separate the classes by themselves ({}), so that their coefficients could "
                    "grow for ever and "
                    "nothing is left for other features to say; leave one out",
                    list));
  }
  kept_alone_seconds_ = found.report.seconds;
  return kept_alone_ = std::move(t);
}

}  // namespace medlar
