// The linear model of K > 2 classes, fitted jointly (theory 6): L_k(x) = theta_k . x + b_k, a constraint for each
// example and rival class, one switch for a feature in all classes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/model/generative.hpp"
#include "medlar/model/grouping.hpp"
#include "medlar/model/kinds.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/potentials/smoothed.hpp"
#include "medlar/solvers/class_ascent.hpp"
#include "medlar/solvers/class_newton.hpp"
#include "medlar/solvers/class_primal_newton.hpp"
#include "medlar/solvers/class_smoothed.hpp"
#include "medlar/solvers/joined_report.hpp"

namespace medlar {

namespace {

// The prior over the coefficients of all classes, class by class: features of a group, and one feature in all classes,
// share a switch.
using ClassPrior = std::variant<GaussianPartition, GroupPartition>;

ClassPrior prior_over_classes(const Settings& settings, std::span<const std::string> names, const Grouping& grouping,
                              Index classes) {
  const auto n = static_cast<Index>(names.size());
  if (!settings.prior_mean.empty()) {
    throw OptionError(
        "prior-mean gives one mean to a feature, but here it has a coefficient in each of several "
        "classes; leave it out");
  }
  const ParameterPrior single = parameter_prior(settings, names, grouping);
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

constexpr Index kTall = 100;                  // examples for each feature: then Newton needs no sweeps before it
constexpr double kNear = 0.05;                // relative gap from which Newton goes on from where sweeps have come
constexpr double kKinked = 60;                // c from which on losses are all but kinked
constexpr std::size_t kMostInterior = 20000;  // constraints
constexpr double kSoft = 5, kHarder = 4, kSoftly = 0.02;  // the smaller c to begin with, and their relative gap

// What a solve before it cost.
void add_cost(Report& report, const Report& before) {
  report.iterations += before.iterations;
  report.passes += before.passes;
  report.seconds += before.seconds;
  for (TracePoint& point : report.trace) {
    point.iteration += before.iterations;
    point.passes += before.passes;
    point.seconds += before.seconds;
  }
}

// Where Newton begins: at a pair that sweeps have brought near; or with every switch on, where no model of A* guides
// it; or at a smaller c, where the losses are all but kinked.
struct Begun {
  std::vector<double> v, bias;
  ClassDual dual;
};

template <class P>
Begun begin_relaxed(const P& problem, const Limits& limits, Observer* observer, Report& spent) {
  Begun begun;
  if constexpr (requires { problem.partition.relaxed(); }) {
    const auto relaxed = problem.partition.relaxed();
    const ClassProblem easier{problem.psi, relaxed, problem.rows, problem.constraints, problem.bias};
    Limits rough = limits;
    rough.tolerance = std::max(0.05, limits.tolerance);
    const ClassSolution found = ClassPrimalNewton(easier, rough, observer).solve();
    begun.v.resize(found.primal.w.size());
    problem.partition.from_mean(found.primal.w, begun.v);
    begun.bias = found.primal.bias;
    spent = found.report;
  }
  return begun;
}

void spend(Limits& limits, const Report& spent) {
  limits.max_seconds = std::max(0.0, limits.max_seconds - spent.seconds);
  limits.max_passes = std::max<Index>(1, limits.max_passes - spent.passes);
}

// Continuation in c, from where every loss bends over a wide range of margins.
template <class P>
Begun begin_softer(const P& problem, const Settings& settings, const Limits& limits, Observer* observer,
                   Report& spent) {
  Begun begun;
  const double c = problem.psi.domain().upper;
  if (!std::isfinite(c)) return begun;
  Limits rough = limits;
  rough.tolerance = std::max(kSoftly, limits.tolerance);
  for (double softer = kSoft; 1.5 * softer < c; softer *= kHarder) {
    Settings soft = settings;
    soft.c = softer;
    const ClassProblem easier{class_margin(soft, settings.margin_location.value_or(1)), problem.partition, problem.rows,
                              problem.constraints, problem.bias};
    ClassSolution found = ClassPrimalNewton(easier, rough, observer).solve(begun.v, begun.bias);
    begun.v = std::move(found.primal.v), begun.bias = std::move(found.primal.bias);
    spend(rough, found.report);
    add_cost(found.report, spent);
    spent = std::move(found.report);
  }
  return begun;
}

bool stuck(const ClassSolution& found) {
  return found.report.status == Status::stalled || found.report.status == Status::almost;
}

// Losses that Newton cannot take as they are, but smoothed.
bool kinked(const Settings& settings) {
  return settings.margin == "hinge" || (settings.margin == "exponential" && *settings.c > kKinked);
}

// From the fit with exponential margins at a small c.
template <class P>
ClassSolution solve_smoothed(const P& problem, const Settings& settings, const Limits& limits, Observer* observer) {
  Settings soft = settings;
  soft.margin = "exponential";
  soft.c = std::min(kSoft, *settings.c);
  const double location = settings.margin_location.value_or(1);
  const ClassProblem easier{class_margin(soft, location), problem.partition, problem.rows, problem.constraints,
                            problem.bias};
  Limits rough = limits, rest = limits;
  rough.tolerance = std::max(kSoftly, limits.tolerance);
  ClassSolution begun = ClassPrimalNewton(easier, rough, observer).solve();
  spend(rest, begun.report);
  const SmoothedMargin psi{*settings.c, location, settings.margin == "hinge" ? 0.0 : 1.0, 1, 0};
  ClassSolution found =
      ClassSmoothed(problem, psi, rest, observer).solve(std::move(begun.primal.v), std::move(begun.primal.bias));
  add_cost(found.report, begun.report);
  return found;
}

// Sweeps first, but where there are many examples for each feature; then Newton over features, where losses have kinks
// on smoothed ones; then, where that stalls and the problem is small, the interior-point method.
template <class A>
ClassSolution solve(const ClassMargin& psi, const A& partition, const StatisticRows& rows,
                    const ClassConstraints& constraints, BiasPrior bias, const Settings& settings, Observer* observer) {
  const Limits limits{settings.tolerance, settings.max_passes, settings.max_seconds,
                      static_cast<std::uint64_t>(settings.seed)};
  const std::vector<double> middle(at(constraints.classes), 0.0);
  const auto interior = [&](const Limits& rest) {
    const DressedPartition<A> dressed(partition);
    const ClassProblem problem{psi, dressed, rows, constraints, bias};
    return ClassNewton(problem, rest, observer, middle).solve();
  };
  // Of a solve that has stalled and an interior one within what is left.
  const auto better = [&](ClassSolution first) {
    Limits rest = limits;
    spend(rest, first.report);
    ClassSolution second = interior(rest);
    if (!(second.report.relative_gap < first.report.relative_gap)) {
      end_like(first.report, second.report);
      return first;
    }
    add_cost(second.report, first.report);
    return second;
  };
  if (settings.solver == "newton") return interior(limits);
  if (kinked(settings) && ClassFeatureFactor::suits(rows, constraints)) {
    const ClassProblem problem{psi, partition, rows, constraints, bias};
    ClassSolution found = solve_smoothed(problem, settings, limits, observer);
    if (!stuck(found) || constraints.count() > kMostInterior) return found;
    return better(std::move(found));
  }
  if (!(psi.curvature(0) < 0)) return interior(limits);
  const ClassProblem problem{psi, partition, rows, constraints, bias};
  using Sweeps = ClassAscent<std::remove_const_t<decltype(problem)>>;
  Limits rest = limits;
  Begun begun;
  Report swept, easier_cost;
  const bool tall = constraints.examples >= kTall * (rows.statistics() + 1);
  if (settings.solver != "primal-newton" && (settings.solver == "ascent" || !tall) && Sweeps::suits(problem)) {
    ClassSolution found = Sweeps(problem, limits, observer).solve();
    if (!stuck(found)) return found;
    swept = std::move(found.report);
    spend(rest, swept);
    begun.dual = std::move(found.dual);
    if (swept.relative_gap <= kNear) begun.v = std::move(found.primal.v), begun.bias = std::move(found.primal.bias);
  }
  const bool few = ClassFeatureFactor::suits(rows, constraints);
  if (begun.v.empty() && (few || std::ssize(constraints.example) > partition.dimension())) {
    Begun easier = few ? begin_softer(problem, settings, rest, observer, easier_cost)
                       : begin_relaxed(problem, rest, observer, easier_cost);
    begun.v = std::move(easier.v), begun.bias = std::move(easier.bias);
    spend(rest, easier_cost);
  }
  ClassSolution found = ClassPrimalNewton(problem, rest, observer)
                            .solve(std::move(begun.v), std::move(begun.bias), std::move(begun.dual));
  add_cost(found.report, easier_cost);
  if (!swept.trace.empty()) {
    found.report.solver = swept.solver + ", then " + found.report.solver;
    found.report = joined_report(swept, std::move(found.report));
  }
  if (!stuck(found) || constraints.count() > kMostInterior) return found;
  return better(std::move(found));
}

}  // namespace

Model fit_multiclass(const Dataset& data, const Settings& asked, Observer* observer) {
  Model model;
  Settings& settings = model.settings = asked;
  model.task = "classify";
  if (settings.solver != "auto" && settings.solver != "ascent" && settings.solver != "newton" &&
      settings.solver != "primal-newton") {
    throw OptionError(fmt::format(
        "solver = {} tells two classes apart; for more use auto, ascent, primal-newton or newton", settings.solver));
  }
  const ClassLabels classes = class_labels(data, settings);
  const Index K = classes.classes();
  const Examples examples = counted_examples(data, resolve_weights(data, settings, classes));
  Prepared prepared = prepare(data, examples, settings);
  resolve_classification_scale(settings, prepared.x);
  const std::vector<Index> y = at(classes.y, examples.rows);
  require_each_class(y, settings, classes);
  const StatisticRows rows(prepared.x, {}, {});
  const ClassConstraints constraints = rival_constraints(y, K, examples.weights);
  const Grouping grouping = grouping_of(data, settings, prepared.names);
  const ClassPrior prior = prior_over_classes(settings, prepared.names, grouping, K);
  margin_prior(settings);  // refuses a margin that would teach nothing
  const ClassSolution solution = std::visit(
      [&](const auto& partition) {
        return solve(class_margin(settings, settings.margin_location.value_or(1)), partition, rows, constraints,
                     bias_prior(settings), settings, observer);
      },
      prior);

  const std::size_t n = prepared.names.size();
  std::vector<double> inclusion(solution.primal.v.size()), variance(inclusion.size());
  std::visit(
      [&](const auto& partition) {
        partition.inclusion(solution.primal.v, inclusion);
        partition.variance(solution.primal.v, variance);
      },
      prior);
  MulticlassPart part;
  part.class_bias = solution.primal.bias;
  part.coefficient.resize(n * at(K));
  const bool grouped = !grouping.names.empty() && std::holds_alternative<GroupPartition>(prior);
  for (std::size_t i = 0; i < n; ++i) {
    double squares = 0, sum = 0;
    for (std::size_t k = 0; k < at(K); ++k) {
      const double w = solution.primal.w[k * n + i];
      part.coefficient[i * at(K) + k] = w;
      squares += w * w;
      sum += variance[k * n + i];
    }
    model.features.push_back({prepared.names[i], inclusion[i], std::sqrt(squares),
                              std::sqrt(sum / static_cast<double>(K)), grouped ? grouping.group_of[i] : -1});
  }
  if (grouped) model.group_names = grouping.names;
  model.multiclass = std::move(part);
  model.labels = classes.labels;
  model.schema = data.schema;
  model.schema.features = data.features();
  model.transforms = std::move(prepared.transforms);
  model.examples = data.examples();
  model.bias_sd = settings.bias == "flat" || settings.bias == "none" ? 0 : std::sqrt(bias_prior(settings).variance);
  std::vector<double> sums(y.size(), 0.0);
  for (std::size_t c = 0; c < constraints.count(); ++c) sums[at(constraints.example[c])] += solution.dual.lambda[c];
  for (std::size_t t = 0; t < sums.size(); ++t) {
    if (sums[t] == 0) continue;
    model.support.push_back(examples.rows[t]);
    model.multipliers.push_back(sums[t]);
  }
  model.report = solution.report;
  model.report.why = fmt::format("{} classes, {} examples, {} features", K, y.size(), n);
  return model;
}

}  // namespace medlar
