#include "medlar/linalg/columns.hpp"

namespace medlar {

Columns::Columns(const Matrix& x) : starts_(static_cast<std::size_t>(x.columns()) + 1, 0) {
  for (const Column i : x.column_of()) ++starts_[static_cast<std::size_t>(i) + 1];
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  rows_.resize(x.column_of().size());
  values_.resize(rows_.size());
  std::vector<Index> next(starts_.begin(), starts_.end() - 1);
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) {
      const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(i)]++);
      rows_[place] = static_cast<Column>(t);
      values_[place] = value;
    });
  }
}

}  // namespace medlar
