// Some rows of a matrix, as a matrix of its own, stored as the original is.
#include "medlar/model/rows.hpp"

namespace medlar {

Matrix select_rows(const Matrix& x, std::span<const Index> rows) {
  const auto count = static_cast<Index>(rows.size());
  std::vector<double> values;
  std::vector<Column> column_of;
  std::vector<Index> starts{0};
  for (const Index t : rows) {
    const RowView row = x.row(t);
    values.insert(values.end(), row.values.begin(), row.values.end());
    column_of.insert(column_of.end(), row.columns.begin(), row.columns.end());
    starts.push_back(static_cast<Index>(values.size()));
  }
  if (!x.is_sparse()) return Matrix::dense(count, x.columns(), std::move(values));
  return Matrix::sparse(count, x.columns(), std::move(starts), std::move(column_of), std::move(values));
}

}  // namespace medlar
