// K = X X^T of few examples with many numbers each, in single precision. Sweeps of dual coordinate ascent read it
// instead of the rows when w is linear in V (docs/theory.md#sweeps). Single precision is enough, because K only decides
// where the next multipliers go. Every certificate is computed from the rows, in double.
#pragma once

#include <span>
#include <vector>

#include "medlar/matrix.hpp"

namespace medlar {

class ExampleGram {
 public:
  explicit ExampleGram(const Matrix& x);

  // True when K costs less than the epochs over the rows that it saves.
  static bool pays(const Matrix& x);

  Index size() const { return static_cast<Index>(size_); }
  const float* row(std::size_t t) const { return values_.data() + t * size_; }
  // The square block of these examples, row by row, in double.
  std::vector<double> block(std::span<const Index> examples) const;
  double diagonal(std::size_t t) const { return static_cast<double>(row(t)[t]); }
  std::span<const float> squares() const { return squares_; }  // sum_t x_ti^2 of each column

 private:
  void add_dense(const Matrix& x);
  void add_sparse(const Matrix& x);

  std::size_t size_;
  std::vector<float> values_;  // row by row; symmetric
  std::vector<float> squares_;
};

}  // namespace medlar
