// Rows of the data matrix: the two operations every solver is made of, and the checks at its door.
#include "medlar/matrix.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "medlar/error.hpp"

namespace medlar {

double dot(const RowView& row, std::span<const double> w) {
  const double* value = row.values.data();
  const std::size_t size = row.values.size();
  double sum = 0;
  if (row.sparse) {
    const Column* column = row.columns.data();
    for (std::size_t j = 0; j < size; ++j) sum += value[j] * w[static_cast<std::size_t>(column[j])];
    return sum;
  }
  // Four partial sums let the compiler keep four additions in flight.
  double part[4] = {0, 0, 0, 0};
  std::size_t j = 0;
  for (; j + 4 <= size; j += 4) {
    for (std::size_t k = 0; k < 4; ++k) part[k] += value[j + k] * w[j + k];
  }
  for (; j < size; ++j) sum += value[j] * w[j];
  return sum + ((part[0] + part[1]) + (part[2] + part[3]));
}

void add_scaled(const RowView& row, double scale, std::span<double> v) {
  const double* value = row.values.data();
  const std::size_t size = row.values.size();
  if (row.sparse) {
    const Column* column = row.columns.data();
    for (std::size_t j = 0; j < size; ++j) v[static_cast<std::size_t>(column[j])] += scale * value[j];
  } else {
    for (std::size_t j = 0; j < size; ++j) v[j] += scale * value[j];
  }
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

Matrix Matrix::dense(Index rows, Index columns, std::vector<double> row_major) {
  check_shape(rows, columns);
  const Index given = static_cast<Index>(row_major.size());
  if (columns == 0 ? given != 0 : (given % columns != 0 || given / columns != rows)) {
    throw OptionError(fmt::format("{} values given for a dense matrix of {} by {}", given, rows, columns));
  }
  Matrix matrix;
  matrix.rows_ = rows;
  matrix.columns_ = columns;
  matrix.values_ = std::move(row_major);
  return matrix;
}

Matrix Matrix::sparse(Index rows, Index columns, std::vector<Index> starts, std::vector<Column> column_of,
                      std::vector<double> values) {
  check_shape(rows, columns);
  if (static_cast<Index>(starts.size()) != rows + 1 || starts.front() != 0 ||
      starts.back() != static_cast<Index>(values.size()) || column_of.size() != values.size()) {
    throw OptionError(
        fmt::format("a sparse matrix of {} rows has {} row starts, {} columns and {} values, which "
                    "do not fit together",
                    rows, starts.size(), column_of.size(), values.size()));
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
  matrix.values_ = std::move(values);
  matrix.column_of_ = std::move(column_of);
  matrix.starts_ = std::move(starts);
  return matrix;
}

}  // namespace medlar
