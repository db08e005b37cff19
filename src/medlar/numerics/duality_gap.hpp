// The gap between a primal value F and a dual value J (docs/theory.md#certificate). F >= J holds exactly: where
// rounding has put J above F, it has moved one of them by at least as much, and no smaller gap is certified.
#pragma once

#include <algorithm>
#include <cmath>

namespace medlar {

inline double duality_gap(double primal, double objective) {
  return std::abs(primal - objective);
}

inline double relative_duality_gap(double primal, double objective) {
  return duality_gap(primal, objective) / std::max(primal, 1e-10);
}

}  // namespace medlar
