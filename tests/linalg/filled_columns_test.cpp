// Columns that hold an entry, and fits that leave the others out: they must be those of the narrow matrix.
#include "medlar/linalg/filled_columns.hpp"

#include "medlar/path.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

constexpr Index kWide = 6000, kStride = 37;

// Column i of `narrow` is column 37 i + 5 of 6,000.
Matrix widened(const Matrix& narrow) {
  std::vector<Column> columns;
  for (const Column i : narrow.column_of()) columns.push_back(static_cast<Column>(kStride * i + 5));
  return narrow.with_columns(kWide, std::move(columns));
}

TEST(FilledColumns, AreThoseThatHoldAnEntry) {
  const Matrix narrow = sparse(sample(true, 30, 20, 1, 0.5).x);
  const auto filled = filled_columns(widened(narrow));
  ASSERT_TRUE(filled.has_value());
  ASSERT_EQ(filled->columns.size(), 20U);
  EXPECT_EQ(filled->all, kWide);
  for (std::size_t j = 0; j < 20; ++j) EXPECT_EQ(filled->columns[j], kStride * static_cast<Index>(j) + 5);
  EXPECT_TRUE(std::ranges::equal(filled->x.column_of(), narrow.column_of()));
  EXPECT_EQ(filled->x.columns(), 20);
  std::vector<double> values(20);
  for (std::size_t j = 0; j < 20; ++j) values[j] = static_cast<double>(j) + 1;
  const std::vector<double> all = filled->among_all(values, -1);
  EXPECT_EQ(all[5], 1);
  EXPECT_EQ(all[6], -1);
  EXPECT_EQ(filled->of_filled(all), values);
}

TEST(FilledColumns, AreNotLookedForWhereTheySaveLittle) {
  const Matrix narrow = sparse(sample(true, 30, 20, 1, 0.5).x);
  EXPECT_FALSE(filled_columns(narrow).has_value());
  EXPECT_FALSE(filled_columns(dense(Rows(3, std::vector<double>(5000, 0.0)))).has_value());
  EXPECT_FALSE(filled_columns(sparse(Rows(3, std::vector<double>(5000, 1.0)))).has_value());
  EXPECT_FALSE(filled_columns(sparse(Rows(3, std::vector<double>(5000, 0.0)))).has_value());  // nothing at all
}

void expect_same(const Model& wide, const Model& narrow, double p0) {
  ASSERT_EQ(wide.features.size(), static_cast<std::size_t>(kWide));
  EXPECT_EQ(wide.report.status, Status::converged);
  EXPECT_EQ(wide.report.objective, narrow.report.objective);
  EXPECT_EQ(wide.report.primal, narrow.report.primal);
  EXPECT_EQ(wide.bias, narrow.bias);
  EXPECT_EQ(wide.multipliers, narrow.multipliers);
  const double v = *wide.settings.prior_variance;
  for (std::size_t i = 0; i < wide.features.size(); ++i) {
    const Feature& feature = wide.features[i];
    if (i % kStride == 5 && i / kStride < narrow.features.size()) {
      const Feature& same = narrow.features[i / kStride];
      EXPECT_EQ(feature.coefficient, same.coefficient) << i;
      EXPECT_DOUBLE_EQ(feature.inclusion, same.inclusion) << i;  // loops of another length
      EXPECT_DOUBLE_EQ(feature.sd, same.sd) << i;
    } else {
      EXPECT_EQ(feature.coefficient, 0) << i;
      EXPECT_NEAR(feature.inclusion, p0, 1e-12 * p0) << i;
      EXPECT_NEAR(feature.sd, std::sqrt(v * p0), 1e-12) << i;
    }
  }
}

TEST(FilledColumns, AFitIsThatOfThemAlone) {
  for (const bool classify : {true, false}) {
    const Sample made = sample(classify, 60, 90, 2, 0.7);
    const Dataset narrow = dataset(sparse(made.x), made.y), wide = dataset(widened(narrow.x), made.y);
    for (const double p0 : {1.0, 1e-2}) {
      SCOPED_TRACE(fmt::format("{} {}", classify ? "classify" : "regress", p0));
      Settings settings = with(classify ? "exponential" : "tube", p0);
      const Model of_wide = fit(wide, settings);
      expect_same(of_wide, fit(narrow, settings), p0);
      Continuation from;  // goes on from its own end
      from.from = &of_wide;
      EXPECT_NEAR(fit(wide, settings, nullptr, from).report.objective, of_wide.report.objective,
                  1e-6 * of_wide.report.primal);
    }
    Settings settings = with(classify ? "exponential" : "tube", 1);
    const Path path = fit_path(wide, settings, Swept::p0, std::vector<double>{1, 0.1, 1e-3});
    for (const PathStep& step : path.steps) {
      ASSERT_EQ(step.coefficient.size(), static_cast<std::size_t>(kWide));
      EXPECT_EQ(step.coefficient[6], 0);
      EXPECT_NE(step.coefficient[5], 0);
      EXPECT_NEAR(step.inclusion[6], step.value, 1e-12);
    }
  }
}

}  // namespace
}  // namespace medlar::test
