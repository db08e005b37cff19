// sum_j u^j N!/(j + N)! for |u| <= 2: e^u without its first N terms, divided by u^N/N!.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace medlar {

// Exact to double precision for u >= 0, where all terms have one sign. Four sums run side by side, because one chain of
// multiplications and additions would take four times as long.
template <int N>
double factorial_series(double u) {
  static constexpr std::array<double, 28> coefficient = [] {
    std::array<double, 28> table{1};
    for (std::size_t j = 1; j < table.size(); ++j) table[j] = table[j - 1] / static_cast<double>(j + N);
    return table;
  }();
  const std::size_t terms = std::abs(u) > 0.25 ? 28 : 12;
  const double u2 = u * u, u4 = u2 * u2;
  std::array<double, 4> part{};
  for (std::size_t j = terms; j > 0;) {
    j -= 4;
    for (std::size_t k = 0; k < 4; ++k) part[k] = part[k] * u4 + coefficient[j + k];
  }
  return (part[0] + u * part[1]) + u2 * (part[2] + u * part[3]);
}

}  // namespace medlar
