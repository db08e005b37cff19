// The solve that classifiers and detectors of generative models and of trees share.
#include <algorithm>

#include "medlar/error.hpp"
#include "medlar/families/family_sweep.hpp"
#include "medlar/families/tree_partition.hpp"
#include "medlar/model/generative.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/solvers/class_ascent.hpp"
#include "medlar/solvers/class_newton.hpp"
#include "medlar/solvers/joined_report.hpp"

namespace medlar {

namespace {

// A bias with a prior is measured from the wanted one, which the offsets take up.
void measure_from(const std::vector<double>& bias, ClassConstraints& constraints) {
  for (std::size_t c = 0; c < constraints.count(); ++c) {
    constraints.offset[c] -= bias[at(constraints.up[c])] - bias[at(constraints.down[c])];
  }
}

constexpr std::size_t kMostByNewton = 20000;  // constraints

bool has_stuck(const Report& report) {
  return report.status == Status::stalled || report.status == Status::almost;
}

// Interior-point steps; one example after the other where that is asked for, or counts are too many for a factor.
template <class P>
ClassSolution swept_or_newton(const P& problem, const Settings& settings, const Limits& limits, Observer* observer,
                              const std::vector<double>& wanted) {
  Limits rest = limits;
  if constexpr (requires { problem.partition.counts_only(); }) {
    const bool suits = problem.constraints.classes > 1 && problem.partition.switches() == SwitchKind::none &&
                       problem.psi.curvature(0) < 0;
    if (settings.solver == "ascent" && !suits) {
      throw OptionError(
          "solver = ascent sweeps over the examples of several classes, without switches and with a margin other than "
          "hinge; use newton");
    }
    const bool counts = problem.partition.counts_only();
    const bool too_many = !ClassSystem::direct(problem.rows, problem.constraints);
    if (suits && (settings.solver == "ascent" || (settings.solver == "auto" && counts && too_many))) {
      ClassSolution swept = counts ? ClassAscent<P>(problem, limits, observer).solve()
                                   : ClassAscent<P, true>(problem, limits, observer).solve();
      if (!has_stuck(swept.report) || problem.count() > kMostByNewton) return swept;
      rest.max_seconds = std::max(0.0, limits.max_seconds - swept.report.seconds);
      ClassSolution found = ClassNewton(problem, rest, observer, wanted, swept.report.passes).solve();
      if (!(found.report.relative_gap < swept.report.relative_gap)) {
        end_like(swept.report, found.report);
        return swept;
      }
      found.report.solver = swept.report.solver + ", then " + found.report.solver;
      found.report = joined_report(swept.report, std::move(found.report));
      return found;
    }
  }
  return ClassNewton(problem, rest, observer, wanted).solve();
}

template <class A>
ClassSolution solve(const A& partition, const StatisticRows& rows, ClassConstraints constraints,
                    const Settings& settings, double location, const std::vector<double>& wanted_bias,
                    const FitTime& time) {
  BiasPrior bias = bias_prior(settings);
  if (constraints.classes == 2) bias.variance *= 0.5;  // b = b_1 - b_0 then has the variance that was asked for
  const bool about_wanted = bias.kind == BiasPrior::Kind::gaussian;
  if (about_wanted) measure_from(wanted_bias, constraints);
  const std::vector<double> origin(wanted_bias.size(), 0.0);
  const Limits limits{settings.tolerance, settings.max_passes, time.for_solve(),
                      static_cast<std::uint64_t>(settings.seed)};
  const ClassProblem problem{class_margin(settings, location), partition, rows, constraints, bias};
  ClassSolution found =
      swept_or_newton(problem, settings, limits, time.observer(), about_wanted ? origin : wanted_bias);
  found.report.why = "generative model";
  for (std::size_t k = 0; about_wanted && k < origin.size(); ++k) found.primal.bias[k] += wanted_bias[k];
  return found;
}

}  // namespace

ClassMargin class_margin(const Settings& settings, double location) {
  const double c = *settings.c;
  if (settings.margin == "laplace") return ClassMargin(LaplaceMargin{c, location});
  if (settings.margin == "gaussian") return ClassMargin(GaussianMargin{c, location});
  if (settings.margin == "hinge") return ClassMargin(HingeMargin{c, location});
  return ClassMargin(ExponentialMargin{c, location});
}

ClassSolution solve_classes(const ClassPartition& partition, const StatisticRows& rows, ClassConstraints constraints,
                            const Settings& settings, double location, const std::vector<double>& wanted_bias,
                            const FitTime& time) {
  return solve(partition, rows, std::move(constraints), settings, location, wanted_bias, time);
}

ClassSolution solve_classes(const TreePartition& partition, const StatisticRows& rows, ClassConstraints constraints,
                            const Settings& settings, double location, const std::vector<double>& wanted_bias,
                            const FitTime& time) {
  return solve(partition, rows, std::move(constraints), settings, location, wanted_bias, time);
}

}  // namespace medlar
