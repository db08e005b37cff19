// One door to the solvers. `auto` looks at the shape; what one solver does not finish, another takes over.
//
//   by features        T >= 2 n, n and c not large, a potential with curvature: Newton in n dimensions; squared losses
//                      with about as many examples as features
//   interior point     other problems with T >= 2 n, regressions with about as many examples as features, groups
//   ascent             everything else; with Newton over free examples
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include "medlar/problem/relay.hpp"
#include "medlar/solvers/interior/interior_point.hpp"
#include "medlar/solvers/newton/primal_newton.hpp"
#include "medlar/solvers/sweeps/dual_ascent.hpp"
#include "medlar/thresholds/kinked.hpp"
#include "medlar/thresholds/tall.hpp"
#include "medlar/words.hpp"

namespace medlar {

template <class P>
class Choice {
 public:
  Choice(const P& problem, const Limits& limits, Observer* observer, const Neighbour* from)
      : problem_(problem), limits_(limits), observer_(observer), from_(from) {}

  Solution solve(SolverKind solver) const {
    const Index T = problem_.constraints.examples(), n = problem_.partition.dimension();
    const bool tall = is_tall(T, n);
    const std::string shape = fmt::format("{} examples, {} features", T, n);
    if (solver == SolverKind::primal_newton && problem_.smooth())
      return in_turn<PrimalNewton<P>, InteriorPoint<P>>("asked for");
    if (solver == SolverKind::automatic && problem_.smooth() && ((tall && mild()) || squared()))
      return in_turn<PrimalNewton<P>, InteriorPoint<P>>(shape);
    if constexpr (std::remove_cvref_t<decltype(problem_.partition)>::kIndependent) {
      if (solver == SolverKind::ascent) return in_turn<DualAscent<P>, InteriorPoint<P>>("asked for");
      if (solver == SolverKind::automatic && (tall || pinned())) return in_turn<InteriorPoint<P>, DualAscent<P>>(shape);
      if (solver == SolverKind::automatic) return in_turn<DualAscent<P>, InteriorPoint<P>>(shape);
    }
    return InteriorPoint<P>(problem_, limits_, observer_, from_).solve();
  }

 private:
  bool mild() const {
    const Index T = problem_.constraints.examples(), n = problem_.partition.dimension();
    return suits_newton_over_features(problem_.sharpness(), !kLinear, T, n);
  }

  // A regression without a kink at 0, whose losses are parabolas, with about as many examples as features: without
  // switches one step is all.
  bool squared() const {
    return problem_.crosses() && is_square(problem_.constraints.examples(), problem_.partition.dimension());
  }

  // A regression whose tube is narrow, with about as many examples as features: most examples are free, and nearly
  // determine w, which makes sweeps slow.
  bool pinned() const {
    const Constraints& all = problem_.constraints;
    const Index T = all.examples(), n = problem_.partition.dimension();
    if (all.count() == T || !is_square(T, n)) return false;
    double squares = 0;
    for (const double offset : all.offset) squares += offset * offset;
    return is_narrow_tube(problem_.psi.domain().upper * std::sqrt(squares / static_cast<double>(all.count())));
  }

  // What the first solver does not finish the second begins anew.
  template <class First, class Second>
  Solution in_turn(const std::string& why) const {
    Solution first = First(problem_, limits_, observer_, from_).solve();
    first.report.why = why;
    return relay(std::move(first), limits_,
                 [&](const Limits& rest, const Solution&) { return Second(problem_, rest, observer_, from_).solve(); });
  }

  static constexpr bool kLinear = std::remove_cvref_t<decltype(std::declval<P>().partition)>::kLinearMean;

  const P& problem_;
  Limits limits_;
  Observer* observer_;
  const Neighbour* from_;
};

// From a neighbour's pair where one is given.
template <class P>
Solution maximise(const P& problem, const Limits& limits, Observer* observer, SolverKind solver = SolverKind::automatic,
                  const Neighbour* from = nullptr) {
  return Choice<P>(problem, limits, observer, from).solve(solver);
}

}  // namespace medlar
