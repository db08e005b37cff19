#include "reference/library.hpp"
#include "models/fit_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "medlar/prepare/priors.hpp"
#include "medlar/solvers/choose.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {

namespace {

double number(Real value) {
  return static_cast<double>(value);
}

Margin margin_of(const PlainMargin& margin) {
  const double c = number(margin.c), location = number(margin.location), epsilon = number(margin.epsilon);
  if (margin.name == "exponential") return ExponentialMargin{c, location};
  if (margin.name == "laplace") return LaplaceMargin{c, location};
  if (margin.name == "gaussian") return GaussianMargin{c, location};
  if (margin.name == "hinge") return HingeMargin{c, location};
  if (margin.name == "logistic") return LogisticMargin{c, location};
  if (margin.name == "squared") return GaussianMargin{c, 0};
  if (margin.name == "tube") return TubeMargin{c, epsilon};
  return SvrMargin{c, epsilon};
}

std::vector<double> doubles_of(const Reals& values) {
  std::vector<double> all;
  for (const Real value : values) all.push_back(number(value));
  return all;
}

ParameterPrior prior_of(const PlainPrior& prior) {
  const auto n = static_cast<Index>(prior.mean.size());
  const bool certain = std::all_of(prior.p.begin(), prior.p.end(), [](Real p) { return p == 1; });
  if (certain) return GaussianPartition(n, number(prior.v), doubles_of(prior.mean));
  if (prior.p.size() == prior.mean.size()) return SwitchPartition(doubles_of(prior.p), number(prior.v));
  return GroupPartition(std::vector<Index>(prior.switch_of.begin(), prior.switch_of.end()), doubles_of(prior.p),
                        number(prior.v));
}

// Sparse where most entries are 0.
Matrix matrix_of(const PlainProblem& problem) {
  std::size_t filled = 0;
  for (const auto& row : problem.x)
    filled += row.size() - static_cast<std::size_t>(std::count(row.begin(), row.end(), 0.0));
  return 2 * filled < problem.examples() * problem.features() ? sparse(problem.x) : dense(problem.x);
}

BiasPrior bias_of(const PlainProblem& problem) {
  if (problem.bias == PlainBias::flat) return {BiasPrior::Kind::flat, 0};
  if (problem.bias == PlainBias::none) return {BiasPrior::Kind::none, 0};
  return {BiasPrior::Kind::gaussian, number(problem.sigma2)};
}

// Calls use(problem) with the library's types.
template <class Use>
auto with_library(const PlainProblem& plain, Use use) {
  const Matrix x = matrix_of(plain);
  const std::vector<int> signs(plain.y.begin(), plain.y.end());
  const Constraints constraints = plain.margin.regression() ? regression_constraints(x, plain.y, plain.weights)
                                                            : classification_constraints(x, signs, plain.weights);
  return std::visit(
      [&](const auto& partition) {
        return use(Problem{margin_of(plain.margin), partition, constraints, bias_of(plain)});
      },
      prior_of(plain.prior));
}

}  // namespace

LibraryAnswer solve_by_library(const PlainProblem& plain, const Limits& limits, Observer* observer,
                               const std::string& solver) {
  return with_library(plain, [&](const auto& problem) -> LibraryAnswer {
    Solution solution = maximise(problem, limits, observer, *read_word<SolverKind>(solver));
    return {std::move(solution.dual), std::move(solution.primal), std::move(solution.report)};
  });
}

LibraryPoint dual_by_library(const PlainProblem& plain, const std::vector<double>& lambda) {
  return with_library(plain, [&](const auto& problem) -> LibraryPoint {
    const DualPoint point = dual_point(problem, lambda);
    return {point.lambda, point.v, point.objective};
  });
}

double primal_by_library(const PlainProblem& plain, const std::vector<double>& v, double bias_hint) {
  return with_library(plain, [&](const auto& problem) { return primal_point(problem, v, {bias_hint}).value; });
}

Dataset dataset_of(const PlainProblem& plain) {
  Dataset data;
  data.source = "memory";
  data.x = matrix_of(plain);
  for (std::size_t i = 0; i < plain.features(); ++i) data.names.push_back(fmt::format("f{}", i));
  data.target.present = data.target.numeric = true;
  data.target.values = plain.y;
  data.weights = plain.weights;
  data.schema.format = "csv";
  data.schema.target = "y";
  for (const std::string& name : data.names) data.schema.columns.push_back({name, {}, {}});
  data.schema.features = data.features();
  return data;
}

Settings settings_of(const PlainProblem& plain) {
  Settings settings;
  settings.task = plain.margin.regression() ? Task::regress : Task::classify;
  set_option(settings, "margin", plain.margin.name == "squared" ? "gaussian" : plain.margin.name);
  settings.c = number(plain.margin.c);
  if (plain.margin.name == "squared" || plain.margin.name == "logistic") {
    // nothing beside c
  } else if (plain.margin.regression()) {
    settings.epsilon = number(plain.margin.epsilon);
  } else {
    settings.margin_location = number(plain.margin.location);
  }
  settings.prior_variance = number(plain.prior.v);
  settings.p0 = 1;
  settings.scale = ScaleKind::none;
  if (plain.bias == PlainBias::gaussian) {
    settings.bias = {BiasKind::variance, number(plain.sigma2)};
  } else {
    settings.bias = plain.bias == PlainBias::flat ? BiasKind::flat : BiasKind::none;
  }
  const bool grouped = plain.prior.p.size() < plain.features();
  if (grouped) settings.groups = GroupsKind::file;
  for (std::size_t i = 0; i < plain.features(); ++i) {
    const std::string name = fmt::format("f{}", i);
    const int on = plain.prior.switch_of[i];
    settings.feature_p0.entries.emplace_back(name, number(plain.prior.p[static_cast<std::size_t>(on)]));
    if (plain.prior.mean[i] != 0) settings.prior_mean.entries.emplace_back(name, number(plain.prior.mean[i]));
    if (grouped) settings.feature_group.entries.emplace_back(name, fmt::format("g{}", on));
  }
  return settings;
}

Reals multipliers_of(const PlainProblem& plain, const Model& model) {
  const auto sides = plain.sides();
  Reals beta(plain.examples(), 0), lambda;
  for (std::size_t j = 0; j < model.support.size(); ++j) {
    beta[static_cast<std::size_t>(model.support[j])] = model.multipliers[j];
  }
  for (const auto& side : sides)
    lambda.push_back(std::max(side.weight * plain.margin.lower(), side.sign * beta[side.t]));
  return lambda;
}

Reals coefficients_of(const Model& model) {
  Reals w;
  for (const Feature& feature : model.features) w.push_back(feature.coefficient);
  return w;
}

}  // namespace medlar::test
