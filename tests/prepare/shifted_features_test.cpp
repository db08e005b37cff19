// Features far from 0: under a flat bias the fit is that of the features shifted to 0, to the digits that they have.
#include <gtest/gtest.h>

#include <cmath>

#include "medlar/fit.hpp"
#include "medlar/numerics/duality_gap.hpp"
#include "models/fit_data.hpp"
#include "reference/random_problem.hpp"

namespace medlar::test {
namespace {

// A power of two, so that the values are the same up to their last digits when it is subtracted again.
constexpr double kOffset = 1 << 28;

struct Pair {
  Rows near, far;
  std::vector<double> y;
};

Pair drawn(bool classify, std::size_t features, unsigned seed) {
  RandomProblem random(seed);
  Pair pair;
  for (std::size_t t = 0; t < 80; ++t) {
    std::vector<double> row(features), away(features);
    for (std::size_t i = 0; i < features; ++i) {
      away[i] = kOffset + random.normal();
      row[i] = away[i] - kOffset;
    }
    const double score = row[0] - 0.5 * row[1] + 0.3 * random.normal();
    pair.y.push_back(classify ? (score > 0 ? 1 : -1) : score);
    pair.near.push_back(row);
    pair.far.push_back(away);
  }
  return pair;
}

TEST(ShiftedFeatures, AreFittedLikeThoseNearZero) {
  for (const bool classify : {true, false}) {
    for (const std::size_t features : {std::size_t{5}, std::size_t{200}}) {
      for (const double p0 : {1.0, 1e-3}) {
        SCOPED_TRACE(testing::Message() << classify << ' ' << features << ' ' << p0);
        const Pair pair = drawn(classify, features, 11);
        Settings settings = with(classify ? "exponential" : "tube", p0);
        settings.scale = ScaleKind::none;
        settings.prior_variance = 0.2;
        settings.c = 4;
        const Model near = fit(dataset(pair.near, pair.y), settings), far = fit(dataset(pair.far, pair.y), settings);
        ASSERT_EQ(near.report.status, Status::converged) << near.report.message;
        ASSERT_EQ(far.report.status, Status::converged) << far.report.message;
        EXPECT_NEAR(far.report.objective, near.report.objective, 1e-8 * near.report.primal);
        double shift = 0;
        for (std::size_t i = 0; i < features; ++i) {
          EXPECT_NEAR(far.features[i].coefficient, near.features[i].coefficient, 1e-5);
          shift += far.features[i].coefficient * kOffset;
        }
        EXPECT_NEAR(far.bias + shift, near.bias, 1e-3);  // numbers of 1e8 and more were taken from each other
      }
    }
  }
}

// Where J lies above F, rounding has moved one of them by as much: no smaller gap is told.
TEST(DualityGap, IsNeverLessThanWhatRoundingDid) {
  EXPECT_EQ(duality_gap(3, 2), 1);
  EXPECT_EQ(duality_gap(2, 3), 1);
  EXPECT_EQ(relative_duality_gap(2, 3), 0.5);
  EXPECT_EQ(relative_duality_gap(0, 0), 0);
}

}  // namespace
}  // namespace medlar::test
