// The QP is over the margin prior without its logarithm, and an identity in place of A.
#include "medlar/models/linear/solve_by_paper.hpp"

#include <fmt/format.h>

#include "medlar/data/bytes/memory.hpp"
#include "medlar/error.hpp"
#include "medlar/solvers/paper/bounded_qp.hpp"

namespace medlar {

namespace {

// What is left of a potential when its logarithm is left out; the gaussian margin has none, and stays a QP.
HingeMargin linear_part(const ExponentialMargin& psi) {
  return {psi.c, psi.location};
}
HingeMargin linear_part(const LaplaceMargin& psi) {
  return {psi.c, psi.location};
}
SvrMargin linear_part(const TubeMargin& psi) {
  return {psi.c, psi.epsilon};
}
GaussianMargin linear_part(const GaussianMargin& psi) {
  return psi;
}
HingeMargin linear_part(const HingeMargin& psi) {
  return psi;
}
SvrMargin linear_part(const SvrMargin& psi) {
  return psi;
}

template <class Psi, SeparablePartition A>
Solution solve(const Settings& settings, const Psi& psi, const A& partition, const Constraints& constraints,
               BiasPrior bias, const Limits& limits, Observer* observer) {
  const Problem problem{psi, partition, constraints, bias};
  const LineSearch search = settings.line_search;
  if (settings.solver == SolverKind::coordinate) return Coordinate(problem, limits, observer, search).solve();
  const auto examples = static_cast<double>(constraints.examples());
  require_memory(2 * sizeof(float) * examples * examples,
                 fmt::format("solver = bounded-qp: the Gram matrix of {} examples", constraints.examples()),
                 "use --solver auto or coordinate");
  const GaussianPartition unit(partition.dimension(), 1);
  return BoundedQp(problem, linear_part(psi), unit, limits, observer, search, settings.threads).solve();
}

}  // namespace

Solution solve_by_paper(const Settings& settings, const ParameterPrior& prior, const Constraints& constraints,
                        BiasPrior bias, const Limits& limits, Observer* observer) {
  return std::visit(
      [&](const auto& psi) {
        if (const auto* switches = std::get_if<SwitchPartition>(&prior)) {
          return solve(settings, psi, *switches, constraints, bias, limits, observer);
        }
        return solve(settings, psi, std::get<GaussianPartition>(prior), constraints, bias, limits, observer);
      },
      margin_prior(settings));
}

}  // namespace medlar
