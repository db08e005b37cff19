// The loop that shortens a step: which lengths it tries, and where it ends.
#include "medlar/numerics/backtrack.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace medlar::test {
namespace {

TEST(Backtrack, EndsAtTheFirstLengthThatIsGood) {
  std::vector<double> tried;
  const auto short_enough = [&](double length) {
    tried.push_back(length);
    return length < 0.3;
  };
  EXPECT_EQ(backtrack(1, 0.5, 1e-6, short_enough), 0.25);
  EXPECT_EQ(tried, (std::vector<double>{1, 0.5, 0.25}));
}

TEST(Backtrack, TakesTheWholeStepWhereItIsGood) {
  EXPECT_EQ(backtrack(1, 0.3, 1e-4, [](double) { return true; }), 1);
}

TEST(Backtrack, IsZeroWhereNoLengthAboveTheLeastIsGood) {
  int tries = 0;
  EXPECT_EQ(backtrack(1, 0.5, 0.125, [&](double) { return ++tries > 100; }), 0);
  EXPECT_EQ(tries, 3);  // 1, 1/2, 1/4: the least itself is not tried
}

}  // namespace
}  // namespace medlar::test
