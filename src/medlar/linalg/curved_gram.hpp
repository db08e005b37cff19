// X diag(d) X^T of few examples, in single precision, kept from one Newton step to the next
// (docs/theory.md#newton-steps). With switches, d = A''(V) is nearly the same everywhere at first, and later few
// columns change from step to step. The sum therefore starts as a multiple of the Gram matrix X X^T, and only columns
// whose d has moved are updated. Single precision is enough, because the sum only decides where the next multipliers
// go. Every certificate is computed from the rows, in double.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "medlar/linalg/blocked.hpp"
#include "medlar/linalg/column_sums.hpp"
#include "medlar/linalg/example_gram.hpp"
#include "medlar/matrix.hpp"

namespace medlar {

class CurvedGram {
 public:
  CurvedGram(const Matrix& x, std::shared_ptr<const ExampleGram> gram);

  // Brings the sum to d. Columns may stay stale whose changes together are at most this share of its trace.
  void follow(std::span<const double> d, double left_out);

  // Adds the block of these examples, in increasing order, to the lower triangle of m.
  void add_to(Eigen::MatrixXd& m, std::span<const Index> examples) const;

 private:
  void begin(std::span<const double> d);
  void rescale(std::span<const double> d);
  double distance(std::span<const double> d, double scale) const;
  std::vector<Index> moved(std::span<const double> d, double left_out) const;
  double trace(std::span<const double> d) const;

  std::shared_ptr<const ExampleGram> gram_;
  ColumnSums<float> columns_;
  std::vector<Index> all_;
  std::vector<double> held_;  // the d that the sum contains; empty at first, and after an update was given up half-way
  Square<float> sum_;         // its lower triangle
};

}  // namespace medlar
