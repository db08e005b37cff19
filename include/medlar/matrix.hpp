// A matrix of examples by features, dense or sparse, seen through one row view.
// Everything above this header works on rows and never asks how they are stored.
#pragma once

#include <span>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

struct RowView {
  std::span<const double> values;
  std::span<const Column> columns;  // strictly increasing; empty for a dense row, where value i is column i
  bool sparse = false;
};

template <class Visit>
void for_each(const RowView& row, Visit&& visit) {
  const auto size = row.values.size();
  if (row.sparse) {
    for (std::size_t j = 0; j < size; ++j) visit(static_cast<Index>(row.columns[j]), row.values[j]);
  } else {
    for (std::size_t j = 0; j < size; ++j) visit(static_cast<Index>(j), row.values[j]);
  }
}

double dot(const RowView& row, std::span<const double> w);
void add_scaled(const RowView& row, double scale, std::span<double> v);

class Matrix {
 public:
  Matrix() = default;
  static Matrix dense(Index rows, Index columns, std::vector<double> row_major);
  // CSR: row t holds entries starts[t] .. starts[t + 1]; columns strictly increase within a row.
  static Matrix sparse(Index rows, Index columns, std::vector<Index> starts, std::vector<Column> column_of,
                       std::vector<double> values);

  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  Index stored() const { return static_cast<Index>(values_.size()); }
  bool is_sparse() const { return sparse_; }

  RowView row(Index t) const {
    if (!sparse_) {
      const auto n = static_cast<std::size_t>(columns_);
      return {{values_.data() + static_cast<std::size_t>(t) * n, n}, {}, false};
    }
    const auto begin = static_cast<std::size_t>(starts_[static_cast<std::size_t>(t)]);
    const auto size = static_cast<std::size_t>(starts_[static_cast<std::size_t>(t) + 1]) - begin;
    return {{values_.data() + begin, size}, {column_of_.data() + begin, size}, true};
  }

  std::span<double> values() { return values_; }
  std::span<const double> values() const { return values_; }
  std::span<const Column> column_of() const { return column_of_; }
  std::span<const Index> starts() const { return starts_; }

 private:
  Index rows_ = 0;
  Index columns_ = 0;
  bool sparse_ = false;
  std::vector<double> values_;
  std::vector<Column> column_of_;
  std::vector<Index> starts_;
};

}  // namespace medlar
