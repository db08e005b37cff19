// The potentials with a closed form against the same formula in 100 digits, over c, location and the whole domain.
// Errors are relative to the size of the terms that a formula adds: s lambda and the logarithm, s and the tilt, ...
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "medlar/priors/margins/exponential.hpp"
#include "medlar/priors/margins/gaussian.hpp"
#include "medlar/priors/margins/hinge.hpp"
#include "medlar/priors/margins/laplace.hpp"
#include "medlar/priors/margins/svr.hpp"
#include "support/high_precision.hpp"

namespace medlar::test {
namespace {

constexpr double kRounding = 1e-15;    // every error asserted in this file, or twice this
constexpr double kUnderflow = 1e-290;  // lambda^2 underflows: an absolute 1e-305 is all that is asked there

const std::vector<double> kC{1e-3, 0.5, 1.0, 3.0, 1e3, 1e6};
const std::vector<double> kLocation{1.0, 0.0, -7.0, 1e-3, 40.0};
const std::vector<double> kFraction{1e-300, 1e-100, 1e-18, 1e-9,     1e-4,     0.1,      0.3,
                                    0.5,    0.501,  0.7,   1 - 1e-3, 1 - 1e-6, 1 - 1e-9, 1 - 1e-12};
const std::vector<double> kShortfall{1e-12, 1e-6, 1e-3, 0.1, 0.25, 0.5, 1.0, 3.0, 100.0, 1e6, 1e12};

template <class Visit>
void each_prior(Visit visit) {
  for (const double c : kC) {
    for (const double s : kLocation) {
      SCOPED_TRACE(::testing::Message() << "c = " << c << ", s = " << s);
      visit(c, s);
    }
  }
}

// log(1 - x) for x in [0, 1): x is subtracted without loss in 100 digits once it exceeds 1e-80.
Real100 log_rest(const Real100& x) {
  return x < Real100(1e-40) ? Real100(-x - x * x / 2) : Real100(log(1 - x));
}

TEST(ExponentialAccuracy, ValueSlopeCurvature) {
  each_prior([](double c, double s) {
    const ExponentialMargin psi{c, s};
    for (const double fraction : kFraction) {
      const double lambda = fraction * c;
      const Real100 l(lambda), rest = Real100(c) - l, linear = Real100(s) * l, log_term = log_rest(l / c);
      EXPECT_LE(scaled_error(psi.value(lambda), Real100(linear + log_term), Real100(abs(linear) + abs(log_term))),
                kRounding)
          << "lambda = " << lambda;
      EXPECT_LE(scaled_error(psi.slope(lambda), Real100(s - 1 / rest), Real100(std::abs(s) + 1 / rest)), kRounding);
      EXPECT_LE(relative_error(psi.curvature(lambda), Real100(-1 / (rest * rest))), kRounding);
    }
  });
}

TEST(ExponentialAccuracy, ValueIsFullyAccurateWhenTheLinearTermsCancel) {
  // c s = 1 leaves psi = -x^2/2 - x^3/3 - ...
  for (const double fraction : {1e-150, 1e-12, 1e-6, 1e-3, 0.2, 0.5}) {
    const Real100 x(fraction);
    const Real100 exact = fraction < 1e-10 ? Real100(-x * x / 2 - x * x * x / 3) : Real100(x + log(1 - x));
    EXPECT_LE(relative_error(ExponentialMargin{1, 1}.value(fraction), exact), 2 * kRounding) << fraction;
  }
}

TEST(ExponentialAccuracy, LossAndMultiplier) {
  each_prior([](double c, double s) {
    const ExponentialMargin psi{c, s};
    for (const double shortfall : kShortfall) {
      const double m = s - (1 + shortfall) / c;
      const Real100 d = Real100(s) - Real100(m), z = c * d - 1;
      if (z <= 0) continue;  // the margin was rounded to the edge
      const Real100 loss = z - log(1 + z), lambda = z / d;
      // One rounding of c m and c s - 1 moves the loss by lambda times it.
      const Real100 size = loss + lambda * (std::abs(m) + Real100(std::abs(c * s - 1)) / c);
      EXPECT_LE(scaled_error(psi.loss(m), loss, size), kRounding) << "m = " << m;
      EXPECT_LE(scaled_error(psi.multiplier(m), lambda, Real100(lambda + (c * std::abs(m) + std::abs(c * s - 1)) / d)),
                kRounding)
          << "m = " << m;
    }
  });
}

TEST(LaplaceAccuracy, ValueSlopeCurvature) {
  each_prior([](double c, double s) {
    const LaplaceMargin psi{c, s};
    for (const double fraction : kFraction) {
      const double lambda = fraction * c;
      const Real100 l(lambda), near = 1 / (Real100(c) - l), far = 1 / (Real100(c) + l), linear = Real100(s) * l;
      const Real100 log_term = log_rest(l * l / (Real100(c) * c)), tilt = 2 * l * near * far;
      const Real100 size = abs(linear) + abs(log_term) + kUnderflow;
      EXPECT_LE(scaled_error(psi.value(lambda), Real100(linear + log_term), size), 2 * kRounding)
          << "lambda = " << lambda;
      EXPECT_LE(scaled_error(psi.slope(lambda), Real100(s - tilt), Real100(std::abs(s) + tilt)), kRounding);
      EXPECT_LE(relative_error(psi.curvature(lambda), Real100(-near * near - far * far)), kRounding);
    }
  });
}

TEST(LaplaceAccuracy, LossAndMultiplier) {
  each_prior([](double c, double s) {
    const LaplaceMargin psi{c, s};
    for (const double shortfall : kShortfall) {
      const double m = s - shortfall / c;
      if (m == s) continue;  // the margin was rounded to the edge
      const Real100 d = Real100(s) - Real100(m), q = sqrt(1 + c * d * c * d);
      const Real100 loss = q - 1 - log((1 + q) / 2), lambda = c * d * c / (1 + q);
      const Real100 size = loss + lambda * (std::abs(m) + std::abs(s));
      EXPECT_LE(scaled_error(psi.loss(m), loss, size), 2 * kRounding) << "m = " << m;
      EXPECT_LE(scaled_error(psi.multiplier(m), lambda, Real100(lambda + lambda / d * (std::abs(m) + std::abs(s)))),
                kRounding)
          << "m = " << m;
    }
  });
}

TEST(GaussianMarginAccuracy, Everything) {
  each_prior([](double c, double s) {
    const GaussianMargin psi{c, s};
    for (const double fraction : kFraction) {
      const double lambda = fraction * 1e3 * c;
      const Real100 l(lambda), linear = Real100(s) * l, square = l * l / (2 * Real100(c) * c);
      EXPECT_LE(scaled_error(psi.value(lambda), Real100(linear - square), Real100(abs(linear) + square + kUnderflow)),
                kRounding);
      EXPECT_LE(scaled_error(psi.slope(lambda), Real100(s - l / c / c), Real100(std::abs(s) + l / c / c)), kRounding);
      EXPECT_LE(relative_error(psi.curvature(lambda), Real100(-1 / (Real100(c) * c))), kRounding);
    }
    for (const double shortfall : kShortfall) {
      const double m = s - shortfall;
      const Real100 d = Real100(s) - Real100(m);
      EXPECT_LE(relative_error(psi.loss(m), Real100(Real100(c) * c * d * d / 2)), kRounding);
      EXPECT_LE(relative_error(psi.multiplier(m), Real100(Real100(c) * c * d)), kRounding);
    }
  });
}

TEST(HingeAndSvrAccuracy, Everything) {
  each_prior([](double c, double s) {
    const HingeMargin hinge{c, s};
    const SvrMargin svr{c, std::abs(s)};
    for (const double fraction : kFraction) {
      const double lambda = fraction * c;
      EXPECT_LE(relative_error(hinge.value(lambda), Real100(Real100(s) * lambda)), kRounding);
      EXPECT_LE(relative_error(svr.value(lambda), Real100(-Real100(std::abs(s)) * lambda)), kRounding);
      EXPECT_EQ(hinge.slope(lambda), s);
      EXPECT_EQ(svr.slope(lambda), -std::abs(s));
      EXPECT_EQ(hinge.curvature(lambda), 0);
      EXPECT_EQ(svr.curvature(lambda), 0);
    }
    for (const double shortfall : kShortfall) {
      const double m = s - shortfall;
      EXPECT_LE(relative_error(hinge.loss(m), Real100(c * (Real100(s) - Real100(m)))), kRounding);
      EXPECT_EQ(hinge.multiplier(m), m < s ? c : 0);
      const double r = -std::abs(s) - shortfall;
      EXPECT_LE(relative_error(svr.loss(r), Real100(c * (-Real100(std::abs(s)) - Real100(r)))), kRounding);
      EXPECT_EQ(svr.multiplier(r), r < -std::abs(s) ? c : 0);
    }
  });
}

}  // namespace
}  // namespace medlar::test
