// Constraints that ask the same of the same row. Only the sum of their multipliers enters V, and J, concave, is largest
// where they share it by their weights: where c is large coordinate ascent takes hundreds of epochs to find that, as
// psi hardly bends (docs/theory.md#sweeps).
#pragma once

#include <span>
#include <vector>

#include "medlar/problem/constraints.hpp"

namespace medlar {

class Twins {
 public:
  explicit Twins(const Constraints& constraints);

  // Each set of twins shares its sum.
  void share(std::span<const double> weight, std::span<double> lambda) const;

 private:
  std::vector<std::size_t> members_, first_{0};  // of set s: members_[first_[s]] and on, up to first_[s + 1]
};

}  // namespace medlar
