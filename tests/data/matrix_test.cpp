// The row view: dense and sparse storage of one matrix cannot be told apart from above.
#include "medlar/matrix.hpp"
#include "data/support.hpp"

namespace medlar {
namespace {

TEST(Matrix, DenseAndSparseRowsActAlike) {
  const std::vector<double> cells{0, 2, 0, 0, 5, 0, 1, 1, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0};
  const Matrix dense = Matrix::dense(3, 6, cells);
  const Matrix sparse = Matrix::sparse(3, 6, {0, 2, 4, 5}, {1, 4, 0, 1, 2}, {2, 5, 1, 1, 3});
  const std::vector<double> w{1, 10, 100, 1000, 10000, 100000};
  const Doubles expected{50020, 11, 300};
  for (Index t = 0; t < 3; ++t) {
    EXPECT_EQ(dot(dense.row(t), w), expected[static_cast<std::size_t>(t)]);
    EXPECT_EQ(dot(sparse.row(t), w), expected[static_cast<std::size_t>(t)]);
    Doubles a(6, 1.0), b(6, 1.0);
    add_scaled(dense.row(t), -2, a);
    add_scaled(sparse.row(t), -2, b);
    EXPECT_EQ(a, b);
    EXPECT_EQ(a[1], t == 0 ? -3 : t == 1 ? -1 : 1);
    EXPECT_EQ(row_of(dense, t), row_of(sparse, t));
  }
  EXPECT_EQ(dense.stored(), 18);
  EXPECT_EQ(sparse.stored(), 5);
}

TEST(Matrix, RefusesShapesThatDoNotFit) {
  EXPECT_THROW(Matrix::dense(2, 3, {1, 2, 3}), OptionError);
  EXPECT_THROW(Matrix::dense(-1, 3, {}), OptionError);
  EXPECT_THROW(Matrix::dense(0, Index{1} << 40, {}), OptionError);
  EXPECT_THROW(Matrix::sparse(1, 3, {0, 2}, {1, 1}, {1, 2}), OptionError);  // not increasing
  EXPECT_THROW(Matrix::sparse(1, 3, {0, 1}, {3}, {1}), OptionError);        // beyond the columns
  EXPECT_THROW(Matrix::sparse(2, 3, {0, 2, 1}, {1}, {1}), OptionError);     // a row that ends before it starts
  EXPECT_THROW(Matrix::sparse(1, 3, {0}, {}, {}), OptionError);
  EXPECT_EQ(Matrix::dense(3, 0, {}).rows(), 3);
}

TEST(Matrix, ViewsLookAtForeignMemoryAndKeepItsOwner) {
  const auto owner = std::make_shared<const std::vector<double>>(std::vector<double>{1, 2, 3, 4, 5, 6});
  {
    const Matrix dense = Matrix::dense_view(2, 3, NumbersView(owner->data(), 6), owner);
    dense.row(1).values.visit(
        [&](const auto* first) { EXPECT_EQ(static_cast<const void*>(first), owner->data() + 3); });
    const Matrix copy = dense, other = dense.with_values(Numbers{6, 5, 4, 3, 2, 1});
    EXPECT_EQ(owner.use_count(), 3);  // ours, the matrix's and its copy's; new values need the old ones no longer
    EXPECT_EQ(row_of(other, 0), (Doubles{6, 5, 4}));
    const std::vector<Column> column_of{0, 2, 1};
    const Matrix sparse =
        Matrix::sparse_view(2, 3, {0, 2, 3}, column_of, nullptr, NumbersView(owner->data(), 3), owner);
    EXPECT_EQ(row_of(sparse, 0), (Doubles{1, 0, 2}));
    EXPECT_EQ(row_of(sparse, 1), (Doubles{0, 3, 0}));
    EXPECT_EQ(sparse.row(1).columns.data(), column_of.data() + 2);
    EXPECT_THROW(Matrix::sparse_view(2, 2, {0, 2, 3}, column_of, nullptr, NumbersView(owner->data(), 3), owner),
                 OptionError);
    EXPECT_THROW(Matrix::dense_view(2, 2, NumbersView(owner->data(), 6), owner), OptionError);
  }
  EXPECT_EQ(owner.use_count(), 1);
}

}  // namespace
}  // namespace medlar
