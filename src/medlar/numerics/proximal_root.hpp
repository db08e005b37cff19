// The step of dual coordinate ascent for a potential without a closed form: where psi'(lambda) + g - q lambda = 0.
#pragma once

#include <algorithm>
#include <cmath>

namespace medlar {

// Safeguarded Newton from `guess`, to about ten digits. The left side falls with lambda. psi must be differentiable on
// [0, upper); upper may be infinite.
template <class Psi>
double proximal_root(const Psi& psi, double g, double q, double guess) {
  if (!(psi.slope(0) + g > 0)) return 0;
  const double end = psi.domain().upper;
  double low = 0, high = end, lambda = guess > 0 && guess < end ? guess : 0.5 * std::min(end, 1 / (q + 1 / end));
  for (int step = 0; step < 100; ++step) {
    const double value = psi.slope(lambda) + g - q * lambda;
    (value > 0 ? low : high) = lambda;
    double next = lambda + value / (q - psi.curvature(lambda));
    if (!(next > low && next < high)) next = std::isfinite(high) ? 0.5 * (low + high) : 2 * low + 1;
    const bool settled = std::abs(next - lambda) <= 1e-10 * std::min(next, end - next);  // near either end
    lambda = next;
    if (settled) break;
  }
  return lambda < end ? lambda : std::nextafter(end, 0.0);  // closer to the end than doubles can tell
}

}  // namespace medlar
