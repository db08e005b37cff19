// Moments of an exponential decay on the unit interval, m_n(u) = int_0^1 s^n e^{-us} ds for n = 0, 1, 2 and u >= 0.
//
// Integration by parts gives u m_n = n m_{n-1} - e^{-u}: read upwards it is safe for large u, read downwards
// (m_{n-1} = (u m_n + e^{-u})/n, only positive terms) for small u.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace medlar {

struct DecayMoments {
  double zeroth;
  double first;
  double second;
};

inline constexpr std::array<double, 26> kReciprocal = [] {
  std::array<double, 26> table{};
  for (std::size_t n = 1; n < table.size(); ++n) table[n] = 1 / static_cast<double>(n);
  return table;
}();

inline DecayMoments decay_moments(double u) {
  const double end = std::exp(-u);
  if (u > 2) {
    const double zeroth = (1 - end) / u;
    const double first = (zeroth - end) / u;
    return {zeroth, first, (2 * first - end) / u};
  }
  // With m_n = e^{-u} q_n / (n + 1) the step down is q_{n-1} = 1 + u q_n / (n + 1). A first guess q_n = 1 errs by a
  // factor of about 1 + u/n, and each step shrinks that by u/n. Reciprocals: a chain of divisions would take five times
  // as long.
  const int start = u > 0.5 ? 24 : u > 0.05 ? 14 : 9;
  double q = 1;
  for (int n = start; n > 2; --n) q = 1 + u * kReciprocal[static_cast<std::size_t>(n) + 1] * q;
  const double second = end * q / 3;
  const double first = (u * second + end) / 2;
  return {u * first + end, first, second};
}

}  // namespace medlar
