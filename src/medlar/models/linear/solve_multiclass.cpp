// See the header. Sweeps, Newton over features and the interior-point method, one after the other where one gets stuck.
#include "medlar/models/linear/solve_multiclass.hpp"

#include <algorithm>
#include <cmath>

#include "medlar/models/generative/generative.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/priors/margins/smoothed.hpp"
#include "medlar/problem/joined_report.hpp"
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

// Where Newton begins: at a neighbour's pair, or one that sweeps have brought near; or with every switch on, where no
// model of A* guides it; or at a smaller c, where the losses are all but kinked.
struct Begun {
  std::vector<double> v, bias;
  ClassDual dual;
};

template <class P>
Begun begin_beside(const P& problem, const ClassNeighbour* from) {
  Begun begun;
  if (from == nullptr) return begun;
  begun.bias = from->primal.bias;
  begun.v.resize(from->primal.w.size());
  problem.partition.from_mean(from->primal.w, begun.v);
  std::vector<double> lambda = from->dual.lambda;
  for (std::size_t c = 0; c < lambda.size() && !from->same_margins; ++c) {
    lambda[c] = problem.multiplier(c, problem.margin(c, from->primal.f, from->primal.bias));
  }
  begun.dual = class_dual(problem, std::move(lambda));
  return begun;
}

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

// What one Newton step over features costs: its sums and its factor, in sweeps.
double sweeps_of_a_step(const StatisticRows& rows, const ClassConstraints& constraints) {
  const auto n = static_cast<double>(rows.statistics()) + 1, classes = static_cast<double>(constraints.classes);
  const double sums = static_cast<double>(constraints.count()) * n * n, factor = std::pow(n * classes, 3) / 3;
  return (sums + factor) / (static_cast<double>(rows.stored() + 1) * classes);
}

bool stuck(const ClassSolution& found) {
  return found.report.status == Status::stalled || found.report.status == Status::almost;
}

// Losses that Newton cannot take as they are, but smoothed.
bool kinked(const Settings& settings) {
  return settings.margin == MarginKind::hinge || (settings.margin == MarginKind::exponential && *settings.c > kKinked);
}

// From where it begins beside a neighbour, else from the fit with exponential margins at a small c.
template <class P>
ClassSolution solve_smoothed(const P& problem, const Settings& settings, const Limits& limits, Observer* observer,
                             Begun beside) {
  const SmoothedMargin psi{*settings.c, settings.margin_location.value_or(1),
                           settings.margin == MarginKind::hinge ? 0.0 : 1.0, 1, 0};
  if (!beside.v.empty()) {
    return ClassSmoothed(problem, psi, limits, observer).solve(std::move(beside.v), std::move(beside.bias));
  }
  Settings soft = settings;
  soft.margin = MarginKind::exponential;
  soft.c = std::min(kSoft, *settings.c);
  const double location = settings.margin_location.value_or(1);
  const ClassProblem easier{class_margin(soft, location), problem.partition, problem.rows, problem.constraints,
                            problem.bias};
  Limits rough = limits, rest = limits;
  rough.tolerance = std::max(kSoftly, limits.tolerance);
  ClassSolution begun = ClassPrimalNewton(easier, rough, observer).solve();
  spend(rest, begun.report);
  ClassSolution found =
      ClassSmoothed(problem, psi, rest, observer).solve(std::move(begun.primal.v), std::move(begun.primal.bias));
  add_cost(found.report, begun.report);
  return found;
}

