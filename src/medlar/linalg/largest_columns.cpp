// Sorting millions of weights would cost more than the sum it serves. A histogram over the exponent and the first bits
// of the mantissa needs two passes.
#include "medlar/linalg/largest_columns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace medlar {

std::vector<Index> columns_that_matter(std::span<const double> d, double share) {
  constexpr int kBins = 512;
  const auto level = [](double each) { return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(each) >> 49); };
  const double largest = d.empty() ? 0 : *std::max_element(d.begin(), d.end());
  const std::int64_t top = level(std::max(largest, 0.0));
  const auto bin = [&](double each) {
    if (!(each > 0)) return kBins - 1;
    return static_cast<int>(std::min<std::int64_t>(top - level(each), kBins - 1));
  };
  std::array<double, kBins> held{};
  double total = 0;
  for (const double each : d) held[static_cast<std::size_t>(bin(each))] += each, total += each;
  int last = 0;
  for (double inside = held[0]; inside < (1 - share) * total && last + 1 < kBins;) {
    inside += held[static_cast<std::size_t>(++last)];
  }
  std::vector<Index> columns;
  for (std::size_t i = 0; i < d.size(); ++i) {
    if (bin(d[i]) <= last) columns.push_back(static_cast<Index>(i));
  }
  return columns;
}

}  // namespace medlar
