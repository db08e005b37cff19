// The move of V by a Newton step: first-order right for every partition, and along the mean where a switch turns on.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "medlar/partitions/slab.hpp"
#include "support/samples.hpp"

namespace medlar::test {
namespace {

TEST(SlabRadius, InvertsTheMean) {
  for (const double p : {1e-300, 1e-20, 1e-5, 0.1, 0.5, 0.9, 1 - 1e-12}) {
    for (const double variance : {0.2, 1.0, 30.0}) {
      const Slab slab{variance};
      for (const double rho : {1e-6, 1e-2, 0.5, 1.0, 3.0, 5.0, 20.0, 1e3, 1e6}) {
        const double target = mix_weights(p, slab.exponent(rho)).on * variance * rho;
        const double found = slab_radius(p, slab, target);
        // The mean is met to nine digits; rho is then at least as good, for the mean grows faster than rho.
        EXPECT_NEAR(found, rho, 2e-9 * rho) << "p = " << p << ", v = " << variance;
      }
    }
  }
  EXPECT_EQ(slab_radius(0.1, Slab{1.0}, 0), 0);
}

template <class A>
class Advance : public ::testing::Test {};
TYPED_TEST_SUITE(Advance, Partitions);

TYPED_TEST(Advance, IsTheStepToFirstOrder) {
  const std::vector<double> direction{0.3, -1, 0.7, 0.2, 1.1};
  for (const auto& a : partition_samples<TypeParam>()) {
    for (const std::vector<double>& start : {std::vector<double>{1, -1, 0.5, 2, -3}, {4, 3.9, -0.1, 0.4, 5}}) {
      for (const double size : {1e-3, 1e-4}) {
        auto v = start;
        std::vector<double> step(5);
        for (std::size_t i = 0; i < 5; ++i) step[i] = size * direction[i];
        a.advance(v, step);
        // A''' / A'' stays below 100 at these points, so that the paths part by less than 100 size^2; the inverse of
        // the mean adds nine digits.
        for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(v[i], start[i] + step[i], 100 * size * size + 1e-7);
      }
    }
  }
}

TEST(AdvanceOfASwitch, FollowsTheMeanWhereASwitchTurnsOn) {
  // At V = 1 the switch is off and the mean is nearly flat: a step of 1e6 predicts a mean of 3.3, found near V = 5.3.
  const double p = 1e-6;
  const SwitchPartition a(1, p, 1.0);
  std::vector<double> v{1.0}, mean(1);
  const std::vector<double> step{1e6};
  const double predicted = a.mean_at(0, 1) + a.variance_at(0, 1) * step[0];
  a.advance(v, step);
  a.mean(v, mean);
  EXPECT_NEAR(mean[0], predicted, 2e-9 * predicted);
  EXPECT_LT(v[0], 7);
}

TEST(AdvanceOfASwitch, IsThePlainStepForAGaussianAndForSwitchesThatNeverTurn) {
  const std::vector<double> start{1, -1, 0.5}, step{1e6, 2, -0.5};
  for (const double p : {0.0, 1.0}) {
    auto v = start;
    SwitchPartition(3, p, 0.7).advance(v, step);
    EXPECT_EQ(v, (std::vector<double>{1 + 1e6, 1, 0}));
  }
  auto v = start;
  GaussianPartition(3, 0.7).advance(v, step);
  EXPECT_EQ(v, (std::vector<double>{1 + 1e6, 1, 0}));
}

}  // namespace
}  // namespace medlar::test
