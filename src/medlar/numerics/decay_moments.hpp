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
  constexpr int kStart = 24;           // the error of the first guess shrinks by u/n a step: 2^22 2!/24! < 1e-16
  double moment = end / (kStart + 1);  // m_24, to within a factor e^u
  for (int n = kStart; n > 2; --n) moment = (u * moment + end) / n;
  const double second = moment;
  const double first = (u * second + end) / 2;
  return {u * first + end, first, second};
}

}  // namespace medlar
