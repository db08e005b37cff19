// When does the interior-point method come first, or at all, between classes? Its steps cost most and are the surest;
// its system grows with the constraints.
#pragma once

#include <cstddef>

namespace medlar {

// Linear models: whether it takes over where Newton over features gets stuck.
// Not measured; `build/bench/bin/bench-record write FILE --only '^(classes|sets)/'` names the solvers that ran.
constexpr bool is_interior_point_affordable(std::size_t constraints) {
  return constraints <= 20000;
}

// Generative models: whether constraints are so many that sweeps may come first.
// Measured in docs/generative.md: digits (16,173 constraints) by Poisson laws take it 2.0 s and sweeps 17.2, usps by
// gaussian-diagonal with 1,000 rows 4.5 and 10.1; letters (500,000) take sweeps 5.0 s and it 12.5.
constexpr bool are_constraints_numerous(std::size_t constraints) {
  return constraints > 20000;
}

// ... unless a margin of the generative classifier lies so far below its location, in locations: sweeps then hardly
// move.
// Measured on shuttle, where sweeps were stuck at a gap of 1.2e-2 after 16 s and it takes 15.2 s; on usps by
// gaussian-diagonal sweeps do better, though slowly (docs/generative.md).
constexpr bool is_margin_extreme(double locations_below) {
  return !(locations_below < 100);
}

}  // namespace medlar
