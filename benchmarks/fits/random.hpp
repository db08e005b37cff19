// Seeded draws that give the same numbers with every compiler: the distributions of <random> do not promise that.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

namespace medlar::bench {

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }  // [0, 1)
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(uniform() * static_cast<double>(n)); }

  // Box and Muller, two at a time.
  double normal() {
    if (kept_) {
      kept_ = false;
      return other_;
    }
    const double radius = std::sqrt(-2 * std::log1p(-uniform())), angle = 2 * std::numbers::pi * uniform();
    other_ = radius * std::sin(angle);
    kept_ = true;
    return radius * std::cos(angle);
  }

 private:
  std::mt19937_64 bits_;
  double other_ = 0;
  bool kept_ = false;
};

}  // namespace medlar::bench
