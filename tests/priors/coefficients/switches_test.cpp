// The edges and the shape of the feature-selecting prior: p = 0, p = 1, the transition, and what is refused.
#include "medlar/priors/coefficients/switches.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/coefficients/groups.hpp"

namespace medlar::test {
namespace {

const std::vector<double> kPoint{0, 1e-300, 0.1, -0.7, 3, -38.6, 1e4, 1e6};

template <class A>
std::vector<std::vector<double>> everything(const A& a, const std::vector<double>& v) {
  std::vector<std::vector<double>> all(4, std::vector<double>(v.size()));
  a.mean(v, all[0]);
  a.inclusion(v, all[1]);
  a.variance(v, all[2]);
  all.push_back({a.value(v), a.conjugate_at(v)});
  if (a.group_count() == 0) a.curvature(v, all[3], {});
  return all;
}

TEST(Switches, AlwaysOnIsTheGaussianPriorBitForBit) {
  for (const double variance : {1.0, 0.1, 7.3}) {
    EXPECT_EQ(everything(SwitchPartition(8, 1.0, variance), kPoint),
              everything(GaussianPartition(8, variance), kPoint));
    // and feature by feature, where no large term hides a small one
    const SwitchPartition switches(1, 1.0, variance);
    const GaussianPartition gaussian(1, variance);
    for (double v = -5; v < 5; v += 0.013) EXPECT_EQ(everything(switches, {v}), everything(gaussian, {v})) << v;
  }
}

TEST(Switches, AlwaysOffHasNoEffectAtAll) {
  const SwitchPartition a(8, 0.0, 2.0);
  for (const auto& numbers : everything(a, kPoint)) {
    for (const double number : numbers) EXPECT_EQ(number, 0);
  }
}

TEST(Switches, GroupsOfOneFeatureAreSwitches) {
  const std::vector<double> p{1, 0, 0.5, 1e-3, 1e-9, 0.99, 0.2, 1e-300};
  auto switches = everything(SwitchPartition(p, 0.7), kPoint);
  auto groups = everything(GroupPartition({0, 1, 2, 3, 4, 5, 6, 7}, p, 0.7), kPoint);
  groups[3] = switches[3];  // the curvature is split differently: d and kappa
  for (std::size_t k = 0; k < switches.size(); ++k) {
    for (std::size_t i = 0; i < switches[k].size(); ++i) {  // the exponentials of many switches are some units off
      EXPECT_NEAR(switches[k][i], groups[k][i], 2e-15 * std::abs(groups[k][i])) << k << ' ' << i;
    }
  }
}

TEST(Switches, InclusionIsOneHalfAtTheTransition) {
  for (const double p : {0.4, 0.1, 1e-3, 1e-5, 1e-12, 1e-100}) {
    for (const double variance : {1.0, 0.2, 5.0}) {
      const double transition = std::sqrt(2 / variance * std::log((1 - p) / p));
      // dP/dV there is v V/4, so that a rounding of V counts log(1/p) times
      const double tolerance = 2e-16 * (1 - std::log(p));
      EXPECT_NEAR(SwitchPartition(1, p, variance).inclusion_at(0, transition), 0.5, tolerance);
      EXPECT_NEAR(SwitchPartition(1, p, variance).inclusion_at(0, -transition), 0.5, tolerance);
    }
  }
}

TEST(Switches, PenaltyIsTheGaussiansPlusMinusLogPFarAway) {
  // A*(w) -> w^2/(2v) - log p
  const double p = 1e-4, variance = 0.6, v = 60;
  const SwitchPartition a(1, p, variance);
  const double w = a.mean_at(0, v);
  EXPECT_NEAR(a.conjugate_of(0, v), w * w / (2 * variance) - std::log(p), 1e-15 * w * w);
}

TEST(Switches, PenaltyRisesLikeTheTransitionTimesWNearZero) {
  // The slope of A*(w) is V; while P is small and w = P v V spans many decades, V stays below the transition.
  const double p = 1e-8;
  const SwitchPartition a(1, p, 1.0);
  const double transition = std::sqrt(2 * std::log((1 - p) / p));
  for (const double v : {0.5, 0.7, 0.9}) {
    const double w = a.mean_at(0, v * transition);
    EXPECT_LT(a.conjugate_of(0, v * transition), transition * w);
    EXPECT_GT(a.conjugate_of(0, v * transition), 0.4 * transition * w);
  }
}

TEST(Switches, HugeVStaysFinite) {
  const SwitchPartition a({1e-300, 0.5, 1}, 1.0);
  for (const auto& numbers : everything(a, {1e150, -1e150, 1e150})) {
    for (const double number : numbers) EXPECT_TRUE(std::isfinite(number)) << number;
  }
}

TEST(Switches, MeanAndVarianceStayFiniteEvenWhereTheExponentOverflows) {
  const SwitchPartition a({1e-300, 0.5, 1}, 1.0);
  for (const Index i : {0, 1, 2}) {
    EXPECT_EQ(a.inclusion_at(i, 1e200), 1);
    EXPECT_EQ(a.mean_at(i, 1e200), 1e200);
    EXPECT_EQ(a.variance_at(i, 1e200), 1);
  }
}

std::string refusal(const std::function<void()>& make) {
  try {
    make();
  } catch (const OptionError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Partitions, RefuseWhatIsNoPrior) {
  EXPECT_EQ(refusal([] { SwitchPartition({0.5, 1.5}, 1.0); }), "p0 of feature 2 = 1.5, but must lie in [0, 1]");
  EXPECT_EQ(refusal([] { SwitchPartition(2, std::nan(""), 1.0); }), "p0 of feature 1 = nan, but must lie in [0, 1]");
  EXPECT_EQ(refusal([] { SwitchPartition(2, 0.5, 0.0); }), "prior variance = 0, but must be a finite number above 0");
  EXPECT_EQ(refusal([] { GaussianPartition(2, -1.0); }), "prior variance = -1, but must be a finite number above 0");
  EXPECT_EQ(refusal([] { GaussianPartition(2, 1.0, {1.0}); }),
            "the prior mean has 1 entries, but there are 2 features");
  EXPECT_EQ(refusal([] { GroupPartition({0, 1}, {0.5, -0.1}, 1.0); }), "p0 of group 2 = -0.1, but must lie in [0, 1]");
  EXPECT_EQ(refusal([] {
              GroupPartition({0, 2}, {0.5, 0.5}, 1.0);
            }),
            "feature 2 is in group 2, but groups are numbered 0 to 1");
}

}  // namespace
}  // namespace medlar::test
