// The QP is over the margin prior without its logarithm, and an identity in place of A.
#include "medlar/models/linear/solve_by_paper.hpp"

#include <fmt/format.h>

#include "medlar/data/bytes/memory.hpp"
#include "medlar/error.hpp"
#include "medlar/solvers/paper/bounded_qp.hpp"

namespace medlar {

namespace {

// What is left of a potential when its logarithm is left out; the gaussian margin has none, and stays a QP.
Margin linear_part(const Margin& margin) {
  return margin.visit([](const auto& psi) -> Margin {
    if constexpr (requires { psi.linear_part(); }) {
      return psi.linear_part();
    } else {
      throw OptionError(
          "solver = bounded-qp needs a built-in margin that is a quadratic program without its logarithm; use "
          "coordinate");
    }
  });
}

template <SeparablePartition A>
Solution solve(const Settings& settings, const Margin& psi, const A& partition, const Constraints& constraints,
               BiasPrior bias, const Limits& limits, Observer* observer) {
  const Problem problem{psi, partition, constraints, bias};
  const LineSearch search = settings.line_search;
  if (settings.solver == SolverKind::coordinate) return Coordinate(problem, limits, observer, search).solve();
  if constexpr (BoundedPartition<A>) {
    const auto examples = static_cast<double>(constraints.examples());
    require_memory(2 * sizeof(float) * examples * examples,
                   fmt::format("solver = bounded-qp: the Gram matrix of {} examples", constraints.examples()),
                   "use --solver auto or coordinate");
    const GaussianPartition unit(partition.dimension(), 1);
    return BoundedQp(problem, linear_part(psi), unit, limits, observer, search, settings.threads).solve();
  } else {
    throw OptionError("solver = bounded-qp knows no parabola below this prior; use coordinate");
  }
}

}  // namespace

Solution solve_by_paper(const Settings& settings, const ParameterPrior& prior, const Constraints& constraints,
                        BiasPrior bias, const Limits& limits, Observer* observer) {
  return std::visit(
      [&]<class A>(const A& partition) -> Solution {
        if constexpr (SeparablePartition<A>) {
          return solve(settings, margin_prior(settings), partition, constraints, bias, limits, observer);
        } else {
          throw OptionError(
              "the solvers of the paper move one feature at a time, but this prior ties features together");
        }
      },
      prior);
}

}  // namespace medlar
