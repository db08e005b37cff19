// The parabola of appendix B lies below -A everywhere and touches it at the point of contact.
#include "medlar/priors/coefficients/quadratic_bound.hpp"

#include <gtest/gtest.h>

#include <random>

#include "medlar/priors/coefficients/switches.hpp"

namespace medlar::test {
namespace {

TEST(QuadraticBound, LiesBelowAndTouches) {
  std::mt19937_64 random(11);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int trial = 0; trial < 20000; ++trial) {
    const double p = trial % 3 == 0   ? std::pow(10.0, uniform(-30, -0.01))
                     : trial % 3 == 1 ? uniform(0, 1)
                                      : 1 - std::pow(10.0, uniform(-9, -1));
    const double v = std::pow(10.0, uniform(-2, 2)), contact = uniform(-12, 12) / std::sqrt(v);
    const SwitchPartition partition(std::vector<double>{p}, v);
    const QuadraticBound bound = partition.bound_at(0, contact);
    const auto parabola = [&](double at) {
      return bound.slope * at - 0.5 * bound.curvature * at * at + bound.constant;
    };
    const double size = 1 + partition.value_at(0, contact) + 0.5 * bound.curvature * contact * contact;
    ASSERT_NEAR(parabola(contact), -partition.value_at(0, contact), 1e-12 * size);
    ASSERT_NEAR(bound.slope - bound.curvature * contact, -partition.mean_at(0, contact), 1e-12 * size * std::sqrt(v));
    const double other = uniform(-14, 14) / std::sqrt(v);
    ASSERT_LE(parabola(other), -partition.value_at(0, other) + 1e-12 * (size + 0.5 * bound.curvature * other * other))
        << "p " << p << " v " << v << " contact " << contact << " at " << other;
  }
}

// Without a switch, or with one that is never on, nothing is lost.
TEST(QuadraticBound, IsExactWhereThereIsNoChoice) {
  for (const double p : {0.0, 1.0}) {
    const SwitchPartition partition(std::vector<double>{p}, 2.5);
    for (const double at : {-3.0, 0.0, 0.7}) {
      const QuadraticBound bound = partition.bound_at(0, 1.3);
      EXPECT_NEAR(bound.slope * at - 0.5 * bound.curvature * at * at + bound.constant, -partition.value_at(0, at),
                  1e-14);
    }
  }
}

}  // namespace
}  // namespace medlar::test
