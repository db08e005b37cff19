// The compensated sum against sums known exactly, where the plain sum is visibly wrong.
#include "medlar/numerics/sum.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace medlar::test {
namespace {

TEST(CompensatedSum, KeepsWhatTheLargeTermsWouldSwallow) {
  CompensatedSum sum;
  double plain = 0;
  for (const double term : {1.0, 1e100, 1.0, -1e100}) {
    sum.add(term);
    plain += term;
  }
  EXPECT_EQ(sum.value(), 2);
  EXPECT_EQ(plain, 0);
}

TEST(CompensatedSum, ErrorDoesNotGrowWithTheNumberOfTerms) {
  CompensatedSum sum;
  double plain = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    sum.add(0.1);
    plain += 0.1;
  }
  EXPECT_EQ(sum.value(), 100000.0);
  EXPECT_NE(plain, 100000.0);
}

TEST(CompensatedSum, AnInfiniteTermMakesItInfiniteNotNaN) {
  CompensatedSum sum;
  for (const double term : {1.0, std::numeric_limits<double>::infinity(), 2.0}) sum.add(term);
  EXPECT_EQ(sum.value(), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace medlar::test
