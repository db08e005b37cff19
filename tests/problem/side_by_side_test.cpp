// Problems that are solved side by side, told as one report (problem/relay.hpp).
#include <gtest/gtest.h>

#include "medlar/problem/relay.hpp"

namespace medlar::test {
namespace {

Report ended(Status status, const std::string& message, double objective, double primal, Index passes) {
  Report report;
  report.status = status;
  report.message = message;
  report.objective = objective;
  report.primal = primal;
  report.gap = primal - objective;
  report.passes = passes;
  report.trace = {{1, passes, 0.0, objective, primal, 0.0, "stage"}};
  return report;
}

TEST(SideBySide, BoundsAndCostsAddUpAndTheWorseEndingIsHowAllEnded) {
  Report sum;
  add_beside(sum, ended(Status::converged, "first", 1.0, 1.5, 3));
  EXPECT_EQ(sum.message, "first");
  add_beside(sum, ended(Status::limit, "second", 2.0, 2.5, 4));
  add_beside(sum, ended(Status::almost, "third", 4.0, 4.0, 5));
  EXPECT_EQ(sum.status, Status::limit);
  EXPECT_EQ(sum.message, "second");
  EXPECT_EQ(sum.objective, 7.0);
  EXPECT_EQ(sum.primal, 8.0);
  EXPECT_EQ(sum.gap, 1.0);
  EXPECT_EQ(sum.relative_gap, 0.125);
  EXPECT_EQ(sum.passes, 12);
  ASSERT_EQ(sum.trace.size(), 3u);
  EXPECT_EQ(sum.trace.back().passes, 12);
  EXPECT_EQ(sum.trace.back().primal, 8.0);
}

}  // namespace
}  // namespace medlar::test
