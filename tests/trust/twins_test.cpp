// Columns that are the same up to unit and sign are told from all others, dense or sparse, whatever their size.
#include "medlar/trust/twins.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace medlar {
namespace {

Matrix side_by_side(const std::vector<std::vector<double>>& columns) {
  std::vector<double> values;
  for (std::size_t t = 0; t < columns.front().size(); ++t) {
    for (const auto& column : columns) values.push_back(column[t]);
  }
  return Matrix::dense(std::ssize(columns.front()), std::ssize(columns), std::move(values));
}

TEST(Twins, AreTheSameInAnyUnitAndSign) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> a, b, level;
  for (int t = 0; t < 50; ++t) a.push_back(normal(random)), b.push_back(normal(random)), level.push_back(t % 3 == 0);
  const auto changed = [](std::vector<double> column, double factor, double shift) {
    for (double& each : column) each = factor * each + shift;
    return column;
  };
  std::vector<double> nearly = a;
  nearly[7] += 1e-3;
  const auto twins = twins_of(
      side_by_side({a, b, changed(a, -3, 1), changed(b, 1e200, 0), nearly, std::vector<double>(50, 4.0), level,
                    changed(level, -1, 1), std::vector<double>(50, 0.0), changed(a, 1, 1e6), changed(b, 1e-200, 0)}));
  EXPECT_EQ(twins, (std::vector<Index>{0, 1, 0, 1, 4, kConstant, 6, 6, kConstant, 0, 1}));
  EXPECT_EQ(distinct_columns(twins), 4);
}

// Of half a million equal numbers no rounding makes a column that varies; nor do zeros that a sparse column stores.
TEST(Twins, OfLongColumnsAndStoredZeros) {
  constexpr std::size_t examples = 500000;
  std::vector<double> values;
  for (std::size_t t = 0; t < examples; ++t) values.insert(values.end(), {0.1, t == 7 ? 1.0 : 0.0});
  EXPECT_EQ(twins_of(Matrix::dense(examples, 2, std::move(values))), (std::vector<Index>{kConstant, 1}));
  const Matrix sparse = Matrix::sparse(3, 3, {0, 2, 3, 5}, {0, 1, 2, 1, 2}, std::vector<double>{5, 0, 2, 0, 2});
  EXPECT_EQ(twins_of(sparse), (std::vector<Index>{0, kConstant, 0}));
}

// Ten thousand sparse columns of two entries each, every one of them twice.
TEST(Twins, OfManySparseColumns) {
  constexpr Index examples = 300, different = 10000;
  std::vector<std::vector<Column>> rows(examples);
  Index k = 0;
  for (Index s = 0; s < examples && k < different; ++s) {
    for (Index t = s + 1; t < examples && k < different; ++t, ++k) {
      for (const Index column : {k, k + different}) {
        rows[static_cast<std::size_t>(s)].push_back(static_cast<Column>(column));
        rows[static_cast<std::size_t>(t)].push_back(static_cast<Column>(column));
      }
    }
  }
  std::vector<Index> starts{0};
  std::vector<Column> columns;
  for (auto& row : rows) {
    std::sort(row.begin(), row.end());
    columns.insert(columns.end(), row.begin(), row.end());
    starts.push_back(std::ssize(columns));
  }
  std::vector<double> values(columns.size(), 2.0);
  const auto twins = twins_of(Matrix::sparse(examples, 2 * different, starts, columns, std::move(values)));
  EXPECT_EQ(distinct_columns(twins), different);
  for (Index i = 0; i < different; ++i) {
    ASSERT_EQ(twins[static_cast<std::size_t>(i)], i);
    ASSERT_EQ(twins[static_cast<std::size_t>(i + different)], i);
  }
}

}  // namespace
}  // namespace medlar