// Sweeps first, but where there are many examples for each feature; then Newton over features, where losses have kinks
// on smoothed ones; then, where that stalls and the problem is small, the interior-point method.
template <class A>
ClassSolution solve_between(const ClassMargin& psi, const A& partition, const StatisticRows& rows,
                            const ClassConstraints& constraints, BiasPrior bias, const Settings& settings,
                            Observer* observer, const ClassNeighbour* from) {
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
  if (settings.solver == SolverKind::newton) return interior(limits);
  if (kinked(settings) && ClassFeatureFactor::suits(rows, constraints)) {
    const ClassProblem problem{psi, partition, rows, constraints, bias};
    ClassSolution found = solve_smoothed(problem, settings, limits, observer, begin_beside(problem, from));
    if (!stuck(found) || constraints.count() > kMostInterior) return found;
    return better(std::move(found));
  }
  if (!(psi.curvature(0) < 0)) return interior(limits);
  const ClassProblem problem{psi, partition, rows, constraints, bias};
  using Sweeps = ClassAscent<std::remove_const_t<decltype(problem)>>;
  Limits rest = limits;
  Begun begun = begin_beside(problem, from);
  Report swept, easier_cost;
  const bool few = ClassFeatureFactor::suits(rows, constraints);
  const bool tall = constraints.examples >= kTall * (rows.statistics() + 1) ||
                    (from != nullptr && few && sweeps_of_a_step(rows, constraints) <= kCheap);
  if (settings.solver != SolverKind::primal_newton && (settings.solver == SolverKind::ascent || !tall) &&
      Sweeps::suits(problem)) {
    ClassSolution found = Sweeps(problem, limits, observer).solve(begun.dual.lambda, begun.v, begun.bias);
    if (!stuck(found)) return found;
    swept = std::move(found.report);
    spend(rest, swept);
    begun.dual = std::move(found.dual);
    if (swept.relative_gap <= kNear) begun.v = std::move(found.primal.v), begun.bias = std::move(found.primal.bias);
  }
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

ClassSolution solve_at_once(const ClassPrior& prior, const StatisticRows& rows, const ClassConstraints& constraints,
                            const Settings& settings, Observer* observer, const ClassNeighbour* from) {
  return std::visit(
      [&](const auto& partition) {
        return solve_between(class_margin(settings, settings.margin_location.value_or(1)), partition, rows, constraints,
                             bias_prior(settings), settings, observer, from);
      },
      prior);
}

// A c so large that a solve from nothing gets stuck is reached from smaller ones, each from the one before it.
ClassSolution solve_by_steps_of_c(const ClassPrior& prior, const StatisticRows& rows,
                                  const ClassConstraints& constraints, const Settings& settings, Observer* observer,
                                  ClassSolution at_once) {
  Settings step = settings;
  ClassNeighbour from;
  Report spent = at_once.report;
  for (double c = kSoft / 2; !(from.dual.lambda.size() > 0 && *step.c == *settings.c); c *= 2) {
    step.c = std::min(c, *settings.c);
    step.max_seconds = std::max(0.0, settings.max_seconds - spent.seconds);
    step.max_passes = std::max<Index>(1, settings.max_passes - spent.passes);
    const bool first = from.dual.lambda.empty();
    ClassSolution found = solve_at_once(prior, rows, constraints, step, observer, first ? nullptr : &from);
    add_cost(found.report, spent);
    const bool ended = found.report.status == Status::interrupted || found.report.status == Status::limit;
    const bool better = *step.c == *settings.c && found.report.relative_gap < at_once.report.relative_gap;
    if (better) return found;
    spent = found.report;
    if (ended) end_like(at_once.report, found.report);
    if (ended) break;
    from = {std::move(found.dual), std::move(found.primal), false};
  }
  at_once.report.iterations = spent.iterations;
  at_once.report.passes = spent.passes;
  at_once.report.seconds = spent.seconds;
  return at_once;
}

}  // namespace

ClassSolution solve_multiclass(const ClassPrior& prior, const StatisticRows& rows, const ClassConstraints& constraints,
                               const Settings& settings, Observer* observer, const ClassNeighbour* from) {
  ClassSolution solution = solve_at_once(prior, rows, constraints, settings, observer, from);
  if (!stuck(solution) || from != nullptr || settings.solver != SolverKind::automatic || *settings.c <= kSoft)
    return solution;
  return solve_by_steps_of_c(prior, rows, constraints, settings, observer, std::move(solution));
}

}  // namespace medlar
