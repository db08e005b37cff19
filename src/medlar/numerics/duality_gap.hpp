// The gap between a primal value F and a dual value J (docs/theory.md#certificate). F >= J holds exactly. Where
// rounding puts J above F, it has moved one of them by at least their difference, so no smaller gap is certified.
#pragma once

#include <algorithm>
#include <cmath>

namespace medlar {

// What a gap is measured by. F may be 0, and is where the prior meets every constraint: relative to less than this a
// gap is rounding.
inline double gap_scale(double primal) {
  constexpr double least = 1e-10;
  return std::max(primal, least);
}

inline double duality_gap(double primal, double objective) {
  return std::abs(primal - objective);
}

inline double relative_duality_gap(double primal, double objective) {
  return duality_gap(primal, objective) / gap_scale(primal);
}

}  // namespace medlar
