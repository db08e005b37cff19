// A matrix of examples by features, dense or sparse, seen through one row view. Everything above this header works on
// rows and never asks how they are stored.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "medlar/numbers.hpp"
#include "medlar/types.hpp"

namespace medlar {

struct RowView {
  NumbersView values;
  // Strictly increasing. Empty for a dense row, where value i is in column i.
  std::span<const Column> columns;
  bool sparse = false;
};

template <class Visit>
void for_each(const RowView& row, Visit&& visit) {
  const auto size = row.values.size();
  row.values.visit([&](const auto* value) {
    if (row.sparse) {
      const Column* const column = row.columns.data();
      for (std::size_t j = 0; j < size; ++j) visit(static_cast<Index>(column[j]), static_cast<double>(value[j]));
    } else {
      for (std::size_t j = 0; j < size; ++j) visit(static_cast<Index>(j), static_cast<double>(value[j]));
    }
  });
}

double dot(const RowView& row, std::span<const double> w);
// sum_i x_i^2 a_i
double dot_squares(const RowView& row, std::span<const double> a);
void add_scaled(const RowView& row, double scale, std::span<double> v);

// Copies share their contents, which never change.
class Matrix {
 public:
  Matrix() = default;
  static Matrix dense(Index rows, Index columns, Numbers row_major);
  // CSR: row t holds entries starts[t] .. starts[t + 1]. Columns strictly increase within a row.
  static Matrix sparse(Index rows, Index columns, std::vector<Index> starts, std::vector<Column> column_of,
                       Numbers values);
  // The same over memory owned by someone else, which must not change while `owner` lives. Only the row starts are
  // copied.
  static Matrix dense_view(Index rows, Index columns, NumbersView row_major, std::shared_ptr<const void> owner);
  static Matrix sparse_view(Index rows, Index columns, std::vector<Index> starts, std::span<const Column> column_of,
                            std::shared_ptr<const void> owner_of_columns, NumbersView values,
                            std::shared_ptr<const void> owner_of_values);

  // The same matrix with other values; as many must be given as are stored.
  Matrix with_values(Numbers values) const;
  // The same values of a sparse matrix in other columns, which must also increase within a row.
  Matrix with_columns(Index columns, std::vector<Column> column_of) const;
  // The same matrix with each value rounded to the nearest float. A value that is too large for a float is an
  // OptionError.
  Matrix as_floats() const;

  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  Index stored() const { return static_cast<Index>(values_.size()); }
  bool is_sparse() const { return sparse_; }
  bool are_floats() const { return values_.are_floats(); }

  RowView row(Index t) const {
    if (!sparse_) {
      const auto n = static_cast<std::size_t>(columns_);
      return {values_.part(static_cast<std::size_t>(t) * n, n), {}, false};
    }
    const auto begin = static_cast<std::size_t>(starts_[static_cast<std::size_t>(t)]);
    const auto size = static_cast<std::size_t>(starts_[static_cast<std::size_t>(t) + 1]) - begin;
    return {values_.part(begin, size), {column_of_.data() + begin, size}, true};
  }

  NumbersView values() const { return values_; }
  std::span<const Column> column_of() const { return column_of_; }
  std::span<const Index> starts() const { return starts_; }

 private:
  void set_values(Numbers values);

  Index rows_ = 0;
  Index columns_ = 0;
  bool sparse_ = false;
  NumbersView values_;
  std::span<const Column> column_of_;
  std::span<const Index> starts_;
  // The owners of what the views refer to.
  std::shared_ptr<const void> kept_values_;
  std::shared_ptr<const void> kept_pattern_;
};

}  // namespace medlar
