// Expansions: the same products dense and sparse, in a fixed order, with names that speak.
#include <algorithm>
#include <cmath>
#include <random>

#include "data/support.hpp"
#include "medlar/data/bytes/memory.hpp"
#include "medlar/prepare/transforms.hpp"
#include "support/refused.hpp"

namespace medlar {
namespace {

using Factors = std::vector<std::vector<Index>>;

Matrix random_matrix(Index rows, Index columns, double density, bool sparse, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  std::vector<double> cells(static_cast<std::size_t>(rows * columns), 0.0), values;
  std::vector<Index> starts{0};
  std::vector<Column> column_of;
  for (Index t = 0; t < rows; ++t) {
    for (Index i = 0; i < columns; ++i) {
      if (uniform(random) >= density) continue;
      const double value = uniform(random) - 0.5;
      cells[static_cast<std::size_t>(t * columns + i)] = value;
      column_of.push_back(static_cast<Column>(i));
      values.push_back(value);
    }
    starts.push_back(static_cast<Index>(values.size()));
  }
  return sparse ? Matrix::sparse(rows, columns, starts, column_of, values) : Matrix::dense(rows, columns, cells);
}

// Every output against the product of its factors, taken cell by cell.
void expect_products(const Transform& expansion, const Matrix& x) {
  const Matrix expanded = apply(expansion, x);
  ASSERT_EQ(expanded.rows(), x.rows());
  ASSERT_EQ(expanded.columns(), static_cast<Index>(expansion.factors.size()));
  for (Index t = 0; t < x.rows(); ++t) {
    const std::vector<double> in = row_of(x, t), out = row_of(expanded, t);
    for (std::size_t j = 0; j < out.size(); ++j) {
      double product = 1;
      std::vector<Index> factors = expansion.factors[j];
      std::sort(factors.begin(), factors.end());  // the order of multiplication decides the last bit
      for (const Index i : factors) product *= in[static_cast<std::size_t>(i)];
      ASSERT_EQ(out[j], product) << "row " << t << ", product " << j;
    }
  }
}

TEST(Expand, QuadraticListsFeaturesThenPairs) {
  const Matrix x = Matrix::dense(2, 3, {1, 2, 3, 4, 5, 6});
  const Transform expansion = make_expansion(x, ExpansionKind::quadratic);
  EXPECT_EQ(expansion.kind, TransformKind::expand);
  EXPECT_EQ(expansion.factors, (Factors{{0}, {1}, {2}, {0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}));
  EXPECT_EQ(row_of(apply(expansion, x), 0), (Doubles{1, 2, 3, 1, 2, 3, 4, 6, 9}));
  EXPECT_EQ(names_after(expansion, Strings{"rm", "lstat", "z"}),
            (Strings{"rm", "lstat", "z", "rm^2", "rm*lstat", "rm*z", "lstat^2", "lstat*z", "z^2"}));
}

TEST(Expand, PowersListDegreesFeatureByFeature) {
  const Matrix x = Matrix::dense(1, 2, {2, -3});
  const Transform expansion = make_expansion(x, {ExpansionKind::powers, 3});
  EXPECT_EQ(row_of(apply(expansion, x), 0), (Doubles{2, 4, 8, -3, 9, -27}));
  EXPECT_EQ(names_after(expansion, Strings{"a", "b"}), (Strings{"a", "a^2", "a^3", "b", "b^2", "b^3"}));
  EXPECT_EQ(make_expansion(x, {ExpansionKind::powers, 20}).factors.size(), 40u);
  EXPECT_EQ(apply(make_expansion(x, {ExpansionKind::powers, 1}), x).columns(), 2);
}

TEST(Expand, SparseKeepsOnlyPairsThatMeet) {
  const Matrix x = Matrix::sparse(3, 5, {0, 2, 3, 5}, {0, 3, 1, 0, 4}, {2, 3, 5, 7, 11});
  const Transform expansion = make_expansion(x, ExpansionKind::quadratic);
  EXPECT_EQ(expansion.factors, (Factors{{0}, {1}, {2}, {3}, {4}, {0, 0}, {0, 3}, {0, 4}, {1, 1}, {3, 3}, {4, 4}}));
  const Matrix expanded = apply(expansion, x);
  EXPECT_TRUE(expanded.is_sparse());
  EXPECT_EQ(row_of(expanded, 0), (Doubles{2, 0, 0, 3, 0, 4, 6, 0, 0, 9, 0}));
  // A row at prediction may hold a pair that training never met: there is no column for it.
  const Matrix later = Matrix::sparse(1, 5, {0, 3}, {0, 1, 3}, {1, 1, 1});
  EXPECT_EQ(row_of(apply(expansion, later), 0), (Doubles{1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 0}));
}

TEST(Expand, EveryProductIsRightDenseAndSparse) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const double density = 0.05 * seed;
    for (const bool sparse : {false, true}) {
      const Matrix x = random_matrix(12, 15, density, sparse, seed);
      expect_products(make_expansion(x, ExpansionKind::quadratic), x);
      expect_products(make_expansion(x, {ExpansionKind::powers, 4}), x);
      const Transform expansion = make_expansion(x, ExpansionKind::quadratic);
      expect_products(expansion, random_matrix(9, 15, 0.9, !sparse, seed + 100));  // replayed on other rows
    }
  }
  // Monomials of any form, as a model file may hold them.
  Transform mixed;
  mixed.kind = TransformKind::expand;
  mixed.factors = {{2, 0, 1}, {3}, {1, 1, 3}, {0, 2}, {0, 3}};
  expect_products(mixed, random_matrix(20, 4, 0.6, true, 1));
  expect_products(mixed, random_matrix(20, 4, 1, false, 1));
}

// 20,000 columns would make 200 million pairs; 300 rows of 20 non-zeros make 63,000.
TEST(Expand, WideSparseDataNeedsNoSquareOfItsWidth) {
  const Matrix x = random_matrix(300, 20000, 0.001, true, 3);
  const Transform expansion = make_expansion(x, ExpansionKind::quadratic);
  double nonzeros = 0;
  for (Index t = 0; t < x.rows(); ++t) {
    const auto k = static_cast<double>(x.row(t).values.size());
    nonzeros += k + k * (k + 1) / 2;
  }
  EXPECT_LE(static_cast<double>(expansion.factors.size()), nonzeros + 20000);
  const Matrix expanded = apply(expansion, x);
  EXPECT_EQ(static_cast<double>(expanded.stored()), nonzeros);
}

TEST(Expand, MostlyZeroDenseDataIsTreatedAsSparse) {
  const Matrix x = random_matrix(40, 30, 0.2, false, 4);
  EXPECT_TRUE(apply(make_expansion(x, ExpansionKind::quadratic), x).is_sparse());
  const Matrix full = random_matrix(40, 30, 1, false, 4);
  EXPECT_FALSE(apply(make_expansion(full, ExpansionKind::quadratic), full).is_sparse());
}

TEST(Expand, ReplayInBlocksEqualsOnePass) {
  const Matrix x = random_matrix(10, 8, 0.5, true, 5), y = random_matrix(6, 8, 0.5, false, 6);
  const Transform expansion = make_expansion(x, ExpansionKind::quadratic);
  Replay replay(expansion);
  for (const Matrix* block : {&x, &y, &x}) {
    const Matrix once = apply(expansion, *block), again = replay(*block);
    for (Index t = 0; t < block->rows(); ++t) EXPECT_EQ(row_of(once, t), row_of(again, t));
  }
}

TEST(Expand, RefusesInWords) {
  const Matrix x = Matrix::dense(2, 2, {1, 1, 1e200, 1e200});
  const Strings names{"rm", "lstat"};
  for (const ExpansionChoice expand :
       {ExpansionChoice(ExpansionKind::powers, 0), ExpansionChoice(ExpansionKind::powers, 21), ExpansionChoice()}) {
    EXPECT_EQ(refused([&] { make_expansion(x, expand); }),
              "expand = " + text_of(expand) + ", but must be none, quadratic or powers:D with D from 1 to 20");
  }
  EXPECT_EQ(refused([&] { apply(make_expansion(x, ExpansionKind::quadratic), x, names); }),
            "rm^2 is too large for a double in example 2; scale the data before expanding it");
  EXPECT_EQ(refused([&] {
              apply(make_expansion(x, {ExpansionKind::powers, 2}), x);
            }),
            "feature 1^2 is too large for a double in example 2; scale the data before expanding it");
  EXPECT_EQ(refused([&] {
              make_expansion(Matrix::dense(1, 2, {1e-200, 1}), {ExpansionKind::powers, 2});
            }),
            "feature 1 to the power 2 is too small for a double in every row; scale the data before expanding it");
  EXPECT_EQ(
      refused([&] {
        make_expansion(Matrix::dense(1, 2, {1e-200, 1e-200}), ExpansionKind::quadratic);
      }),
      "the product of features 1 and 1 is too small for a double in every row; scale the data before expanding it");
  EXPECT_EQ(refused([&] { apply(make_expansion(x, ExpansionKind::quadratic), Matrix::dense(1, 1, {1})); }),
            "an expansion uses feature 2, but the data has 1 features");
}

TEST(Expand, RefusesWhatHalfTheMemoryCannotHold) {
  // One row of k non-zeros has k^2 / 2 products of 12 bytes each: choose k so that they take all of the memory.
  const auto k = static_cast<Index>(std::sqrt(machine_memory() / 6));
  std::vector<Column> columns;
  for (Index i = 0; i < k; ++i) columns.push_back(static_cast<Column>(i));
  const Matrix x = Matrix::sparse(1, k, {0, k}, columns, std::vector<double>(static_cast<std::size_t>(k), 1.0));
  const std::string sentence = refused([&] { make_expansion(x, ExpansionKind::quadratic); });
  EXPECT_NE(sentence.find("the quadratic expansion of " + std::to_string(k) + " features"), std::string::npos)
      << sentence;
  EXPECT_NE(sentence.find("more than half of the"), std::string::npos) << sentence;
}

}  // namespace
}  // namespace medlar
