// Rows of the data matrix: the few operations that every solver is made of, and the checks when a matrix is made.
#include "medlar/matrix.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "medlar/error.hpp"
#include "medlar/linalg/give_up.hpp"
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

double dot_squares(const RowView& row, std::span<const double> a) {
  const std::size_t size = row.values.size();
  return row.values.visit([&](const auto* value) {
    if (!row.sparse) return dot_squares_dense(value, a.data(), size);
    double sum = 0;
    for (std::size_t j = 0; j < size; ++j) {
      const auto x = static_cast<double>(value[j]);
      sum += x * (x * a[static_cast<std::size_t>(row.columns[j])]);
    }
    return sum;
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
    throw OptionError(fmt::format("a matrix of {} columns, but at most {} can be numbered; keep those that occur",
                                  columns, std::numeric_limits<Column>::max()));
  }
}

void check_pattern(Index rows, Index columns, std::span<const Index> starts, std::span<const Column> column_of,
                   std::size_t given) {
  if (static_cast<Index>(starts.size()) != rows + 1 || starts.front() != 0 ||
      starts.back() != static_cast<Index>(given) || column_of.size() != given) {
    throw OptionError(
        fmt::format("a sparse matrix of {} rows has {} row starts, {} columns and {} values, which "
                    "do not fit together",
                    rows, starts.size(), column_of.size(), given));
  }
  Pauses pauses;
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
    pauses.after(static_cast<std::size_t>(starts[t + 1] - starts[t]));
  }
}

}  // namespace

Matrix Matrix::dense(Index rows, Index columns, Numbers row_major) {
  auto kept = std::make_shared<const Numbers>(std::move(row_major));
  const NumbersView values = kept->view();
  return dense_view(rows, columns, values, std::move(kept));
}

Matrix Matrix::dense_view(Index rows, Index columns, NumbersView row_major, std::shared_ptr<const void> owner) {
  check_shape(rows, columns);
  const Index given = static_cast<Index>(row_major.size());
  if (columns == 0 ? given != 0 : (given % columns != 0 || given / columns != rows)) {
    throw OptionError(fmt::format("{} values given for a dense matrix of {} by {}", given, rows, columns));
  }
  Matrix matrix;
  matrix.rows_ = rows;
  matrix.columns_ = columns;
  matrix.values_ = row_major;
  matrix.kept_values_ = std::move(owner);
  return matrix;
}

Matrix Matrix::sparse(Index rows, Index columns, std::vector<Index> starts, std::vector<Column> column_of,
                      Numbers values) {
  auto kept_columns = std::make_shared<const std::vector<Column>>(std::move(column_of));
  auto kept_values = std::make_shared<const Numbers>(std::move(values));
  const std::span<const Column> columns_view = *kept_columns;
  const NumbersView values_view = kept_values->view();
  return sparse_view(rows, columns, std::move(starts), columns_view, std::move(kept_columns), values_view,
                     std::move(kept_values));
}

Matrix Matrix::sparse_view(Index rows, Index columns, std::vector<Index> starts, std::span<const Column> column_of,
                           std::shared_ptr<const void> owner_of_columns, NumbersView values,
                           std::shared_ptr<const void> owner_of_values) {
  check_shape(rows, columns);
  check_pattern(rows, columns, starts, column_of, values.size());
  struct Pattern {
    std::vector<Index> starts;
    std::shared_ptr<const void> owner_of_columns;
  };
  const auto pattern = std::make_shared<const Pattern>(Pattern{std::move(starts), std::move(owner_of_columns)});
  Matrix matrix;
  matrix.rows_ = rows;
  matrix.columns_ = columns;
  matrix.sparse_ = true;
  matrix.starts_ = pattern->starts;
  matrix.column_of_ = column_of;
  matrix.values_ = values;
  matrix.kept_pattern_ = pattern;
  matrix.kept_values_ = std::move(owner_of_values);
  return matrix;
}

void Matrix::set_values(Numbers values) {
  auto kept = std::make_shared<const Numbers>(std::move(values));
  values_ = kept->view();
  kept_values_ = std::move(kept);
}

Matrix Matrix::with_values(Numbers values) const {
  if (values.view().size() != values_.size()) {
    throw OptionError(fmt::format("{} values given for a matrix that stores {}", values.view().size(), values_.size()));
  }
  Matrix matrix = *this;
  matrix.set_values(std::move(values));
  return matrix;
}

Matrix Matrix::with_columns(Index columns, std::vector<Column> column_of) const {
  const auto kept = std::make_shared<const std::vector<Column>>(std::move(column_of));
  return sparse_view(rows_, columns, {starts_.begin(), starts_.end()}, *kept, kept, values_, kept_values_);
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
