// Moments of an exponential decay on the unit interval, m_n(u) = int_0^1 s^n e^{-us} ds for n = 0, 1, 2 and u >= 0.
//
// Integration by parts gives u m_n = n m_{n-1} - e^{-u}: read upwards it is safe for large u, read downwards
// (m_{n-1} = (u m_n + e^{-u})/n, only positive terms) for small u.
#pragma once

#include <cmath>

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
  // A first guess m_n = e^{-u}/(n + 1) errs by a factor of about 1 + u/n, and each step down shrinks that by u/n.
  const int start = u > 0.5 ? 24 : u > 0.05 ? 14 : 9;
  double moment = end / (start + 1);
  for (int n = start; n > 2; --n) moment = (u * moment + end) / n;
  const double second = moment;
  const double first = (u * second + end) / 2;
  return {u * first + end, first, second};
}

}  // namespace medlar
