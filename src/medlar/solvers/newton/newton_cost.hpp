// The work of a Newton step over free examples in epochs of sweeps, both counted in products of two numbers; those of a
// factor are worth a tenth, as the BLAS does them.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "medlar/matrix.hpp"
#include "medlar/thresholds/newton_pays.hpp"

namespace medlar {

// Products in X_F D X_F^T of sparse rows: pairs of entries in one column, F the examples whose beta is not 0.
inline double pairs_of_entries(const Matrix& x, std::span<const double> beta) {
  std::vector<float> count(static_cast<std::size_t>(x.columns()), 0.0f);
  for (std::size_t t = 0; t < beta.size(); ++t) {
    if (beta[t] == 0) continue;
    for_each(x.row(static_cast<Index>(t)), [&](Index i, double) { ++count[static_cast<std::size_t>(i)]; });
  }
  double sum = 0;
  for (const double each : count) sum += 0.5 * each * each;
  return sum;
}

// Infinite when the factor would be larger than `largest`. An epoch reads this share of the entries, and with switches
// works twice on each.
inline double newton_step_in_epochs(const Matrix& x, std::span<const double> beta, Index largest, double share,
                                    bool switches) {
  double free = 0, entries = 0;
  for (std::size_t t = 0; t < beta.size(); ++t) {
    if (beta[t] == 0) continue;
    ++free;
    entries += static_cast<double>(x.row(static_cast<Index>(t)).values.size());
  }
  const double n = static_cast<double>(x.columns()), side = std::min(free, n);
  if (side > static_cast<double>(largest)) return HUGE_VAL;
  const double products = x.is_sparse() ? pairs_of_entries(x, beta) : entries * side;
  const double factor = kProductOfAFactor * (products * (x.is_sparse() ? 10 : 0.5) + side * side * side / 3);
  return factor / std::max(1.0, share * entries * (x.is_sparse() ? 4 : 0.5) * (switches ? 2 : 1));
}

}  // namespace medlar
