// Moments of an exponential decay on the unit interval, m_n(u) = int_0^1 s^n e^{-us} ds for n = 0, 1, 2 and u >= 0.
//
// Integration by parts gives u m_n = n m_{n-1} - e^{-u}: read upwards it is safe for large u, read downwards
// (m_{n-1} = (u m_n + e^{-u})/n, only positive terms) for small u, from m_2 = e^{-u} sum_j u^j 2/(j + 3)!.
#pragma once

#include <cmath>

#include "medlar/numerics/factorial_series.hpp"

namespace medlar {

struct DecayMoments {
  double zeroth;
  double first;
  double second;
};

inline DecayMoments decay_moments(double u) {
  const double end = std::exp(-u);
  if (u > 2) {
    const double zeroth = (1 - end) / u;
    const double first = (zeroth - end) / u;
    return {zeroth, first, (2 * first - end) / u};
  }
  const double second = end * factorial_series<3>(u) / 3;
  const double first = (u * second + end) / 2;
  return {u * first + end, first, second};
}

}  // namespace medlar
