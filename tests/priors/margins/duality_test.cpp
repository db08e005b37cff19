// What every margin potential promises: derivatives, domain, and the conjugate loss with its maximiser.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/derivatives.hpp"
#include "support/samples.hpp"

namespace medlar::test {
namespace {

template <class P>
class Potential : public ::testing::Test {
 protected:
  // Calls visit(psi) for every sample, and names it when an expectation fails.
  template <class Visit>
  void each(Visit visit) {
    for (const P& psi : potential_samples<P>()) {
      SCOPED_TRACE(::testing::Message() << "c = " << psi.c << ", location or epsilon = " << second_parameter(psi));
      visit(psi);
    }
  }
};
TYPED_TEST_SUITE(Potential, Potentials);

TYPED_TEST(Potential, SlopeAndCurvatureAreDerivativesOfValue) {
  this->each([](const auto& psi) {
    for (const double lambda : multipliers(psi)) {
      expect_slope_and_curvature_are_derivatives(psi, lambda, margin_size(psi));
    }
  });
}

TYPED_TEST(Potential, IsZeroAtZeroAndConcave) {
  this->each([](const auto& psi) {
    EXPECT_EQ(psi.value(0), 0);
    for (const double lambda : multipliers(psi)) EXPECT_LE(psi.curvature(lambda), 0);
  });
}

TYPED_TEST(Potential, IsMinusInfinityOutsideItsDomain) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  this->each([](const auto& psi) {
    const Domain domain = psi.domain();
    EXPECT_EQ(psi.value(-1e-9), -kInfinity);
    if (std::isinf(domain.upper)) return;
    EXPECT_EQ(psi.value(std::nextafter(domain.upper, kInfinity)), -kInfinity);
    EXPECT_EQ(std::isfinite(psi.value(domain.upper)), domain.closed);
    EXPECT_TRUE(std::isfinite(psi.value(std::nextafter(domain.upper, 0.0))));
  });
}

TYPED_TEST(Potential, FenchelYoungHoldsWithEqualityAtTheMultiplier) {
  this->each([](const auto& psi) {
    for (const double m : margins(psi)) {
      const double best = psi.multiplier(m);
      const double loss = psi.loss(m);
      // Round-off of psi(lambda) - lambda m, a difference of terms of this size.
      const auto noise = [&](double lambda) {
        return 1e-15 * (lambda * (std::abs(m) + margin_size(psi)) + std::abs(psi.value(lambda)) + loss);
      };
      for (const double lambda : multipliers(psi)) {
        EXPECT_LE(psi.value(lambda) - lambda * m, loss + noise(lambda)) << "lambda = " << lambda << ", m = " << m;
      }
      EXPECT_NEAR(psi.value(best) - best * m, loss, noise(best)) << "m = " << m << ", multiplier " << best;
    }
  });
}

TYPED_TEST(Potential, AnswersAMarginAsItsPartsDo) {
  this->each([](const auto& psi) {
    for (const double m : margins(psi)) {
      const Response all = respond(psi, m);
      EXPECT_DOUBLE_EQ(all.loss, psi.loss(m)) << m;
      EXPECT_DOUBLE_EQ(all.multiplier, psi.multiplier(m)) << m;
      if (!(psi.curvature(0) < 0)) continue;  // a kink has no bend
      const double bend = all.multiplier > 0 ? -1 / psi.curvature(all.multiplier) : 0;
      EXPECT_NEAR(all.bend, bend, 1e-6 * bend) << m;
    }
  });
}

TYPED_TEST(Potential, LossIsTheMaximumFoundByBruteForce) {
  this->each([](const auto& psi) {
    for (const double m : margins(psi)) {
      // Ternary search on the concave psi(lambda) - lambda m.
      const auto score = [&](double lambda) { return psi.value(lambda) - lambda * m; };
      double low = 0;
      double high = std::isinf(psi.domain().upper) ? 1e14 * psi.c * psi.c : psi.domain().upper;
      for (int i = 0; i < 300; ++i) {
        const double left = low + (high - low) / 3;
        const double right = high - (high - low) / 3;
        (score(left) < score(right) ? low : high) = score(left) < score(right) ? left : right;
      }
      const double found = std::max({0.0, score(low), score(high)});
      // The edge m = psi'(0) is itself rounded, which moves a loss of zero by the square of 1e-16 c.
      const double edge = 1e-30 * (1 + psi.c) * (1 + psi.c) * margin_size(psi);
      const double size = psi.loss(m) + psi.multiplier(m) * (std::abs(m) + margin_size(psi));
      EXPECT_NEAR(psi.loss(m), found, 1e-12 * size + edge) << "m = " << m;
    }
  });
}

TYPED_TEST(Potential, LossIsZeroExactlyFromTheSlopeAtZeroOn) {
  this->each([](const auto& psi) {
    const double edge = psi.slope(0);
    if (psi.domain().steep) {  // from nowhere
      EXPECT_EQ(edge, std::numeric_limits<double>::infinity());
      for (const double m : margins(psi)) EXPECT_GT(psi.multiplier(m), 0) << m;
      EXPECT_GT(psi.loss(second_parameter(psi) + 700), 0);
      return;
    }
    EXPECT_EQ(psi.loss(edge), 0);
    EXPECT_EQ(psi.multiplier(edge), 0);
    EXPECT_EQ(psi.loss(edge + 1), 0);
    EXPECT_EQ(psi.multiplier(edge + 1), 0);
    EXPECT_GT(psi.loss(edge - 1e-3 * (1 + std::abs(edge))), 0);
    EXPECT_GT(psi.multiplier(edge - 1e-3 * (1 + std::abs(edge))), 0);
  });
}

TYPED_TEST(Potential, MultiplierStaysInsideTheDomainForAnyMargin) {
  this->each([](const auto& psi) {
    double last = 0;
    for (const double m : {1e300, 1e6, 2.0, 0.0, -2.0, -1e3, -1e9, -1e17, -1e40, -1e100}) {
      const double lambda = psi.multiplier(m);
      EXPECT_GE(lambda, last) << "the multiplier never falls as the margin does, m = " << m;
      EXPECT_TRUE(std::isfinite(psi.value(lambda))) << "m = " << m;
      EXPECT_GE(psi.loss(m), 0);
      last = lambda;
    }
  });
}

TYPED_TEST(Potential, NotANumberIsNeverTakenForAZeroLoss) {
  this->each([](const auto& psi) { EXPECT_TRUE(std::isnan(psi.loss(std::nan("")))); });
}

}  // namespace
}  // namespace medlar::test
