// The Gram matrix between some examples as its lower triangle, in single precision. It takes half the memory and half
// the work of the square, and is used for products with vectors.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "medlar/kernels/gram.hpp"

namespace medlar {

class GramTriangle {
 public:
  explicit GramTriangle(const Gram& gram) : gram_(gram) {}

  // Megabytes that this many examples take.
  static double megabytes(Index examples);

  Index size() const { return std::ssize(examples_); }
  const std::vector<Index>& examples() const { return examples_; }

  // Adds these examples; none may be there already.
  void grow(std::span<const Index> examples);

  // out += scale K x
  void add_product(std::span<const double> x, double scale, std::span<double> out) const;

 private:
  // Rows `first` to `last`, over all columns below `last`.
  struct Strip {
    Index first, last;
    std::unique_ptr<float[]> values;
  };

  const Gram& gram_;
  std::vector<Index> examples_;
  std::vector<Strip> strips_;
};

}  // namespace medlar
