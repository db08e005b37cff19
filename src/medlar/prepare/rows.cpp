// Some rows of a matrix, as a matrix of its own, stored as the original is. All rows in their order are the matrix
// itself, which is not copied.
#include "medlar/prepare/rows.hpp"

#include <type_traits>

namespace medlar {

namespace {

template <class Value>
std::vector<Value> values_of(const Matrix& x, std::span<const Index> rows, std::size_t count) {
  std::vector<Value> values;
  values.reserve(count);
  for (const Index t : rows) {
    const NumbersView row = x.row(t).values;
    row.visit([&](const auto* first) {
      if constexpr (std::is_same_v<decltype(first), const Value*>)
        values.insert(values.end(), first, first + row.size());
    });
  }
  return values;
}

bool are_all(const Matrix& x, std::span<const Index> rows) {
  if (std::ssize(rows) != x.rows()) return false;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (rows[t] != static_cast<Index>(t)) return false;
  }
  return true;
}

}  // namespace

Matrix select_rows(const Matrix& x, std::span<const Index> rows) {
  if (are_all(x, rows)) return x;
  const auto count = static_cast<Index>(rows.size());
  std::vector<Column> column_of;
  std::vector<Index> starts{0};
  for (const Index t : rows) {
    const RowView row = x.row(t);
    column_of.insert(column_of.end(), row.columns.begin(), row.columns.end());
    starts.push_back(starts.back() + static_cast<Index>(row.values.size()));
  }
  const auto stored = static_cast<std::size_t>(starts.back());
  Numbers values =
      x.are_floats() ? Numbers(values_of<float>(x, rows, stored)) : Numbers(values_of<double>(x, rows, stored));
  if (!x.is_sparse()) return Matrix::dense(count, x.columns(), std::move(values));
  return Matrix::sparse(count, x.columns(), std::move(starts), std::move(column_of), std::move(values));
}

}  // namespace medlar
