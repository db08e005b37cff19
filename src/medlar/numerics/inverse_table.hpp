// The inverse of a rising function, for first guesses: nodes of the function with its slopes, and cubic Hermite
// polynomials of the inverse between them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace medlar {

class InverseTable {
 public:
  // In rising order of `value` = function(argument), with its slope there.
  void add(double argument, double value, double slope) { nodes_.push_back({value, argument, 1 / slope}); }

  // Beyond the last node the last polynomial goes on.
  double operator()(double value) const {
    const auto above = std::upper_bound(nodes_.begin() + 1, nodes_.end() - 1, value,
                                        [](double left, const Node& right) { return left < right.value; });
    const Node &a = *(above - 1), &b = *above;
    const double width = b.value - a.value, x = (value - a.value) / width;
    const double rise = b.argument - a.argument, from = width * a.slope - rise, to = width * b.slope - rise;
    return a.argument + x * (rise + (1 - x) * (from * (1 - x) - to * x));
  }

 private:
  struct Node {
    double value, argument, slope;  // slope of the inverse
  };
  std::vector<Node> nodes_;
};

}  // namespace medlar
