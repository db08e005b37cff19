// The solver and the solution meet in different quantities: SMO has one signed multiplier for each example and never
// forms V, a Solution has lambda and the certificate of the features.
#include "medlar/models/kernel/solve_kernel.hpp"

#include <algorithm>
#include <utility>

#include "medlar/models/kernel/kernel_part.hpp"
#include "medlar/problem/relay.hpp"
#include "medlar/solvers/kernel/smo.hpp"

namespace medlar {

KernelSolution solve_kernel(const Margin& margin, const GaussianPartition& prior, const Constraints& constraints,
                            BiasPrior bias, Gram& gram, const Settings& settings, const Limits& limits,
                            Observer* observer) {
  const Problem problem{margin, prior, constraints, bias};
  Smo smo(problem, gram, settings.cache_mb, limits, observer);
  Report report = smo.solve(settings.solver != SolverKind::smo);
  return {smo.state().best_primal_beta(), smo.state().best_primal_bias()[0], std::move(report),
          smo.state().best_beta()};
}

KernelSolution solve_kernel_surely(const Margin& margin, const GaussianPartition& prior, const Constraints& constraints,
                                   BiasPrior bias, const Kernel& kernel, const Matrix& x, Gram& gram,
                                   const Settings& settings, const Limits& limits, Observer* observer) {
  KernelSolution first = solve_kernel(margin, prior, constraints, bias, gram, settings, limits, observer);
  if (!gram.in_floats()) return first;
  return relay(std::move(first), limits, [&](const Limits& rest, const KernelSolution&) {
    Gram in_double(kernel, x, settings.threads, GramStorage::doubles);
    KernelSolution second = solve_kernel(margin, prior, constraints, bias, in_double, settings, rest, observer);
    second.report.solver += " with rows in double precision";
    return second;
  });
}

Solution solve_linear_by_smo(const Margin& margin, const GaussianPartition& prior, const Constraints& constraints,
                             BiasPrior bias, const Settings& settings, const Limits& limits, Observer* observer) {
  Gram gram({Kernel::Kind::linear, 1, 0, 1}, *constraints.x, settings.threads, gram_storage(settings));
  KernelSolution solved = solve_kernel(margin, prior, constraints, bias, gram, settings, limits, observer);
  const Problem problem{margin, prior, constraints, bias};
  DualPoint dual = dual_point(problem, multipliers_of(problem, solved.dual_beta));
  PrimalPoint primal = primal_point(problem, statistics(*constraints.x, solved.beta), {solved.bias});
  tell(Bounds{dual.objective, primal.value}, solved.report);
  return {std::move(dual), std::move(primal), std::move(solved.report), {}};
}

}  // namespace medlar
