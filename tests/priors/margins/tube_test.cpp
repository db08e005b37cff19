// The tube potential against its printed form in 1000 digits (it cancels 900 of them at lambda = 1e-300), its loss
// against the root in 100 digits, and the width of its dead zone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "medlar/priors/margins/tube.hpp"
#include "support/high_precision.hpp"

namespace medlar::test {
namespace {

const std::vector<double> kTubeC{1e-3, 1.0, 30.0, 1e6};
const std::vector<double> kEpsilon{0.0, 1e-12, 1e-6, 1e-3, 0.1, 0.7, 10.0};

// psi = -eps l + log l - log(1 - e^{-eps l} + l/(c - l)) + log(eps + 1/c) and its derivatives, literally.
template <class R>
struct PrintedTube {
  R c, epsilon;

  R decay(const R& l) const { return exp(R(-epsilon * l)); }
  R bracket(const R& l) const { return 1 - decay(l) + l / (c - l); }
  R bracket_slope(const R& l) const { return epsilon * decay(l) + c / ((c - l) * (c - l)); }
  R bracket_curvature(const R& l) const { return 2 * c / ((c - l) * (c - l) * (c - l)) - epsilon * epsilon * decay(l); }

  R value(const R& l) const { return log(R(l / bracket(l) * (epsilon + 1 / c))) - epsilon * l; }
  R slope(const R& l) const { return -epsilon + 1 / l - bracket_slope(l) / bracket(l); }
  R curvature(const R& l) const {
    const R ratio = bracket_slope(l) / bracket(l);
    return -1 / (l * l) - bracket_curvature(l) / bracket(l) + ratio * ratio;
  }
};

struct WorstErrors {
  double value = 0, slope = 0, curvature = 0;
};

template <class R>
WorstErrors worst_errors(const std::vector<double>& fractions) {
  WorstErrors worst;
  for (const double c : kTubeC) {
    for (const double epsilon : kEpsilon) {
      const TubeMargin psi{c, epsilon};
      const PrintedTube<R> exact{c, epsilon};
      for (const double fraction : fractions) {
        const double lambda = fraction == 1e-300 ? fraction : fraction * c;
        const R l(lambda);
        worst.value = std::max(worst.value, relative_error(psi.value(lambda), exact.value(l)));
        worst.slope = std::max(worst.slope, relative_error(psi.slope(lambda), exact.slope(l)));
        worst.curvature = std::max(worst.curvature, relative_error(psi.curvature(lambda), exact.curvature(l)));
      }
    }
  }
  return worst;
}

TEST(Tube, AgreesWith1000DigitsForVanishingMultipliers) {
  const auto worst = worst_errors<RealWith<1000>>({1e-300, 1e-200, 1e-60, 1e-17});
  EXPECT_LE(worst.value, 1e-14);
  EXPECT_LE(worst.slope, 1e-14);
  EXPECT_LE(worst.curvature, 1e-14);
}

TEST(Tube, AgreesWith100DigitsUpToTheEndOfItsDomain) {
  const auto worst = worst_errors<Real100>({1e-15, 1e-9, 1e-6, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.3, 0.49, 0.5, 0.51, 0.7,
                                            0.9, 0.99, 1 - 1e-4, 1 - 1e-6, 1 - 1e-9, 1 - 1e-12});
  EXPECT_LE(worst.value, 1e-14);
  EXPECT_LE(worst.slope, 1e-14);
  EXPECT_LE(worst.curvature, 1e-14);
}

TEST(Tube, IsSmoothAcrossItsBranches) {
  // u = lambda epsilon = 1 parts the two forms of the value, u = 2 those of the moments.
  const TubeMargin psi{30, 0.7};
  const PrintedTube<Real100> exact{30.0, 0.7};
  for (const double u : {1.0, 2.0}) {
    for (const double nudge : {-1e-15, 0.0, 1e-15}) {
      const double lambda = u / 0.7 * (1 + nudge);
      EXPECT_LE(relative_error(psi.value(lambda), exact.value(lambda)), 1e-15);
      EXPECT_LE(relative_error(psi.slope(lambda), exact.slope(lambda)), 1e-15);
      EXPECT_LE(relative_error(psi.curvature(lambda), exact.curvature(lambda)), 2e-15);
    }
  }
}

// Root of 1/psi'(l) = 1/m for the printed psi in 100 digits: Newton's method, checked to have arrived.
Real100 exact_multiplier(const PrintedTube<Real100>& psi, double m, double start) {
  Real100 l(start);
  for (int step = 0; step < 8; ++step) {
    const Real100 slope = psi.slope(l);
    l -= slope / m * (slope - m) / psi.curvature(l);
  }
  EXPECT_LE(scaled_error(m, psi.slope(l), Real100(std::abs(m))), 1e-40) << "no root near " << start << ", m = " << m;
  return l;
}

TEST(Tube, LossAndMultiplierAgreeWith100Digits) {
  double worst_loss = 0, worst_multiplier = 0;
  for (const double c : kTubeC) {
    for (const double epsilon : kEpsilon) {
      const TubeMargin psi{c, epsilon};
      const PrintedTube<Real100> exact{c, epsilon};
      const double edge = psi.slope(0);
      for (const double beyond : {1e-9, 1e-4, 0.03, 0.2, 0.6, 0.9, 1.0, 1.3, 4.0, 50.0, 1e5, 1e12}) {
        const double m = edge * (1 + beyond);
        const Real100 lambda = exact_multiplier(exact, m, psi.multiplier(m));
        const Real100 loss = exact.value(lambda) - lambda * m;
        // A rounding of m moves the loss by lambda |m| and the multiplier by |m|/|psi''|.
        worst_loss = std::max(worst_loss, scaled_error(psi.loss(m), loss, Real100(loss + lambda * std::abs(m))));
        const Real100 size = lambda + std::abs(m) / abs(exact.curvature(lambda));
        worst_multiplier = std::max(worst_multiplier, scaled_error(psi.multiplier(m), lambda, size));
      }
    }
  }
  EXPECT_LE(worst_loss, 1e-15);
  EXPECT_LE(worst_multiplier, 3e-15);
}

TEST(Tube, WithoutWidthIsTheExponentialAtZero) {
  // epsilon = 0: psi = log(1 - lambda/c), loss = cr - 1 - log(cr) for cr > 1 and r = -m
  const TubeMargin psi{4, 0};
  for (const double r : {0.3, 0.7, 10.0, 1e8, 1e200}) {
    const Real100 cr = 4 * Real100(r);
    EXPECT_LE(relative_error(psi.loss(-r), Real100(cr - 1 - log(cr))), 2e-15) << r;
    EXPECT_LE(relative_error(psi.multiplier(-r), Real100(4 - 1 / Real100(r))), 1e-15) << r;
  }
}

TEST(Tube, DeadZoneIsThePriorMeanMargin) {
  for (const double c : {1e-3, 1.0, 30.0, 1e6}) {
    for (const double epsilon : kEpsilon) {
      const Real100 e(epsilon), one_over_c = 1 / Real100(c);
      const Real100 width = (e * e / 2 + e * one_over_c + one_over_c * one_over_c) / (e + one_over_c);
      EXPECT_LE(relative_error(TubeMargin{c, epsilon}.slope(0), Real100(-width)), 1e-15) << c << ", " << epsilon;
    }
  }
}

TEST(Tube, DeadZoneTendsToHalfOfEpsilonAndToOneOverC) {
  EXPECT_NEAR(TubeMargin(1e12, 0.5).slope(0), -0.25, 1e-11);         // c -> inf: epsilon/2, not epsilon
  EXPECT_NEAR(TubeMargin(20, 1e-9).slope(0), -1.0 / 20, 2e-8 / 20);  // c epsilon << 1: 1/c
}

}  // namespace
}  // namespace medlar::test
