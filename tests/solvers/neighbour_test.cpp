// What the steps of a path foretell: V on a line against a fresh pass, multipliers inside their domain, and which of
// line and powers is taken.
#include "medlar/solvers/neighbour.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "medlar/priors/coefficients/switches.hpp"
#include "medlar/priors/margins/exponential.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

struct SmallPath {
  static constexpr std::size_t kExamples = 12, kFeatures = 30;
  SmallPath() {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    for (std::size_t t = 0; t < kExamples; ++t) {
      rows.emplace_back(kFeatures);
      for (double& value : rows.back()) value = normal(random);
      y.push_back(t % 2 == 0 ? 1 : -1);
    }
    x = dense(rows);
    constraints = classification_constraints(x, y, {});
  }
  // All multipliers are `first`, the last two `last`: in balance.
  DualPoint point(double first, double last) const {
    std::vector<double> lambda(kExamples, first);
    lambda[kExamples - 1] = lambda[kExamples - 2] = last;
    return dual_point(problem, lambda);
  }
  Rows rows;
  std::vector<int> y;
  Matrix x;
  Constraints constraints;
  SwitchPartition partition{static_cast<Index>(kFeatures), 0.01, 1};
  Problem<ExponentialMargin, SwitchPartition> problem{ExponentialMargin{5}, partition, constraints, {}};
};

TEST(Neighbour, VOnALineIsThatOfTheMultipliers) {
  const SmallPath path;
  Neighbour from;
  from.dual = path.point(0.4, 0.5), from.before = path.point(0.3, 0.45), from.reach = 0.7;
  for (const bool three : {false, true}) {
    if (three) from.earlier = path.point(0.22, 0.41);
    const Certificate ahead = foretold(path.problem, from, true, {0.0}, Summing::exact);
    ASSERT_TRUE(ahead.dual.rough);
    EXPECT_NEAR(ahead.dual.lambda[0], three ? 0.52 : 0.47, 1e-15);
    const DualPoint fresh = dual_point(path.problem, ahead.dual.lambda);
    for (std::size_t i = 0; i < fresh.v.size(); ++i) EXPECT_NEAR(ahead.dual.v[i], fresh.v[i], 1e-14);
    EXPECT_NEAR(ahead.dual.objective, fresh.objective, 1e-13 * std::abs(fresh.objective));
    EXPECT_EQ(ahead.dual.beta, fresh.beta);
    EXPECT_EQ(ahead.primal.v, ahead.dual.v);
    EXPECT_GE(ahead.primal.value, fresh.objective);
  }
}

// From 0.1 to 4.5 of 5 a line would leave the domain: half-way to its end, and V anew.
TEST(Neighbour, MultipliersStayInsideTheirDomain) {
  const SmallPath path;
  Neighbour from;
  from.dual = path.point(4.5, 0.5), from.before = path.point(0.1, 0.45), from.reach = 1;
  for (const bool on_a_line : {false, true}) {
    const Certificate ahead = foretold(path.problem, from, on_a_line, {0.0}, Summing::exact);
    EXPECT_FALSE(ahead.dual.rough);
    EXPECT_LT(ahead.dual.lambda[0], 5);
    EXPECT_GT(ahead.dual.lambda[0], 4.5);
    const DualPoint fresh = dual_point(path.problem, ahead.dual.lambda);
    EXPECT_EQ(ahead.dual.v, fresh.v);
    EXPECT_EQ(ahead.dual.objective, fresh.objective);
  }
}

TEST(Neighbour, WhatFollowsPowersIsNotStraight) {
  const SmallPath path;
  Neighbour from;
  from.dual = path.point(0.4, 0.4), from.before = path.point(0.2, 0.2), from.reach = 1;
  EXPECT_FALSE(from.is_straight(path.point(0.79, 0.79).lambda));
  EXPECT_TRUE(from.is_straight(path.point(0.61, 0.61).lambda));
}

}  // namespace
}  // namespace medlar::test
