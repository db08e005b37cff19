// Rows of the data matrix: the two operations every solver is made of, and the checks at its door.
#include "medlar/matrix.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "medlar/error.hpp"
#include "medlar/simd/row_loops.hpp"

namespace medlar {

double dot(const RowView& row, std::span<const double> w) {
  const std::size_t size = row.values.size();
  return row.values.visit([&](const auto* value) {
    if (!row.sparse) return dot_dense(value, w.data(), size);
    // Four partial sums keep four additions in flight.
    const Column* column = row.columns.data();
    const auto term = [&](std::size_t j) {
      return static_cast<double>(value[j]) * w[static_cast<std::size_t>(column[j])];
    };
    double part[4] = {0, 0, 0, 0};
    std::size_t j = 0;
    for (; j + 4 <= size; j += 4) {
      for (std::size_t k = 0; k < 4; ++k) part[k] += term(j + k);
    }
    for (; j < size; ++j) part[0] += term(j);
    return (part[0] + part[1]) + (part[2] + part[3]);
  });
}

void add_scaled(const RowView& row, double scale, std::span<double> v) {
  const std::size_t size = row.values.size();
  row.values.visit([&](const auto* value) {
    if (row.sparse) {
      const Column* column = row.columns.data();
      for (std::size_t j = 0; j < size; ++j) {
        v[static_cast<std::size_t>(column[j])] += scale * static_cast<double>(value[j]);
      }
    } else {
      add_scaled_dense(value, scale, v.data(), size);
    }
  });
}

namespace {

void check_shape(Index rows, Index columns) {
  if (rows < 0 || columns < 0) {
    throw OptionError(fmt::format("a matrix of {} by {}, but both numbers must be 0 or more", rows, columns));
  }
  if (columns > std::numeric_limits<Column>::max()) {
    throw OptionError(fmt::format("a matrix of {} columns, but at most {} can be numbered", columns,
                                  std::numeric_limits<Column>::max()));
  }
}

}  // namespace

Matrix Matrix::dense(Index rows, Index columns, Numbers row_major) {
  check_shape(rows, columns);
  const Index given = static_cast<Index>(row_major.view().size());
  if (columns == 0 ? given != 0 : (given % columns != 0 || given / columns != rows)) {
    throw OptionError(fmt::format("{} values given for a dense matrix of {} by {}", given, rows, columns));
  }
  Matrix matrix;
  matrix.rows_ = rows;
  matrix.columns_ = columns;
  matrix.set_values(std::move(row_major));
  return matrix;
}

Matrix Matrix::sparse(Index rows, Index columns, std::vector<Index> starts, std::vector<Column> column_of,
                      Numbers values) {
  check_shape(rows, columns);
  const std::size_t given = values.view().size();
  if (static_cast<Index>(starts.size()) != rows + 1 || starts.front() != 0 ||
      starts.back() != static_cast<Index>(given) || column_of.size() != given) {
    throw OptionError(
        fmt::format("a sparse matrix of {} rows has {} row starts, {} columns and {} values, which "
                    "do not fit together",
                    rows, starts.size(), column_of.size(), given));
  }
  for (std::size_t t = 0; t + 1 < starts.size(); ++t) {
    if (starts[t + 1] < starts[t] || starts[t + 1] > starts.back()) {
      throw OptionError(fmt::format("row {} of a sparse matrix ends before it starts", t + 1));
    }
    Column previous = -1;
    for (Index j = starts[t]; j < starts[t + 1]; ++j) {
      const Column column = column_of[static_cast<std::size_t>(j)];
      if (column <= previous || column >= columns) {
        throw OptionError(
            fmt::format("row {} of a sparse matrix holds column {} after column {}; columns must "
                        "increase and lie in 0..{}",
                        t + 1, column, previous, columns - 1));
      }
      previous = column;
    }
  }
  Matrix matrix;
  matrix.rows_ = rows;
  matrix.columns_ = columns;
  matrix.sparse_ = true;
  matrix.set_values(std::move(values));
  matrix.kept_pattern_ = std::make_shared<const Pattern>(Pattern{std::move(starts), std::move(column_of)});
  matrix.starts_ = matrix.kept_pattern_->starts;
  matrix.column_of_ = matrix.kept_pattern_->column_of;
  return matrix;
}

void Matrix::set_values(Numbers values) {
  kept_values_ = std::make_shared<const Numbers>(std::move(values));
  values_ = kept_values_->view();
}

Matrix Matrix::with_values(Numbers values) const {
  if (values.view().size() != values_.size()) {
    throw OptionError(fmt::format("{} values given for a matrix that stores {}", values.view().size(), values_.size()));
  }
  Matrix matrix = *this;
  matrix.set_values(std::move(values));
  return matrix;
}

Matrix Matrix::as_floats() const {
  if (are_floats()) return *this;
  std::vector<float> floats(values_.size());
  for (std::size_t j = 0; j < floats.size(); ++j) {
    floats[j] = static_cast<float>(values_[j]);
    if (std::isinf(floats[j]) && !std::isinf(values_[j])) {
      throw OptionError(fmt::format("precision = float, but the value {} is too large for it; use double", values_[j]));
    }
  }
  return with_values(std::move(floats));
}

}  // namespace medlar
