// Statistics that are looked up by pairs of levels: sums and scores are those of the rows, written out.
#include "medlar/problem/pair_tables.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "medlar/problem/statistic_rows.hpp"

namespace medlar::test {
namespace {

constexpr std::size_t kExamples = 40, kPairs = 6, kClasses = 2;

StatisticRows random_rows(std::mt19937_64& random) {
  const std::vector<Column> sizes{3, 4, 3, 6};  // with the level 0 of what is missing
  std::vector<Column> levels;
  for (std::size_t t = 0; t < kExamples; ++t) {
    for (const Column size : sizes) levels.push_back(static_cast<Column>(random() % static_cast<std::uint64_t>(size)));
  }
  std::vector<std::vector<double>> tables(kClasses);
  std::normal_distribution<double> normal;
  for (auto& table : tables) {
    for (std::size_t v = 1; v < sizes.size(); ++v) {
      for (std::size_t u = 0; u < v; ++u) {
        for (Column a = 0; a < sizes[u]; ++a) {
          for (Column b = 0; b < sizes[v]; ++b) table.push_back(a == 0 || b == 0 ? 0.0 : normal(random));
        }
      }
    }
  }
  return StatisticRows(PairTables(sizes, levels, tables));
}

TEST(PairTables, SumsAndScoresAreThoseOfTheRows) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  const StatisticRows rows = random_rows(random);
  ASSERT_EQ(rows.examples(), static_cast<Index>(kExamples));
  ASSERT_EQ(rows.statistics(), static_cast<Index>(kPairs * kClasses));
  std::vector<double> r(kExamples), w(kPairs * kClasses), v(w.size(), 0.5), f(kExamples, 7.0), row(w.size());
  for (double& each : r) each = normal(random);
  for (double& each : w) each = normal(random);
  r[4] = 0;
  rows.add(r, v);
  rows.scores(w, f);
  const std::vector<double> squares = rows.weighted_squares(w, w.size());
  std::vector<double> sums(w.size(), 0.5);
  for (std::size_t t = 0; t < kExamples; ++t) {
    rows.row(static_cast<Index>(t), row);
    EXPECT_NEAR(f[t], std::inner_product(row.begin(), row.end(), w.begin(), 0.0), 1e-13);
    double of_squares = 0;
    for (std::size_t i = 0; i < row.size(); ++i) of_squares += row[i] * row[i] * w[i], sums[i] += r[t] * row[i];
    EXPECT_NEAR(squares[t], of_squares, 1e-12);
  }
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_NEAR(v[i], sums[i], 1e-12) << i;
}

TEST(PairTables, ARowHasTheCellsOfItsLevels) {
  const std::vector<std::vector<double>> tables{{0, 0, 0, 0, 1, 2, 0, 3, 4}, {0, 0, 0, 0, 5, 6, 0, 7, 8}};
  const StatisticRows rows(PairTables({3, 3}, {1, 2, 2, 1, 0, 2}, tables));
  std::vector<double> row(2);
  for (const auto& [t, wanted] : {std::pair{0, std::vector<double>{2, 6}}, {1, {3, 7}}, {2, {0, 0}}}) {
    rows.row(t, row);
    EXPECT_EQ(row, wanted) << t;
  }
}

}  // namespace
}  // namespace medlar::test
