// What the rounding of Gram rows to fractions of 1/65535 does to a fit with a curved potential. It makes another kernel
// K + E of K, whose entries are off by some 4.4e-6, as if at random:
//
//   - eigenvalues of v K move by at most about 2 v sqrt(T) deviations. A potential that bends by several times that has
//     no direction in which the problem would no longer be concave.
//   - the scores of multipliers beta are off by a deviation s = v |beta| deviations, however they were reached. Losses
//     that bend by 1/h see a gap of s^2 / (2 h) in each support vector: far below 1e-3 of F, above 1e-6. Scores that
//     were computed without fractions have only the rounding of what changed since.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "medlar/kernels/gram.hpp"
#include "medlar/solvers/kernel/kernel_state.hpp"
#include "medlar/thresholds/single_precision.hpp"

namespace medlar {

inline constexpr double kFractionDeviation = 1 / (3.4641016151377544 * kFractions);  // of what is uniform in one step

// How working sets keep their rows.
template <class P>
GramStorage working_storage(const P& problem, const Gram& gram) {
  if (!gram.has_fractions()) return gram.storage();
  double bend = HUGE_VAL;
  for (std::size_t k = 0; k < problem.count(); ++k) bend = std::min(bend, -problem.curvature(k, 0));
  const double moved =
      2 * problem.partition.prior_variance() * std::sqrt(static_cast<double>(gram.size())) * kFractionDeviation;
  return bends_beyond_fractions(bend, moved) ? GramStorage::fractions : gram.storage();
}

// The relative gap that fractions may have made: `exact` are the multipliers at which the scores were last computed
// without, f the present ones.
template <class P>
double rounding_gap(const KernelState<P>& state, std::span<const double> exact, std::span<const double> f) {
  double changes = 0, bends = 0;
  CompensatedSum objective;
  for (std::size_t t = 0; t < exact.size(); ++t) {
    const double beta = state.beta()[t], change = beta - exact[t];
    changes += change * change;
    if (beta == 0) continue;
    bends += 1 / state.phi().curvature(t, beta);
    objective.add(state.phi().value(t, beta) - 0.5 * beta * f[t]);
  }
  const double deviation = state.scale() * kFractionDeviation;
  return 0.5 * deviation * deviation * changes * bends / gap_scale(objective.value());
}

}  // namespace medlar
