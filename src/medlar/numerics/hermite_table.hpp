// A function of one variable, for first guesses: knots with values and slopes, and cubic Hermite polynomials between
// them. Two equal knots mark a kink, and the later one counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace medlar {

class HermiteTable {
 public:
  // In rising order of the knots.
  void add(double knot, double value, double slope) {
    if (!knots_.empty()) {
      const double width = knot - knots_.back(), rise = value - last_value_;
      const bool apart = width > 0;
      const double from = apart ? last_slope_ : 0, mean = apart ? rise / width : 0;
      const double bend = apart ? (3 * mean - 2 * from - slope) / width : 0;
      const double twist = apart ? (from + slope - 2 * mean) / (width * width) : 0;
      cubics_.insert(cubics_.end(), {last_value_, from, bend, twist});
    }
    knots_.push_back(knot);
    last_value_ = value, last_slope_ = slope;
  }

  // Beyond the first and the last knot the nearest polynomial continues.
  double operator()(double x) const {
    const auto above = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, x);
    const auto piece = static_cast<std::size_t>(above - knots_.begin()) - 1;
    const double* const a = cubics_.data() + 4 * piece;
    const double t = x - knots_[piece];
    return a[0] + t * (a[1] + t * (a[2] + t * a[3]));
  }

  std::size_t pieces() const { return cubics_.size() / 4; }
  std::span<const double> knots() const { return knots_; }    // one more than there are pieces
  std::span<const double> cubics() const { return cubics_; }  // four of each piece, by powers of what is past its knot

 private:
  std::vector<double> knots_, cubics_;
  double last_value_ = 0, last_slope_ = 0;
};

}  // namespace medlar
