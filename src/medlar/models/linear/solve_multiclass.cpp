// Which solver begins, where it begins, and which one goes on: sweeps, Newton over features and the interior-point
// method, each where the one before it gets stuck.
#include "medlar/models/linear/solve_multiclass.hpp"

#include <algorithm>
#include <cmath>

#include "medlar/models/generative/generative.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/priors/margins/smoothed.hpp"
#include "medlar/problem/relay.hpp"
#include "medlar/solvers/interior/class_newton.hpp"
#include "medlar/solvers/newton/class_smoothed.hpp"
#include "medlar/solvers/newton/primal_newton.hpp"
#include "medlar/solvers/sweeps/class_ascent.hpp"
#include "medlar/thresholds/interior_pays.hpp"
#include "medlar/thresholds/kinked.hpp"
#include "medlar/thresholds/near.hpp"
#include "medlar/thresholds/newton_pays.hpp"
#include "medlar/thresholds/rough_fits.hpp"
#include "medlar/thresholds/tall.hpp"

namespace medlar {

namespace {

// At a neighbour's pair.
template <class P>
Begun begin_beside(const P& problem, const Neighbour* from) {
  Begun begun;
  if (from == nullptr) return begun;
  begun.bias = from->primal.bias;
  begun.v.resize(from->primal.w.size());
  problem.partition.from_mean(from->primal.w, begun.v);
  std::vector<double> lambda = from->dual.lambda;
  for (std::size_t c = 0; c < lambda.size() && !from->same_margins; ++c) {
    lambda[c] = problem.multiplier(c, problem.margin(c, from->primal.f, from->primal.bias));
  }
  begun.dual = dual_point(problem, std::move(lambda));
  return begun;
}

// Continuation in c, from where every loss bends over a wide range of margins.
template <class P>
Begun begin_softer(const P& problem, const Settings& settings, const Limits& limits, Observer* observer,
                   Report& spent) {
  Begun begun;
  const double c = problem.sharpness();
  if (!std::isfinite(c)) return begun;
  Limits rough = limits;
  rough.tolerance = std::max(kGapOfSofter, limits.tolerance);
  for (double softer = kSoftC; kNotWorthAStep * softer < c; softer *= kHarder) {
    Settings soft = settings;
    if (soft.margin == MarginKind::own) soft.margin = MarginKind::exponential;
    soft.c = softer;
    const Problem easier{margin_at(soft, location_of(settings)), problem.partition, problem.constraints, problem.bias};
    Solution found = PrimalNewton(easier, rough, observer).solve({begun.v, begun.bias, {}});
    begun.v = std::move(found.primal.v), begun.bias = std::move(found.primal.bias);
    rough = what_is_left(rough, found.report);
    add_cost(found.report, spent);
    spent = std::move(found.report);
  }
  return begun;
}

// What one Newton step over features costs: its sums and its factor, in sweeps.
double sweeps_of_a_step(const ClassConstraints& constraints) {
  const StatisticRows& rows = *constraints.rows;
  const auto n = static_cast<double>(rows.statistics()) + 1, classes = static_cast<double>(constraints.classes);
  const double sums = static_cast<double>(constraints.count()) * n * n, factor = std::pow(n * classes, 3) / 3;
  return (sums + factor) / (static_cast<double>(rows.stored() + 1) * classes);
}

// Losses that Newton cannot take as they are, but smoothed.
bool kinked(const Settings& settings) {
  return settings.margin == MarginKind::hinge ||
         (settings.margin == MarginKind::exponential && is_smoothed_between_classes(*settings.c));
}

// From where it begins beside a neighbour, else from the fit with exponential margins at a small c.
template <class P>
Solution solve_smoothed(const P& problem, const Settings& settings, const Limits& limits, Observer* observer,
                        Begun beside) {
  const SmoothedMargin psi{*settings.c, location_of(settings), settings.margin == MarginKind::hinge ? 0.0 : 1.0, 1, 0};
  if (!beside.v.empty()) {
    return ClassSmoothed(problem, psi, limits, observer).solve(std::move(beside.v), std::move(beside.bias));
  }
  Settings soft = settings;
  soft.margin = MarginKind::exponential;
  soft.c = std::min(kSoftC, *settings.c);
  const double location = location_of(settings);
  const Problem easier{margin_at(soft, location), problem.partition, problem.constraints, problem.bias};
  Limits rough = limits;
  rough.tolerance = std::max(kGapOfSofter, limits.tolerance);
  Solution begun = PrimalNewton(easier, rough, observer).solve();
  const Limits rest = what_is_left(limits, begun.report);
  Solution found =
      ClassSmoothed(problem, psi, rest, observer).solve(std::move(begun.primal.v), std::move(begun.primal.bias));
  add_cost(found.report, begun.report);
  return found;
}

// Sweeps first, but where there are many examples for each feature; then Newton over features, where losses have kinks
// on smoothed ones; then, where that stalls and the problem is small, the interior-point method.
template <class A>
Solution solve_between(const Margin& psi, const A& partition, const ClassConstraints& constraints, BiasPrior bias,
                       const Settings& settings, Observer* observer, const Neighbour* from) {
  const Limits limits = limits_of(settings);
  const std::vector<double> middle(at(constraints.classes), 0.0);
  const auto interior = [&](const Limits& rest, const Solution& = {}) {
    const DressedPartition<A> dressed(partition);
    const Problem problem{psi, dressed, constraints, bias};
    return ClassNewton(problem, rest, observer, middle).solve();
  };
  const auto or_interior = [&](Solution found) {
    if (!is_interior_point_affordable(constraints.count())) return found;
    return relay(std::move(found), limits, interior);
  };
  if (settings.solver == SolverKind::newton) return interior(limits);
  if (kinked(settings) && ClassFeatureFactor::suits(constraints)) {
    const Problem problem{psi, partition, constraints, bias};
    return or_interior(solve_smoothed(problem, settings, limits, observer, begin_beside(problem, from)));
  }
  const Problem problem{psi, partition, constraints, bias};
  if (!problem.smooth()) return interior(limits);
  using Sweeps = ClassAscent<std::remove_const_t<decltype(problem)>>;
  const bool few = ClassFeatureFactor::suits(constraints);
  const auto newton = [&](Limits rest, Begun begun) {
    Report easier_cost;
    if (begun.v.empty() && few) {
      Begun easier = begin_softer(problem, settings, rest, observer, easier_cost);
      begun.v = std::move(easier.v), begun.bias = std::move(easier.bias);
      rest = what_is_left(rest, easier_cost);
    }
    Solution found = PrimalNewton(problem, rest, observer).solve(std::move(begun));
    add_cost(found.report, easier_cost);
    return found;
  };
  Begun begun = begin_beside(problem, from);
  const bool tall = is_tall_between_classes(constraints.examples, constraints.rows->statistics() + 1) ||
                    (from != nullptr && few && is_step_cheap_on_a_path(sweeps_of_a_step(constraints)));
  const bool sweeps = settings.solver != SolverKind::primal_newton && (settings.solver == SolverKind::ascent || !tall);
  if (!sweeps || !Sweeps::suits(problem)) return or_interior(newton(limits, std::move(begun)));
  return or_interior(relay(Sweeps(problem, limits, observer).solve(begun.dual.lambda, begun.v, begun.bias), limits,
                           [&](const Limits& rest, const Solution& swept) {
                             begun.dual = swept.dual;
                             if (swept.report.relative_gap <= kNearBetweenClasses)
                               begun.v = swept.primal.v, begun.bias = swept.primal.bias;
                             return newton(rest, std::move(begun));
                           }));
}

}  // namespace

Solution solve_multiclass(const ParameterPrior& prior, const ClassConstraints& constraints, const Settings& settings,
                          Observer* observer, const Neighbour* from) {
  const auto solve = [&](const auto& partition) {
    return solve_between(margin_at(settings, location_of(settings)), partition, constraints, bias_prior(settings),
                         settings, observer, from);
  };
  const auto* groups = std::get_if<GroupPartition>(&prior);
  return groups != nullptr ? solve(*groups) : solve(std::get<GaussianPartition>(prior));
}

}  // namespace medlar
