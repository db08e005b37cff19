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
#include "medlar/solvers/newton/class_primal_newton.hpp"
#include "medlar/solvers/newton/class_smoothed.hpp"
#include "medlar/solvers/sweeps/class_ascent.hpp"

namespace medlar {

namespace {

constexpr Index kTall = 100;                  // examples for each feature: then Newton needs no sweeps before it
constexpr double kCheap = 200;                // sweeps for a step: then Newton begins beside a neighbour
constexpr double kNear = 0.05;                // relative gap from which Newton goes on from where sweeps have come
constexpr double kKinked = 60;                // c from which on losses are all but kinked
constexpr std::size_t kMostInterior = 20000;  // constraints
constexpr double kSoft = 5, kHarder = 4, kSoftly = 0.02;  // the smaller c to begin with, and their relative gap

// Where Newton begins: at a neighbour's pair, or one that sweeps have brought near; or with every switch on, where no
// model of A* guides it; or at a smaller c, where the losses are all but kinked.
struct Begun {
  std::vector<double> v, bias;
  DualPoint dual;
};

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

template <class P>
Begun begin_relaxed(const P& problem, const Limits& limits, Observer* observer, Report& spent) {
  Begun begun;
  if constexpr (RelaxablePartition<std::remove_cvref_t<decltype(problem.partition)>>) {
    const auto relaxed = problem.partition.relaxed();
    const Problem easier{problem.psi, relaxed, problem.constraints, problem.bias};
    Limits rough = limits;
    rough.tolerance = std::max(0.05, limits.tolerance);
    const Solution found = ClassPrimalNewton(easier, rough, observer).solve();
    begun.v.resize(found.primal.w.size());
    problem.partition.from_mean(found.primal.w, begun.v);
    begun.bias = found.primal.bias;
    spent = found.report;
  }
  return begun;
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
    if (soft.margin == "own") soft.margin = "exponential";
    soft.c = softer;
    const Problem easier{margin_at(soft, settings.margin_location.value_or(1)), problem.partition, problem.constraints,
                         problem.bias};
    Solution found = ClassPrimalNewton(easier, rough, observer).solve(begun.v, begun.bias);
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
  return settings.margin == "hinge" || (settings.margin == "exponential" && *settings.c > kKinked);
}

// From where it begins beside a neighbour, else from the fit with exponential margins at a small c.
template <class P>
Solution solve_smoothed(const P& problem, const Settings& settings, const Limits& limits, Observer* observer,
                        Begun beside) {
  const SmoothedMargin psi{*settings.c, settings.margin_location.value_or(1), settings.margin == "hinge" ? 0.0 : 1.0, 1,
                           0};
  if (!beside.v.empty()) {
    return ClassSmoothed(problem, psi, limits, observer).solve(std::move(beside.v), std::move(beside.bias));
  }
  Settings soft = settings;
  soft.margin = "exponential";
  soft.c = std::min(kSoft, *settings.c);
  const double location = settings.margin_location.value_or(1);
  const Problem easier{margin_at(soft, location), problem.partition, problem.constraints, problem.bias};
  Limits rough = limits;
  rough.tolerance = std::max(kSoftly, limits.tolerance);
  Solution begun = ClassPrimalNewton(easier, rough, observer).solve();
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
  const Limits limits{settings.tolerance, settings.max_passes, settings.max_seconds,
                      static_cast<std::uint64_t>(settings.seed)};
  const std::vector<double> middle(at(constraints.classes), 0.0);
  const auto interior = [&](const Limits& rest) {
    const DressedPartition<A> dressed(partition);
    const Problem problem{psi, dressed, constraints, bias};
    return ClassNewton(problem, rest, observer, middle).solve();
  };
  const auto or_interior = [&](Solution found) {
    if (constraints.count() > kMostInterior) return found;
    return relay(std::move(found), limits, interior);
  };
  if (settings.solver == "newton") return interior(limits);
  if (kinked(settings) && ClassFeatureFactor::suits(constraints)) {
    const Problem problem{psi, partition, constraints, bias};
    return or_interior(solve_smoothed(problem, settings, limits, observer, begin_beside(problem, from)));
  }
  const Problem problem{psi, partition, constraints, bias};
  if (!problem.smooth()) return interior(limits);
  using Sweeps = ClassAscent<std::remove_const_t<decltype(problem)>>;
  Limits rest = limits;
  Begun begun = begin_beside(problem, from);
  Report swept, easier_cost;
  const bool few = ClassFeatureFactor::suits(constraints);
  const bool tall = constraints.examples >= kTall * (constraints.rows->statistics() + 1) ||
                    (from != nullptr && few && sweeps_of_a_step(constraints) <= kCheap);
  if (settings.solver != "primal-newton" && (settings.solver == "ascent" || !tall) && Sweeps::suits(problem)) {
    Solution found = Sweeps(problem, limits, observer).solve(begun.dual.lambda, begun.v, begun.bias);
    if (!is_stuck(found.report)) return found;
    swept = std::move(found.report);
    rest = what_is_left(rest, swept);
    begun.dual = std::move(found.dual);
    if (swept.relative_gap <= kNear) begun.v = std::move(found.primal.v), begun.bias = std::move(found.primal.bias);
  }
  if (begun.v.empty() && (few || std::ssize(constraints.example) > partition.dimension())) {
    Begun easier = few ? begin_softer(problem, settings, rest, observer, easier_cost)
                       : begin_relaxed(problem, rest, observer, easier_cost);
    begun.v = std::move(easier.v), begun.bias = std::move(easier.bias);
    rest = what_is_left(rest, easier_cost);
  }
  Solution found = ClassPrimalNewton(problem, rest, observer)
                       .solve(std::move(begun.v), std::move(begun.bias), std::move(begun.dual));
  add_cost(found.report, easier_cost);
  if (!swept.trace.empty()) {
    found.report.solver = swept.solver + ", then " + found.report.solver;
    found.report = joined_report(swept, std::move(found.report));
  }
  return or_interior(std::move(found));
}

Solution solve_at_once(const ClassPrior& prior, const ClassConstraints& constraints, const Settings& settings,
                       Observer* observer, const Neighbour* from) {
  return std::visit(
      [&](const auto& partition) {
        return solve_between(margin_at(settings, settings.margin_location.value_or(1)), partition, constraints,
                             bias_prior(settings), settings, observer, from);
      },
      prior);
}

// A c so large that a solve from nothing gets stuck is reached from smaller ones, each from the one before it.
Solution solve_by_steps_of_c(const ClassPrior& prior, const ClassConstraints& constraints, const Settings& settings,
                             Observer* observer, Solution at_once) {
  Settings step = settings;
  Neighbour from;
  Report spent = at_once.report;
  for (double c = kSoft / 2; !(from.dual.lambda.size() > 0 && *step.c == *settings.c); c *= 2) {
    step.c = std::min(c, *settings.c);
    step.max_seconds = std::max(0.0, settings.max_seconds - spent.seconds);
    step.max_passes = std::max<Index>(1, settings.max_passes - spent.passes);
    const bool first = from.dual.lambda.empty();
    Solution found = solve_at_once(prior, constraints, step, observer, first ? nullptr : &from);
    add_cost(found.report, spent);
    const bool ended = found.report.status == Status::interrupted || found.report.status == Status::limit;
    const bool better = *step.c == *settings.c && found.report.relative_gap < at_once.report.relative_gap;
    if (better) return found;
    spent = found.report;
    if (ended) end_like(at_once.report, found.report);
    if (ended) break;
    from.dual = std::move(found.dual), from.primal = std::move(found.primal);
    from.same_margins = false;
  }
  at_once.report.iterations = spent.iterations;
  at_once.report.passes = spent.passes;
  at_once.report.seconds = spent.seconds;
  return at_once;
}

}  // namespace

Solution solve_multiclass(const ClassPrior& prior, const ClassConstraints& constraints, const Settings& settings,
                          Observer* observer, const Neighbour* from) {
  Solution solution = solve_at_once(prior, constraints, settings, observer, from);
  const bool has_c = settings.margin != "own" && *settings.c > kSoft;
  if (!is_stuck(solution.report) || from != nullptr || settings.solver != "auto" || !has_c) return solution;
  return solve_by_steps_of_c(prior, constraints, settings, observer, std::move(solution));
}

}  // namespace medlar
