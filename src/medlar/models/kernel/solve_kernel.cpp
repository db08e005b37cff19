// See the header.
#include "medlar/models/kernel/solve_kernel.hpp"

#include <algorithm>
#include <utility>

#include "medlar/models/kernel/kernel_part.hpp"
#include "medlar/numerics/duality_gap.hpp"
#include "medlar/problem/joined_report.hpp"
#include "medlar/solvers/kernel/smo.hpp"

namespace medlar {

KernelSolution solve_kernel(const MarginPrior& margin, const GaussianPartition& prior, const Constraints& constraints,
                            BiasPrior bias, Gram& gram, const Settings& settings, const Limits& limits,
                            Observer* observer) {
  return std::visit(
      [&](const auto& psi) -> KernelSolution {
        const Problem problem{psi, prior, constraints, bias};
        Smo smo(problem, gram, settings.cache_mb, limits, observer);
        Report report = smo.solve(settings.solver != SolverKind::smo);
        return {smo.state().best_primal_beta(), smo.state().best_primal_bias(), std::move(report),
                smo.state().best_beta()};
      },
      margin);
}

KernelSolution solve_kernel_surely(const MarginPrior& margin, const GaussianPartition& prior,
                                   const Constraints& constraints, BiasPrior bias, const Kernel& kernel,
                                   const Matrix& x, Gram& gram, const Settings& settings, const Limits& limits,
                                   Observer* observer) {
  KernelSolution first = solve_kernel(margin, prior, constraints, bias, gram, settings, limits, observer);
  const bool stuck = first.report.status == Status::stalled || first.report.status == Status::almost;
  if (!stuck || !gram.in_floats()) return first;
  Limits rest = limits;
  rest.max_seconds = std::max(0.0, limits.max_seconds - first.report.seconds);
  rest.max_passes = std::max<Index>(1, limits.max_passes - first.report.passes);
  Gram in_double(kernel, x, settings.threads, GramStorage::doubles);
  KernelSolution second = solve_kernel(margin, prior, constraints, bias, in_double, settings, rest, observer);
  if (!(second.report.relative_gap < first.report.relative_gap)) {
    end_like(first.report, second.report);
    return first;
  }
  second.report.solver = first.report.solver + ", then " + second.report.solver + " with rows in double precision";
  second.report = joined_report(first.report, std::move(second.report));
  return second;
}

Solution solve_linear_by_smo(const MarginPrior& margin, const GaussianPartition& prior, const Constraints& constraints,
                             BiasPrior bias, const Settings& settings, const Limits& limits, Observer* observer) {
  Gram gram({Kernel::Kind::linear, 1, 0, 1}, *constraints.x, settings.threads, gram_storage(settings));
  KernelSolution solved = solve_kernel(margin, prior, constraints, bias, gram, settings, limits, observer);
  return std::visit(
      [&](const auto& psi) -> Solution {
        const Problem problem{psi, prior, constraints, bias};
        std::vector<double> lambda(problem.count());
        for (std::size_t k = 0; k < lambda.size(); ++k) {
          lambda[k] = std::max(0.0, problem.sign(k) * solved.dual_beta[problem.example(k)]);
        }
        DualPoint dual = dual_point(problem, std::move(lambda));
        PrimalPoint primal = primal_point(problem, statistics(*constraints.x, solved.beta), solved.bias);
        Report& report = solved.report;
        report.objective = dual.objective;
        report.primal = primal.value;
        report.gap = duality_gap(primal.value, dual.objective);
        report.relative_gap = report.gap / std::max(primal.value, 1e-10);
        return {std::move(dual), std::move(primal), std::move(report), {}};
      },
      margin);
}

}  // namespace medlar
