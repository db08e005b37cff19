// Each fold has means of its own, so the imputed cells are remembered and filled again from the fitted part alone. In a
// sparse row a filled cell may appear or vanish, which changes the pattern of the matrix.
#include "medlar/prepare/impute.hpp"

#include <algorithm>
#include <type_traits>

#include "medlar/numerics/sum.hpp"

namespace medlar {
namespace {

// The column of the file that each feature comes from.
std::vector<std::size_t> columns_by_feature(const Schema& schema) {
  std::vector<std::size_t> column;
  for (std::size_t k = 0; k < schema.columns.size(); ++k) {
    column.insert(column.end(), std::max<std::size_t>(1, schema.columns[k].levels.size()), k);
  }
  return column;
}

// Builds rows with other values in some cells. An entry of a sparse row may appear or vanish.
template <class Value>
class RowsWith {
 public:
  explicit RowsWith(const Matrix& x) : x_(x) {}

  void add(const RowView& row, std::span<const std::pair<Index, double>> cells) {
    auto cell = cells.begin();
    const auto put_before = [&](Index feature) {
      for (; cell != cells.end() && cell->first < feature; ++cell) put(cell->first, cell->second);
    };
    for_each(row, [&](Index i, double value) {
      put_before(i);
      const bool other = cell != cells.end() && cell->first == i;
      put(i, other ? (cell++)->second : value);
    });
    put_before(x_.columns());
    starts_.push_back(std::ssize(values_));
  }

  Matrix made() && {
    if (!x_.is_sparse()) return Matrix::dense(x_.rows(), x_.columns(), std::move(values_));
    return Matrix::sparse(x_.rows(), x_.columns(), std::move(starts_), std::move(column_of_), std::move(values_));
  }

 private:
  void put(Index feature, double value) {
    values_.push_back(static_cast<Value>(value));
    if (x_.is_sparse()) column_of_.push_back(static_cast<Column>(feature));
  }

  const Matrix& x_;
  std::vector<Index> starts_{0};
  std::vector<Column> column_of_;
  std::vector<Value> values_;
};

template <class Value>
Matrix with_fills(const Dataset& data, const std::vector<double>& fill) {
  RowsWith<Value> rows(data.x);
  auto cell = data.imputed.begin();
  std::vector<std::pair<Index, double>> cells;
  for (Index t = 0; t < data.examples(); ++t) {
    cells.clear();
    for (; cell != data.imputed.end() && cell->example == t; ++cell) {
      cells.emplace_back(cell->feature, fill[static_cast<std::size_t>(cell->feature)]);
    }
    rows.add(data.x.row(t), cells);
  }
  return std::move(rows).made();
}

}  // namespace

std::vector<ImputedCell> imputed_of(const std::vector<ImputedCell>& all, std::span<const Index> rows) {
  std::vector<ImputedCell> some;
  if (all.empty()) return some;
  const auto by_example = [](const ImputedCell& cell, Index t) { return cell.example < t; };
  for (std::size_t t = 0; t < rows.size(); ++t) {
    auto cell = std::lower_bound(all.begin(), all.end(), rows[t], by_example);
    for (; cell != all.end() && cell->example == rows[t]; ++cell) {
      some.push_back({static_cast<Index>(t), cell->feature});
    }
  }
  return some;
}

std::vector<Index> features_of(const std::vector<ImputedCell>& cells) {
  std::vector<Index> features;
  for (const ImputedCell& cell : cells) features.push_back(cell.feature);
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
  return features;
}

void learn_means(Dataset& data, std::span<const Index> features) {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> slot(static_cast<std::size_t>(data.features()), none);
  for (std::size_t k = 0; k < features.size(); ++k) slot[static_cast<std::size_t>(features[k])] = k;
  std::vector<CompensatedSum> sum(features.size()), total(features.size());
  std::vector<Index> absent_in(features.size(), -1);  // the last row without a value
  auto cell = data.imputed.begin();
  for (Index t = 0; t < data.examples(); ++t) {
    for (; cell != data.imputed.end() && cell->example == t; ++cell) {
      absent_in[slot[static_cast<std::size_t>(cell->feature)]] = t;
    }
    const double weight = data.weights.empty() ? 1 : data.weights[static_cast<std::size_t>(t)];
    for (std::size_t k = 0; k < features.size(); ++k) {
      if (absent_in[k] != t) total[k].add(weight);
    }
    for_each(data.x.row(t), [&](Index i, double value) {
      const std::size_t k = slot[static_cast<std::size_t>(i)];
      if (k != none && absent_in[k] != t) sum[k].add(weight * value);
    });
  }
  const std::vector<std::size_t> column = columns_by_feature(data.schema);
  for (std::size_t k = 0; k < features.size(); ++k) {
    const double weights = total[k].value();
    data.schema.columns[column[static_cast<std::size_t>(features[k])]].fill =
        weights > 0 ? sum[k].value() / weights : 0.0;
  }
}

void put_means(Dataset& data, const Schema& schema) {
  data.schema = schema;
  if (data.imputed.empty()) return;
  const std::vector<std::size_t> column = columns_by_feature(schema);
  std::vector<double> fill;
  for (const std::size_t k : column) fill.push_back(schema.columns[k].fill.value_or(0));
  data.x = data.x.are_floats() ? with_fills<float>(data, fill) : with_fills<double>(data, fill);
}

}  // namespace medlar
