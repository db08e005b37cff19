// log(1 - p + p e^h) and the two weights against 350-digit arithmetic, for p from 1e-300 to 1 and h of any size.
#include "medlar/numerics/log_mix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/high_precision.hpp"

namespace medlar::test {
namespace {

using WideReal = RealWith<350>;

const std::vector<double> kP{1e-300, 1e-100, 1e-17, 1e-8, 1e-3, 0.3, 0.5, 0.9, 1 - 1e-9, 1 - 1.2e-16};
const std::vector<double> kH{0,   1e-300, 1e-17, 1e-8, 1e-3,  0.5,   0.69, 1,   2,   10,   39,  100,
                             500, 690,    699,   701,  709.7, 709.9, 719,  744, 746, 1000, 1e5, 1e12};

// The two parts over their common factor e^{max(h, 0)}, which never overflow.
template <class R>
struct Parts {
  R on, off;
  Parts(const R& p, const R& h) : on(h >= 0 ? p : R(p * exp(h))), off(h >= 0 ? R((1 - p) * exp(R(-h))) : R(1 - p)) {}
};

template <class Check>
void each(Check check) {
  for (const double p : kP) {
    for (const double size : kH) {
      for (const double h : {size, -size}) {
        SCOPED_TRACE(::testing::Message() << "p = " << p << ", h = " << h);
        check(p, h);
      }
    }
  }
}

TEST(LogMix, AgreesWith350Digits) {
  each([](double p, double h) {
    const Parts<WideReal> parts(p, h);  // 1e-300 is lost beside 1 in fewer
    const WideReal exact = log(WideReal(parts.on + parts.off)) + std::max(h, 0.0);
    // 1e-15 relative; beyond e^700 the sum h + log p, two numbers of 700 that leave 9, takes ten times that.
    // 1e-305 allows for results that underflow.
    const double tolerance = h > 700 ? 1e-14 : 1e-15;
    EXPECT_LE(scaled_error(log_mix(p, h), exact, WideReal(abs(exact) + 1e-305)), tolerance);
  });
}

TEST(MixWeights, BothKeepTheirDigits) {
  each([](double p, double h) {
    const Parts<Real100> parts(p, h);
    const Real100 on = parts.on / (parts.on + parts.off), off = parts.off / (parts.on + parts.off);
    const MixWeights weights = mix_weights(p, h);
    // Beyond e^700 the sum log p + h is rounded at 1e-13. 1e-290 allows for weights that underflow.
    const double tolerance = h > 700 ? 3e-13 : 1e-15;
    EXPECT_LE(scaled_error(weights.on, on, Real100(on + 1e-290)), tolerance);
    EXPECT_LE(scaled_error(weights.off, off, Real100(off + 1e-290)), tolerance);
    EXPECT_NEAR(weights.on + weights.off, 1, 3e-16);
  });
}

TEST(LogMix, IsExactForASwitchThatIsAlwaysOffOrAlwaysOn) {
  for (const double h : {-1e12, -800.0, -1.0, 0.0, 0.3, 800.0, 1e12}) {
    EXPECT_EQ(log_mix(0, h), 0);
    EXPECT_EQ(log_mix(1, h), h);
    EXPECT_EQ(mix_weights(0, h).on, 0);
    EXPECT_EQ(mix_weights(0, h).off, 1);
    EXPECT_EQ(mix_weights(1, h).on, 1);
    EXPECT_EQ(mix_weights(1, h).off, 0);
  }
}

TEST(LogMix, NeverYieldsNaN) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double p : {0.0, 5e-324, 1e-310, 0.5, 1.0}) {
    for (const double h : {-infinity, -1e300, 0.0, 1e300, infinity}) {
      EXPECT_FALSE(std::isnan(log_mix(p, h))) << p << ", " << h;
      EXPECT_FALSE(std::isnan(mix_weights(p, h).on)) << p << ", " << h;
      EXPECT_FALSE(std::isnan(mix_weights(p, h).off)) << p << ", " << h;
    }
  }
}

}  // namespace
}  // namespace medlar::test
