// Data of three classes for the tests of kernels.
#pragma once

#include <cmath>
#include <random>

#include "models/fit_data.hpp"

namespace medlar::test {

// Three clouds around the corners of a triangle.
inline Sample three_clouds(std::size_t examples, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Sample made;
  for (std::size_t t = 0; t < examples; ++t) {
    const auto k = t % 3;
    const double angle = 2.1 * static_cast<double>(k);
    made.x.push_back({1.6 * std::cos(angle) + normal(random), 1.6 * std::sin(angle) + normal(random)});
    made.y.push_back(static_cast<double>(k));
  }
  return made;
}

}  // namespace medlar::test
