// The solve that classifiers and detectors of generative models and of trees share.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/models/generative/generative.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/priors/families/family_sweep.hpp"
#include "medlar/priors/families/tree_partition.hpp"
#include "medlar/problem/relay.hpp"
#include "medlar/solvers/interior/class_newton.hpp"
#include "medlar/solvers/newton/class_free_newton.hpp"
#include "medlar/solvers/sweeps/class_ascent.hpp"
#include "medlar/thresholds/interior_pays.hpp"

namespace medlar {

namespace {

// Measures biases with a prior from the wanted ones, which move into the offsets.
void measure_from(const std::vector<double>& bias, ClassConstraints& constraints) {
  for (std::size_t c = 0; c < constraints.count(); ++c) {
    constraints.offset[c] -= bias[at(constraints.up[c])] - bias[at(constraints.down[c])];
  }
}

// How far the worst margin of the generative classifier lies below its location, in locations.
template <class P>
double worst_margin(const P& problem, double location) {
  std::vector<double> w(at(problem.partition.dimension())), none(at(problem.constraints.classes), 0.0);
  problem.partition.mean(std::vector<double>(w.size(), 0.0), w);
  const std::vector<double> f = scores_of(problem, w);
  double worst = 0;
  for (std::size_t c = 0; c < problem.count(); ++c) {
    worst = std::max(worst, (location - problem.margin(c, f, none)) / location);
  }
  return worst;
}

// Sweeps, and Newton's steps over the free multipliers where those have become slow.
template <class P>
Solution swept(const P& problem, const Limits& limits, Observer* observer) {
  if (problem.partition.counts_only()) return ClassAscent<P>(problem, limits, observer).solve();
  return relay(ClassAscent<P, true>(problem, limits, observer).solve(), limits,
               [&](const Limits& rest, const Solution& first) {
                 return ClassFreeNewton(problem, rest, observer, first).solve();
               });
}

// Interior-point steps or ascent example by example, chosen by shape. Where one gets stuck the other takes over.
template <class P>
Solution swept_or_newton(const P& problem, const Settings& settings, double location, const Limits& limits,
                         Observer* observer, const std::vector<double>& wanted) {
  const auto newton = [&](const Limits& left) { return ClassNewton(problem, left, observer, wanted).solve(); };
  if constexpr (requires { problem.partition.counts_only(); }) {
    const bool suits =
        problem.constraints.classes > 1 && problem.partition.switches() == SwitchKind::none && problem.smooth();
    if (settings.solver == SolverKind::ascent && !suits) {
      throw OptionError(
          "solver = ascent sweeps over the examples of several classes, without switches and with a margin other than "
          "hinge; use newton");
    }
    const bool chosen = settings.solver == SolverKind::automatic, numerous = are_constraints_numerous(problem.count());
    const bool counts = problem.partition.counts_only();
    const bool factored = ClassSystem::direct(problem.constraints, problem.partition.classes_apart());
    std::string why = "generative model";
    bool sweeps = settings.solver == SolverKind::ascent;
    if (chosen && suits) {
      const double worst = numerous && !counts ? worst_margin(problem, location) : 0.0;
      sweeps = counts ? !factored : numerous && (!factored || !is_margin_extreme(worst));
      why += !sweeps ? numerous ? fmt::format("; Newton, for a margin lies {:.0f} locations below its own", worst) : ""
             : !factored ? "; sweeps, for it is too large for a factor"
                         : "; sweeps, for it has many constraints and no margin that is extreme";
    }
    Solution found = sweeps ? swept(problem, limits, observer) : newton(limits);
    if (sweeps ? !numerous || factored : chosen && suits) {
      found = relay(std::move(found), limits, [&](const Limits& rest, const Solution&) {
        return sweeps ? newton(rest) : swept(problem, rest, observer);
      });
    }
    found.report.why = why;
    return found;
  }
  Solution found = newton(limits);
  found.report.why = "generative model";
  return found;
}

// Checks that the generative classifier gives finite scores to its own examples; otherwise there is nothing to start
// from.
template <class P>
void require_scores(const P& problem) {
  std::vector<double> w(at(problem.partition.dimension()));
  problem.partition.mean(std::vector<double>(w.size(), 0.0), w);
  const std::vector<double> f = scores_of(problem, w);
  const auto finite = [](double each) { return std::isfinite(each); };
  if (std::all_of(w.begin(), w.end(), finite) && std::all_of(f.begin(), f.end(), finite)) return;
  throw DataError(
      "the scores of the generative model are no numbers: a column hardly varies, or has values too large to be "
      "squared; use --scale standard, leave it out with --ignore, or raise --prior-strength");
}

template <class A>
Solution solve(const A& partition, const StatisticRows& rows, ClassConstraints constraints, const Settings& settings,
               double location, const std::vector<double>& wanted_bias, const FitTime& time) {
  constraints.rows = &rows;
  BiasPrior bias = bias_prior(settings);
  if (constraints.classes == 2) bias.variance *= 0.5;  // b = b_1 - b_0 then has the variance that was asked for
  const bool about_wanted = bias.kind == BiasPrior::Kind::gaussian;
  if (about_wanted) measure_from(wanted_bias, constraints);
  const std::vector<double> origin(wanted_bias.size(), 0.0);
  Limits limits = limits_of(settings);
  limits.max_seconds = time.for_solve();
  limits.remedy = "bring --c and --margin-location nearer to their defaults, or raise --prior-strength";
  const Problem problem{margin_at(settings, location), partition, constraints, bias};
  require_scores(problem);
  Solution found =
      swept_or_newton(problem, settings, location, limits, time.observer(), about_wanted ? origin : wanted_bias);
  for (std::size_t k = 0; about_wanted && k < origin.size(); ++k) found.primal.bias[k] += wanted_bias[k];
  return found;
}

}  // namespace

Solution solve_classes(const ClassPartition& partition, const StatisticRows& rows, ClassConstraints constraints,
                       const Settings& settings, double location, const std::vector<double>& wanted_bias,
                       const FitTime& time) {
  return solve(partition, rows, std::move(constraints), settings, location, wanted_bias, time);
}

Solution solve_classes(const TreePartition& partition, const StatisticRows& rows, ClassConstraints constraints,
                       const Settings& settings, double location, const std::vector<double>& wanted_bias,
                       const FitTime& time) {
  return solve(partition, rows, std::move(constraints), settings, location, wanted_bias, time);
}

}  // namespace medlar
