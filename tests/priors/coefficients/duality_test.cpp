// What every log-partition promises: derivatives, convexity, and its conjugate.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "support/derivatives.hpp"
#include "support/samples.hpp"

namespace medlar::test {
namespace {

template <class A>
class Partition : public ::testing::Test {};
TYPED_TEST_SUITE(Partition, Partitions);

TYPED_TEST(Partition, MeanAndCurvatureAreDerivativesOfValue) {
  for (const auto& a : partition_samples<TypeParam>()) {
    for (const auto& v : partition_points()) expect_mean_and_curvature_are_derivatives(a, v, 1e-9);
  }
}

TYPED_TEST(Partition, IsZeroAtZero) {
  const std::vector<double> zero(5, 0.0);
  for (const auto& a : partition_samples<TypeParam>()) {
    EXPECT_EQ(a.dimension(), 5);
    EXPECT_EQ(a.value(zero), 0);
    EXPECT_EQ(a.conjugate_at(zero), 0);
  }
}

TYPED_TEST(Partition, FenchelYoungHoldsWithEqualityAtTheMean) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal(0, 3);
  const auto draw = [&] {
    std::vector<double> v(5);
    for (double& vi : v) vi = normal(random);
    return v;
  };
  for (const auto& a : partition_samples<TypeParam>()) {
    for (int trial = 0; trial < 200; ++trial) {
      const auto u = draw(), v = draw();
      std::vector<double> w(5);
      a.mean(u, w);
      const auto dot = [&](const std::vector<double>& x) {
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) sum += w[i] * x[i];
        return sum;
      };
      const double conjugate = a.conjugate_at(u);  // A*(w)
      const double size = 1 + std::abs(a.value(v)) + conjugate + std::abs(dot(v));
      EXPECT_GE(conjugate, 0) << "seed 7";
      EXPECT_GE(a.value(v) + conjugate, dot(v) - 1e-14 * size) << "seed 7";
      EXPECT_NEAR(a.value(u) + conjugate, dot(u), 1e-14 * (1 + std::abs(a.value(u)) + conjugate)) << "seed 7";
    }
  }
}

TYPED_TEST(Partition, InclusionIsAProbabilityAndGrowsWithV) {
  for (const auto& a : partition_samples<TypeParam>()) {
    std::vector<double> last(5, 0.0), now(5);
    for (const double size : {0.0, 1e-9, 0.1, 1.0, 5.0, 40.0, 1e3, 1e8}) {
      a.inclusion(std::vector<double>(5, size), now);
      for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_GE(now[i], last[i]);
        EXPECT_LE(now[i], 1);
      }
      last = now;
    }
  }
}

}  // namespace
}  // namespace medlar::test
