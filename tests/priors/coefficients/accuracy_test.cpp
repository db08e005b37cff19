// Switches and groups against 350-digit arithmetic, for p from 1e-300 to 1 and |V| up to 1e6.
// P and A depend on e^h, and h = v V^2/2 is rounded: until the switch saturates, at h = log(1/p), that is worth up to
// log(1/p) roundings. Hence the relative error asserted: (4 + log(1/p)) 2^-52, at most 1.6e-13.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "medlar/priors/coefficients/groups.hpp"
#include "medlar/priors/coefficients/switches.hpp"
#include "support/high_precision.hpp"

namespace medlar::test {
namespace {

using WideReal = RealWith<350>;  // 1 + p needs 300 digits at p = 1e-300

const std::vector<double> kSwitchOn{1e-300, 1e-120, 1e-30, 1e-8, 1e-3, 0.1, 0.5, 0.999, 1};
const std::vector<double> kV{1e-140, 1e-20, 1e-8, 1e-3, 0.5, 1, -3, 7, -20, 30, 36.9, 37.17, 37.5, 40, 100, -1e4, 1e6};

double tolerance(double p) {
  return (4 - std::log(p)) * 0x1p-52;
}

struct Exact {
  WideReal value, inclusion, mean, variance, conjugate;
};

Exact exact_switch(double p_, double variance_, const WideReal& exponent, double v_) {
  const WideReal p(p_), variance(variance_), v(v_), rest = (1 - p) * exp(WideReal(-exponent));
  const WideReal value = exponent + log(WideReal(p + rest)), on = p / (p + rest), off = rest / (p + rest);
  return {value, on, on * variance * v, variance * on + on * off * variance * variance * v * v,
          2 * exponent * on - value};
}

TEST(SwitchAccuracy, EveryFunctionOfOneFeature) {
  for (const double variance : {1.0, 0.37}) {
    for (const double p : kSwitchOn) {
      const SwitchPartition a(1, p, variance);
      for (const double v : kV) {
        SCOPED_TRACE(::testing::Message() << "p = " << p << ", v = " << variance << ", V = " << v);
        const Exact exact = exact_switch(p, variance, WideReal(variance) * v * v / 2, v);
        // A and A* underflow where p V^2 does.
        EXPECT_LE(scaled_error(a.value_at(0, v), exact.value, WideReal(exact.value + 1e-300)), tolerance(p));
        EXPECT_LE(scaled_error(a.conjugate_of(0, v), exact.conjugate, WideReal(exact.conjugate + 1e-300)),
                  2 * tolerance(p));
        EXPECT_LE(relative_error(a.inclusion_at(0, v), exact.inclusion), tolerance(p));
        EXPECT_LE(scaled_error(a.mean_at(0, v), exact.mean, WideReal(abs(exact.mean) + 1e-300)), tolerance(p));
        EXPECT_LE(relative_error(a.variance_at(0, v), exact.variance), 2 * tolerance(p));
      }
    }
  }
}

TEST(SwitchAccuracy, SumsOverManyFeatures) {
  // 100,000 features of every size: the sum is as accurate as its terms.
  std::vector<double> v;
  Real100 value = 0, conjugate = 0;
  const SwitchPartition one(1, 1e-3, 1.0);
  for (int i = 0; i < 100'000; ++i) {
    v.push_back(8 * std::sin(i));
    value += Real100(one.value_at(0, v.back()));
    conjugate += Real100(one.conjugate_of(0, v.back()));
  }
  const SwitchPartition a(100'000, 1e-3, 1.0);
  EXPECT_LE(relative_error(a.value(v), value), 3e-16);
  EXPECT_LE(relative_error(a.conjugate_at(v), conjugate), 3e-16);
}

TEST(GroupAccuracy, AGroupOfThree) {
  for (const double p : kSwitchOn) {
    const GroupPartition a({0, 0, 0}, {p}, 0.8);
    for (const double size : kV) {
      SCOPED_TRACE(::testing::Message() << "p = " << p << ", V = " << size);
      const std::vector<double> v{size, -size / 2, size / 4};
      WideReal exponent = 0;
      for (const double vi : v) exponent += WideReal(0.8) * vi * vi / 2;
      std::vector<double> mean(3), inclusion(3), variance(3), d(3), kappa(1);
      a.mean(v, mean);
      a.inclusion(v, inclusion);
      a.variance(v, variance);
      a.curvature(v, d, kappa);
      for (std::size_t i = 0; i < 3; ++i) {
        const Exact exact = exact_switch(p, 0.8, exponent, v[i]);
        EXPECT_LE(scaled_error(a.value(v), exact.value, WideReal(exact.value + 1e-300)), tolerance(p));
        EXPECT_LE(scaled_error(a.conjugate_at(v), exact.conjugate, WideReal(exact.conjugate + 1e-300)),
                  2 * tolerance(p));
        EXPECT_LE(relative_error(inclusion[i], exact.inclusion), tolerance(p));
        EXPECT_LE(scaled_error(mean[i], exact.mean, WideReal(abs(exact.mean) + 1e-300)), tolerance(p));
        EXPECT_LE(relative_error(variance[i], exact.variance), 2 * tolerance(p));
        EXPECT_LE(relative_error(d[i], WideReal(exact.inclusion * WideReal(0.8))), tolerance(p));
        EXPECT_LE(relative_error(d[i] + kappa[0] * v[i] * v[i], exact.variance), 2 * tolerance(p));
      }
    }
  }
}

}  // namespace
}  // namespace medlar::test
