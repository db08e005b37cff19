// --precision float: values rounded once to the nearest float, sums in double, and nothing above the row view notices.
#include <cmath>
#include <random>

#include "data/support.hpp"
#include "medlar/fit.hpp"
#include "medlar/prepare/rows.hpp"
#include "medlar/prepare/transforms.hpp"

namespace medlar {
namespace {

class Precision : public DataTest {};

double rounded(double value) {
  return static_cast<double>(static_cast<float>(value));
}

TEST_F(Precision, RowsOfFloatsActAsTheRoundedDoubles) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  Doubles cells(7 * 11);
  for (double& cell : cells) cell = random() % 3 ? normal(random) : 0;
  Doubles nearest = cells;
  for (double& cell : nearest) cell = rounded(cell);
  const Matrix floats = Matrix::dense(7, 11, cells).as_floats(), doubles = Matrix::dense(7, 11, nearest);
  Doubles w(11);
  for (double& each : w) each = normal(random);
  EXPECT_TRUE(floats.are_floats());
  EXPECT_FALSE(doubles.are_floats());
  for (Index t = 0; t < 7; ++t) {
    EXPECT_EQ(row_of(floats, t), row_of(doubles, t));
    EXPECT_EQ(dot(floats.row(t), w), dot(doubles.row(t), w));  // the same sums, in double
    Doubles a = w, b = w;
    add_scaled(floats.row(t), 0.3, a);
    add_scaled(doubles.row(t), 0.3, b);
    EXPECT_EQ(a, b);
  }
  const std::vector<Index> chosen{5, 0};
  const Matrix some = select_rows(floats, chosen);
  EXPECT_TRUE(some.are_floats());
  EXPECT_EQ(row_of(some, 0), row_of(floats, 5));
}

TEST_F(Precision, EveryReaderRoundsOnce) {
  const ReadOptions options{.precision = ValuePrecision::floats};
  const Dataset sparse = read("a.svm", "1 1:0.1 3:2\n-1 2:0.3\n", options);
  EXPECT_TRUE(sparse.x.are_floats());
  EXPECT_EQ(row_of(sparse.x, 0), (Doubles{rounded(0.1), 0, 2}));
  EXPECT_EQ(sparse.x.stored(), 3);
  const Dataset table = read("a.csv", "a,b,y\n0.1,1e-3,0.7\n0.3,7,0.2\n", options);
  EXPECT_TRUE(table.x.are_floats());
  EXPECT_EQ(row_of(table.x, 0), (Doubles{rounded(0.1), rounded(1e-3)}));
  EXPECT_EQ(table.target.values, (Doubles{0.7, 0.2}));  // targets stay doubles
  const Dataset coded = read("a.csv", "k,y\na,1\nb,2\nc,3\nd,4\ne,5\nf,6\ng,7\nh,8\n", options);
  EXPECT_TRUE(coded.x.is_sparse() && coded.x.are_floats());
  EXPECT_FALSE(read("a.svm", "1 1:0.1\n").x.are_floats());
}

TEST_F(Precision, RefusesWhatNoFloatCanHold) {
  const ReadOptions options{.precision = ValuePrecision::floats};
  EXPECT_EQ(refusal("a.svm", "1 2:1\n1 3:-1e39 4:1\n", options),
            "a.svm:2:5: value -1e39 is too large for a float; use --precision double");
  EXPECT_EQ(refusal("a.csv", "a,b,y\n1,2,3\n4,1e39,6\n", options),
            "a.csv:3:3: column 'b' holds 1e39, which is too large for a float; use --precision double");
  EXPECT_THROW(Matrix::dense(1, 1, {1e39}).as_floats(), OptionError);
  // The largest double that rounds to a finite float, and the next one.
  EXPECT_EQ(rounded(largest_for_float), static_cast<double>(std::numeric_limits<float>::max()));
  EXPECT_TRUE(std::isinf(rounded(std::nextafter(largest_for_float, HUGE_VAL))));
}

TEST_F(Precision, TransformsComputeInDoubleAndStoreRounded) {
  const Matrix dense = Matrix::dense(3, 2, {1.25, 7, 2.5, 8, 4, 10}), floats = dense.as_floats();
  const Matrix sparse = Matrix::sparse(2, 3, {0, 2, 3}, {0, 2, 1}, {0.75, 3, 5});
  for (const ScaleKind kind : {ScaleKind::standard, ScaleKind::maxabs}) {
    const Transform scale = make_scale(floats, kind, true);
    const Matrix scaled = apply(scale, floats), wanted = apply(scale, dense);
    ASSERT_TRUE(scaled.are_floats());
    for (Index t = 0; t < 3; ++t) {
      for (Index i = 0; i < 2; ++i) EXPECT_EQ(at(scaled, t, i), rounded(at(wanted, t, i)));
    }
    const Transform other = make_scale(sparse, kind, true);
    const Matrix shrunk = apply(other, sparse.as_floats());
    ASSERT_TRUE(shrunk.are_floats() && shrunk.is_sparse());
    EXPECT_EQ(at(shrunk, 1, 1), rounded(at(apply(other, sparse), 1, 1)));
    EXPECT_EQ(at(sparse, 1, 1), 5);  // copies share their values, and no one writes into them
  }
  const Matrix squares = apply(make_expansion(floats, ExpansionKind::quadratic), floats);
  EXPECT_TRUE(squares.are_floats());
  EXPECT_EQ(at(squares, 2, 4), 100);
}

TEST_F(Precision, AFitOnFloatsIsTheFitOnTheRoundedValues) {
  std::string content;
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  for (int t = 0; t < 40; ++t) {
    const double a = normal(random);
    content += std::to_string(a) + "," + std::to_string(normal(random)) + "," +
               std::to_string(a + 0.1 * normal(random)) + "\n";
  }
  Settings settings;
  settings.p0 = 0.5;
  settings.tolerance = 1e-9;
  const Model doubles = fit(read("a.csv", content, {.header = "no"}), settings);
  const Model floats = fit(read("a.csv", content, {.header = "no", .precision = ValuePrecision::floats}), settings);
  settings.precision = ValuePrecision::floats;
  const Model rounded_late = fit(read("a.csv", content, {.header = "no"}), settings);
  for (std::size_t i = 0; i < doubles.features.size(); ++i) {
    EXPECT_EQ(floats.features[i].name, rounded_late.features[i].name);
    EXPECT_EQ(floats.features[i].coefficient, rounded_late.features[i].coefficient);
    EXPECT_NEAR(floats.features[i].coefficient, doubles.features[i].coefficient, 1e-5);  // a float has 7 digits
  }
  EXPECT_NE(floats.report.objective, doubles.report.objective);
}

}  // namespace
}  // namespace medlar
