// Sums of weighted columns over chosen examples, X_R diag(d) X_R^T: the matrix of Newton's steps over examples. Rows
// may be dense or sparse, the sum in double or in float.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "medlar/linalg/blocked.hpp"
#include "medlar/linalg/columns.hpp"
#include "medlar/matrix.hpp"

namespace medlar {

template <class Real>
class ColumnSums {
 public:
  explicit ColumnSums(const Matrix& x) : x_(x) {}

  // Adds sum_i d_i x_i x_i^T over these columns i to the lower triangle of m. Each d_i may have either sign; d has one
  // entry per feature. Rows and columns of m are these examples, in increasing order. May be given up half-way
  // (give_up.hpp).
  void add(std::span<const Index> columns, std::span<const double> d, std::span<const Index> examples, Square<Real>& m);

 private:
  void add_dense(std::span<const Index> columns, std::span<const double> d, std::span<const Index> examples,
                 Square<Real>& m, Real sign);
  void add_gathered(std::span<const Index> columns, std::span<const Real> root, std::span<const Index> examples,
                    Square<Real>& m, Real sign) const;
  void add_turned(std::span<const Index> columns, std::span<const Real> root, Square<Real>& m, Real sign) const;
  void turn();
  void add_sparse(std::span<const Index> columns, std::span<const double> d, std::span<const Index> place,
                  Square<Real>& m, Real sign) const;

  const Matrix& x_;
  std::unique_ptr<const Columns> columns_;  // sparse: made when first needed
  // The columns of a dense matrix one after the other, where single precision is enough. Made once gathering columns
  // has cost as much as this does.
  std::vector<float> turned_;
  Index gathered_ = 0;
};

}  // namespace medlar
