// Rows of a matrix, laid out to be multiplied by many others at once: dense rows through the BLAS, sparse rows against
// a cache line of rows side by side. Single precision is for search directions, double for certificates.
#pragma once

#include <span>
#include <vector>

#include "medlar/kernels/kernel.hpp"
#include "medlar/matrix.hpp"

namespace medlar {

template <class Value>
class PackedRows {
 public:
  // Packs these rows of x. If they are all rows of a dense matrix of this precision, in order, nothing is copied, and x
  // must outlive this.
  PackedRows(const Kernel& kernel, const Matrix& x, std::span<const Index> rows);
  PackedRows(const PackedRows&) = delete;
  PackedRows& operator=(const PackedRows&) = delete;

  Index size() const { return static_cast<Index>(rows_.size()); }
  double largest_norm() const;  // of |x_t|^2

  // out[a][j] = k(other_{batch[a]}, x_{rows[j]}) for j from first to last; each out[a] is a row of size() values. Out
  // is Value, or Fraction (only from single precision and for rbf).
  template <class Out>
  void evaluate(const Matrix& other, std::span<const Index> batch, Index first, Index last, Out* const* out) const;

 private:
  template <class Out>
  void dense_products(const Matrix& other, std::span<const Index> batch, Index first, Index last,
                      Out* const* out) const;
  template <class Out>
  void sparse_rows(const Matrix& other, std::span<const Index> batch, Index first, Index last, Out* const* out) const;
  template <class Out>
  void apply_kernel(const Value* products, Index first, std::size_t size, Value norm, Out* out) const;

  Kernel kernel_;
  std::vector<Index> rows_;
  Index columns_ = 0;
  bool sparse_ = false;
  std::vector<Value> kept_;        // dense: row-major; sparse: by entry
  const Value* values_ = nullptr;  // kept_, or the matrix's own
  std::vector<Index> starts_;      // sparse
  std::vector<Column> column_of_;  // sparse
  std::vector<Value> norms_;       // rbf: |x_t|^2
};

// |x|^2 in double
double squared_norm(const RowView& row);

}  // namespace medlar
