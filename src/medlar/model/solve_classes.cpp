// The solve that classifiers and detectors of generative models and of trees share.
#include "medlar/families/tree_partition.hpp"
#include "medlar/model/generative.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/potentials/smoothed.hpp"
#include "medlar/solvers/class_newton.hpp"
#include "medlar/solvers/class_smoothed.hpp"

namespace medlar {

namespace {

// A bias with a prior is measured from the wanted one, which the offsets take up.
void measure_from(const std::vector<double>& bias, ClassConstraints& constraints) {
  for (std::size_t c = 0; c < constraints.count(); ++c) {
    constraints.offset[c] -= bias[at(constraints.up[c])] - bias[at(constraints.down[c])];
  }
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
  const std::vector<double>& wanted = about_wanted ? origin : wanted_bias;
  const Limits limits{settings.tolerance, settings.max_passes, time.for_solve(),
                      static_cast<std::uint64_t>(settings.seed)};
  const ClassProblem problem{class_margin(settings, location), partition, rows, constraints, bias};
  const bool interior = ClassSystem::direct(rows, constraints);
  const auto solved = [&] {
    if (settings.solver == "newton" || (settings.solver == "auto" && interior)) {
      return ClassNewton(problem, limits, time.observer(), wanted).solve();
    }
    std::vector<double> nothing(at(partition.dimension()), 0.0);
    if (settings.margin == "exponential" || settings.margin == "hinge") {
      const SmoothedMargin psi{*settings.c, location, settings.margin == "hinge" ? 0.0 : 1.0, 1, 0};
      return ClassSmoothed(problem, psi, limits, time.observer()).solve(std::move(nothing), wanted);
    }
    return ClassPrimalNewton(problem, limits, time.observer()).solve(std::move(nothing), wanted);
  };
  ClassSolution found = solved();
  for (std::size_t k = 0; about_wanted && k < wanted.size(); ++k) found.primal.bias[k] += wanted_bias[k];
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
