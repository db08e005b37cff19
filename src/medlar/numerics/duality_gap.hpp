// The gap between a primal value F and a dual value J (theory 1). F >= J holds exactly. Where rounding puts J above F,
// it has moved one of them by at least their difference, so no smaller gap is certified.
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
