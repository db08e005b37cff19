// The small functions that replace a cancelling difference, against 100-digit arithmetic on both sides of their
// branches.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "medlar/numerics/decay_moments.hpp"
#include "medlar/numerics/expm1_ratio.hpp"
#include "medlar/numerics/factorial_series.hpp"
#include "medlar/numerics/hermite_table.hpp"
#include "medlar/numerics/log1p_defect.hpp"
#include "support/high_precision.hpp"

namespace medlar::test {
namespace {

TEST(Log1pDefect, AgreesWith100Digits) {
  for (const double x : {1e-20, 1e-9, 1e-4, 0.1, 0.39999, 0.4, 0.40001, 1.0, 50.0, 1e9, -1e-20, -1e-9, -1e-4, -0.1,
                         -0.29999, -0.3, -0.30001, -0.7, -0.999999}) {
    EXPECT_LE(relative_error(log1p_defect(x), Real100(x - log(1 + Real100(x)))), 2e-15) << x;
  }
  EXPECT_EQ(log1p_defect(0), 0);
}

TEST(Expm1Ratio, AgreesWith100Digits) {
  for (const double u : {1e-20, 1e-9, 1e-3, 0.1, 0.101, 0.3, 0.9999, 1.0, 1.0001, 5.0, 600.0, -1e-20, -1e-9, -1e-3,
                         -0.3, -0.9999, -1.0, -1.0001, -40.0}) {
    const Real100 phi = (exp(Real100(u)) - 1) / u;
    EXPECT_LE(relative_error(expm1_ratio(u), phi), 1e-15) << u;
    EXPECT_LE(relative_error(expm1_ratio_minus_1(u), Real100(phi - 1)), 1e-15) << u;
  }
  EXPECT_EQ(expm1_ratio(0), 1);
  EXPECT_EQ(expm1_ratio_minus_1(0), 0);
}

TEST(DecayMoments, AgreeWith100Digits) {
  for (const double u : {1e-20, 1e-9, 1e-3, 0.05, 0.0501, 0.3, 0.5, 0.501, 1.0, 1.9999, 2.0, 2.0001, 5.0, 50.0, 1e7}) {
    const Real100 end = exp(Real100(-u)), zeroth = (1 - end) / u, first = (zeroth - end) / u;
    const DecayMoments moments = decay_moments(u);
    EXPECT_LE(relative_error(moments.zeroth, zeroth), 1e-15) << u;
    EXPECT_LE(relative_error(moments.first, first), 2e-15) << u;
    EXPECT_LE(relative_error(moments.second, Real100((2 * first - end) / u)), 2e-15) << u;
  }
  EXPECT_EQ(decay_moments(0).zeroth, 1);
  EXPECT_EQ(decay_moments(0).first, 0.5);
  EXPECT_DOUBLE_EQ(decay_moments(0).second, 1.0 / 3);
}

TEST(FactorialSeries, AgreesWith100Digits) {
  for (const double u : {0.0, 1e-12, 0.1, 0.2499, 0.2501, 0.7, 1.0, 1.5, 2.0}) {
    Real100 two = 0, three = 0, term = 1;  // term = u^j
    for (int j = 0; j < 80; ++j) {
      Real100 factorial = 1;
      for (int k = 2; k <= j + 2; ++k) factorial *= k;
      two += term * 2 / factorial;
      three += term * 6 / (factorial * (j + 3));
      term *= u;
    }
    EXPECT_LE(relative_error(factorial_series<2>(u), two), 1e-15) << u;
    EXPECT_LE(relative_error(factorial_series<3>(u), three), 1e-15) << u;
  }
}

// The inverse of x^3 + x on [0, 2] from 65 knots; a line is exact, beyond its last knot too; and a kink where two knots
// are equal.
TEST(HermiteTable, FollowsValuesAndSlopes) {
  HermiteTable cubic, line, kink;
  for (int k = 0; k <= 64; ++k) {
    const double x = k / 32.0;
    cubic.add(x * x * x + x, x, 1 / (3 * x * x + 1));
    line.add(5 * x - 1, x, 0.2);
  }
  for (double x = 0; x <= 2; x += 0.0137) {
    EXPECT_NEAR(cubic(x * x * x + x), x, 1e-6);
    EXPECT_NEAR(line(5 * x - 1), x, 1e-15);
  }
  EXPECT_NEAR(line(5 * 2.5 - 1), 2.5, 1e-14);
  for (const double x : {-1.0, 0.0}) kink.add(x, 1 + x, 1);
  for (const double x : {0.0, 1.0}) kink.add(x, 1 - x, -1);
  for (const double x : {-0.7, -1e-9, 0.0, 1e-9, 0.4, 1.2}) EXPECT_NEAR(kink(x), 1 - std::abs(x), 1e-15);
}

}  // namespace
}  // namespace medlar::test
