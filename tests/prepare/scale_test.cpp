// Scaling: units that a long-double computation agrees with, at the edges of double precision too.
#include <cmath>
#include <random>

#include "data/support.hpp"
#include "medlar/prepare/transforms.hpp"
#include "support/refused.hpp"

namespace medlar {
namespace {

Matrix as_sparse(const Matrix& x) {
  std::vector<Index> starts{0};
  std::vector<Column> column_of;
  std::vector<double> values;
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) {
      if (value == 0) return;
      column_of.push_back(static_cast<Column>(i));
      values.push_back(value);
    });
    starts.push_back(static_cast<Index>(values.size()));
  }
  return Matrix::sparse(x.rows(), x.columns(), starts, column_of, values);
}

TEST(Scale, AgreesWithLongDoubleArithmetic) {
  const unsigned seed = 7;
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const Index rows = 500, columns = 6;
  std::vector<double> cells, weights;
  for (Index t = 0; t < rows; ++t) {
    weights.push_back(std::abs(normal(random)));
    for (Index i = 0; i < columns; ++i) {
      const double z = normal(random);
      cells.push_back(i == 0   ? z
                      : i == 1 ? 1e8 + z
                      : i == 2 ? 1e300 * z
                      : i == 3 ? 1e-300 * z
                      : i == 4 ? (z > 1 ? z : 0)
                               : -3 + 1e-3 * z);
    }
  }
  const Matrix x = Matrix::dense(rows, columns, cells);
  for (const bool weighted : {false, true}) {
    const std::vector<double> w = weighted ? weights : std::vector<double>(500, 1.0);
    const Transform scale = make_scale(x, ScaleKind::standard, true, weighted ? weights : std::vector<double>{});
    const Transform sparse =
        make_scale(as_sparse(x), ScaleKind::standard, true, weighted ? weights : std::vector<double>{});
    EXPECT_TRUE(sparse.shift.empty());
    for (Index i = 0; i < columns; ++i) {
      long double total = 0, mean = 0, variance = 0;
      for (Index t = 0; t < rows; ++t) total += w[static_cast<std::size_t>(t)];
      for (Index t = 0; t < rows; ++t)
        mean += w[static_cast<std::size_t>(t)] * static_cast<long double>(at(x, t, i)) / total;
      for (Index t = 0; t < rows; ++t) {
        const long double d = at(x, t, i) - mean;
        variance += w[static_cast<std::size_t>(t)] * d * d / total;
      }
      const auto k = static_cast<std::size_t>(i);
      const double sd = static_cast<double>(std::sqrt(variance));
      // The sums of 500 terms lose a few units in the last place; column 1 cannot know its mean better than 1e8 eps.
      EXPECT_NEAR(scale.factor[k] * sd, 1, 1e-13) << "column " << i;
      EXPECT_NEAR(sparse.factor[k] * sd, 1, i == 1 ? 1e-12 : 1e-13) << "column " << i;
      EXPECT_NEAR(scale.shift[k] / sd, static_cast<double>(mean) / sd, i == 1 ? 2e-8 : 1e-12) << "column " << i;
    }
  }
}

TEST(Scale, LeavesConstantColumnsAtZeroWhenCentred) {
  const Matrix x = Matrix::dense(3, 2, {0.1, 0, 0.1, 0, 0.1, 0});
  const Transform scale = make_scale(x, ScaleKind::standard, true);
  EXPECT_EQ(scale.factor, (Doubles{1, 1}));
  EXPECT_EQ(scale.shift, (Doubles{0.1, 0}));
  EXPECT_EQ(row_of(apply(scale, x), 1), (Doubles{0, 0}));
  EXPECT_TRUE(make_scale(x, ScaleKind::standard, false).shift.empty());
  // Rows of weight zero do not count.
  const Matrix y = Matrix::dense(3, 1, {4, 4, 7});
  EXPECT_EQ(make_scale(y, ScaleKind::standard, true, Doubles{1, 1, 0}).shift, Doubles{4});
  EXPECT_EQ(make_scale(as_sparse(Matrix::dense(2, 1, {5, 5})), ScaleKind::standard, true).factor, Doubles{1});
  EXPECT_EQ(make_scale(as_sparse(Matrix::dense(2, 1, {5, 0})), ScaleKind::standard, true).factor, Doubles{1 / 2.5});
}

TEST(Scale, SampleWeightTwoIsTheRowTwice) {
  const Transform weighted = make_scale(Matrix::dense(3, 1, {1, 4, 9}), ScaleKind::standard, true, Doubles{1, 2, 1});
  const Transform twice = make_scale(Matrix::dense(4, 1, {1, 4, 4, 9}), ScaleKind::standard, true);
  EXPECT_DOUBLE_EQ(weighted.factor[0], twice.factor[0]);
  EXPECT_DOUBLE_EQ(weighted.shift[0], twice.shift[0]);
}

TEST(Scale, MaxabsBringsTheLargestValueToOneAndKeepsZeros) {
  const Matrix x = Matrix::dense(2, 3, {-8, 0, 0, 2, 0, 5});
  const Transform scale = make_scale(x, ScaleKind::maxabs, true);
  EXPECT_TRUE(scale.shift.empty());
  EXPECT_EQ(scale.factor, (Doubles{0.125, 1, 0.2}));
  EXPECT_EQ(row_of(apply(scale, x), 0), (Doubles{-1, 0, 0}));
  const Matrix sparse = apply(scale, as_sparse(x));
  EXPECT_TRUE(sparse.is_sparse());
  EXPECT_EQ(row_of(sparse, 1), (Doubles{0.25, 0, 1}));
}

TEST(Scale, AShiftMakesASparseMatrixDense) {
  const Matrix x = Matrix::dense(2, 2, {4, 0, 0, 2});
  const Transform scale = make_scale(x, ScaleKind::standard, true);
  const Matrix replayed = apply(scale, as_sparse(x));
  EXPECT_FALSE(replayed.is_sparse());
  for (Index t = 0; t < 2; ++t) EXPECT_EQ(row_of(replayed, t), row_of(apply(scale, x), t));
  EXPECT_EQ(row_of(replayed, 0), (Doubles{1, -1}));
}

TEST(Scale, RefusesInWords) {
  const Matrix x = Matrix::dense(2, 1, {1, 2});
  EXPECT_EQ(refused([&] { make_scale(x, ScaleKind::none, true); }), "scale = none, but must be standard or maxabs");
  EXPECT_EQ(refused([&] { make_scale(x, ScaleKind::standard, true, Doubles{1}); }), "1 weights for 2 examples");
  EXPECT_EQ(refused([&] {
              make_scale(x, ScaleKind::standard, true, Doubles{0, 0});
            }),
            "no example has a positive weight, so no feature can be scaled");
  EXPECT_EQ(
      refused([&] {
        make_scale(Matrix::dense(2, 1, {0, 1e-310}), ScaleKind::maxabs, true);
      }),
      "feature 1 has largest value 1e-310, too small to scale by; multiply it by a large constant or leave it out");
  Transform scale = make_scale(x, ScaleKind::standard, true);
  EXPECT_EQ(refused([&] {
              apply(scale, Matrix::dense(1, 2, {1, 2}));
            }),
            "the scaling was recorded for 1 features, but the data has 2");
  scale.factor[0] = 1e10;
  EXPECT_EQ(refused([&] {
              apply(scale, Matrix::dense(2, 1, {1, 1e305}), Strings{"rm"});
            }),
            "rm, scaled, is too large for a double in example 2; check the value, or use --scale none");
}

}  // namespace
}  // namespace medlar
