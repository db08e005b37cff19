// The two bounds of a certificate and what they certify (docs/theory.md#certificate): J of some multipliers lies below
// the optimum, F of some coefficients above it.
#pragma once

#include <cmath>

#include "medlar/numerics/duality_gap.hpp"

namespace medlar {

struct Bounds {
  double objective = -HUGE_VAL;  // J
  double primal = HUGE_VAL;      // F

  // F >= J holds exactly; a difference below 0 is rounding, and says that none is left to close. One that is not small
  // against F and J says that their digits are gone, and certifies nothing.
  bool consistent() const {
    const double size = std::abs(primal) + std::abs(objective);
    return std::isfinite(size) && primal - objective >= -kRounding * size;
  }
  double gap() const { return duality_gap(primal, objective); }
  double relative_gap() const { return relative_duality_gap(primal, objective); }

 private:
  static constexpr double kRounding = 1e-9;
};

}  // namespace medlar
