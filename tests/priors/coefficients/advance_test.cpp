// The move of V by a Newton step: first-order right for every partition, and along the mean where a switch turns on.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "medlar/priors/coefficients/slab.hpp"
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

// w through V and back, to twelve digits: at large c the gap would notice less.
TEST(SlabFromMean, GoesThereAndBack) {
  for (const double p : {1e-12, 1e-8, 1e-3, 0.1, 0.5, 0.9, 1 - 1e-9, 1.0}) {
    for (const double variance : {0.2, 1.0, 30.0}) {
      const Slab slab{variance};
      for (double w = 1e-12; w < 2e3; w *= std::sqrt(10)) {
        SCOPED_TRACE(::testing::Message() << "p = " << p << ", v = " << variance << ", w = " << w);
        const std::vector<double> wanted{0.6 * w, -0.8 * w};
        std::vector<double> v(2);
        slab_from_mean(p, slab, wanted, v);
        const double on = mix_weights(p, slab.exponent(v[0]) + slab.exponent(v[1])).on;
        for (const std::size_t i : {0u, 1u}) EXPECT_NEAR(on * variance * v[i], wanted[i], 1e-12 * w);
        if (p == 1) continue;
        const double rho = slab_radius(p, slab, w);
        EXPECT_NEAR(mix_weights(p, slab.exponent(rho)).on * variance * rho, w, 1e-12 * w);
      }
    }
  }
}

TEST(SlabFromMean, IsZeroForAMeanOfZeroAndForASwitchThatIsNeverOn) {
  const std::vector<double> none{0.0, 0.0}, some{1.0, -2.0};
  std::vector<double> v{7, 7};
  slab_from_mean(0.1, Slab{1.0}, none, v);
  EXPECT_EQ(v, none);
  v = {7, 7};
  slab_from_mean(0.0, Slab{1.0}, some, v);
  EXPECT_EQ(v, none);
}

// A'(from_mean(w)) = w for every feature whose switch may be on; the others have V = 0.
template <class A>
void expect_round_trip(const A& a, const std::vector<bool>& never_on) {
  const std::vector<double> w{1e-12, -3e-5, 0.02, 1.0, -40.0, 1e3};
  std::vector<double> v(w.size(), 7.0), mean(w.size());
  a.from_mean(w, v);
  a.mean(v, mean);
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (never_on[i]) {
      EXPECT_EQ(v[i], 0) << i;
    } else {
      EXPECT_NEAR(mean[i], w[i], 1e-12 * std::abs(w[i])) << i;
    }
  }
}

TEST(FromMean, InvertsTheMeanOfSwitchesAndOfGroups) {
  for (const double variance : {0.3, 1.0, 8.0}) {
    for (const double p : {1e-12, 1e-6, 0.01, 0.7}) {
      expect_round_trip(SwitchPartition({p, p, 1, p, 0, p}, variance), {false, false, false, false, true, false});
      expect_round_trip(GroupPartition({0, 1, 0, 2, 1, 3}, {p, 1, 0, p}, variance),
                        {false, false, false, true, false, false});
    }
  }
}

TEST(Relaxed, HasEverySwitchOn) {
  const std::vector<double> v{0.5, -2, 3};
  const auto expect_slab = [&](const GaussianPartition& relaxed) {
    std::vector<double> mean(3), inclusion(3);
    relaxed.mean(v, mean);
    relaxed.inclusion(v, inclusion);
    EXPECT_EQ(relaxed.prior_variance(), 0.5);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(mean[i], 0.5 * v[i]);
      EXPECT_EQ(inclusion[i], 1);
    }
  };
  expect_slab(SwitchPartition({1e-3, 0, 0.5}, 0.5).relaxed());
  expect_slab(GroupPartition({0, 1, 0}, {1e-3, 0.2}, 0.5).relaxed());
}

// A*(w) with switches lies above that of the slab, by at most the cost that the partition states.
template <class A>
void expect_bounded_cost(const A& a) {
  for (const double size : {1e-8, 1e-3, 1.0, 40.0, 1e4}) {
    const std::vector<double> w{size, -0.3 * size, 2 * size};
    std::vector<double> v(3), slab_v(3);
    a.from_mean(w, v);
    for (std::size_t i = 0; i < 3; ++i) slab_v[i] = w[i] / a.relaxed().prior_variance();
    const double slab = a.relaxed().conjugate_at(slab_v), cost = a.conjugate_at(v) - slab;
    EXPECT_GE(cost, -1e-12 * slab) << size;
    EXPECT_LE(cost, a.relaxation_cost() + 1e-12 * slab) << size;
    if (size == 1e4) {  // attained where every switch is on
      EXPECT_NEAR(cost, a.relaxation_cost(), 1e-12 * slab);
    }
  }
}

TEST(Relaxed, CostsAtMostTheLogarithmsOfTheSwitches) {
  expect_bounded_cost(SwitchPartition({1e-3, 1e-8, 0.5}, 0.5));
  expect_bounded_cost(GroupPartition({0, 1, 0}, {1e-3, 0.2}, 0.5));
  EXPECT_EQ(SwitchPartition({1e-3, 0, 0.5}, 0.5).relaxation_cost(), HUGE_VAL);
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
