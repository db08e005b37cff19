// The smoothed margin against its definition: derivatives, the loss as a maximum that no multiplier exceeds, its limit.
#include "medlar/priors/margins/smoothed.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "medlar/priors/margins/exponential.hpp"
#include "medlar/priors/margins/hinge.hpp"

namespace medlar::test {
namespace {

std::vector<SmoothedMargin> samples() {
  std::vector<SmoothedMargin> all;
  for (const double c : {0.5, 3.0, 1e4}) {
    for (const double mu : {10.0, 1e-2, 1e-9}) {
      all.push_back({c, 1, 1, mu, 0});
      all.push_back({c, -0.4, mu, mu, 40 * mu});
    }
  }
  return all;
}
const std::vector<double> kMargins{-1e6, -30, -1, 0.3, 0.999, 1, 1.001, 2, 1e3, 1e8};

TEST(SmoothedMargin, RespondsWithTheMaximum) {
  for (const SmoothedMargin& psi : samples()) {
    for (const double m : kMargins) {
      const Response at = psi.respond(m);
      ASSERT_GT(at.multiplier, 0);
      ASSERT_LT(at.multiplier, psi.c);
      const double size = std::abs(at.loss) + std::abs(at.multiplier * m) + psi.mu;
      for (const double part : {1e-12, 1e-6, 0.01, 0.3, 0.7, 0.99, 1 - 1e-9}) {
        EXPECT_LE(psi.value(part * psi.c) - part * psi.c * m, at.loss + 1e-12 * size)
            << "c " << psi.c << " mu " << psi.mu << " m " << m << " part " << part;
      }
      const double step = 1e-5 * at.multiplier * std::min(1.0, (psi.c - at.multiplier) / at.multiplier);
      if (!(step > 1e-9 * psi.c)) continue;  // differences would have no digits
      const double slope = (psi.value(at.multiplier + step) - psi.value(at.multiplier - step)) / (2 * step);
      EXPECT_NEAR(slope, m, 1e-4 * (1 + std::abs(m) + psi.mu / at.multiplier));
      EXPECT_NEAR(at.bend, -1 / psi.curvature(at.multiplier), 1e-6 * at.bend);
    }
  }
}

TEST(SmoothedMargin, ProximalIsWhereItsSlopeEnds) {
  for (const SmoothedMargin& psi : samples()) {
    for (const double g : {-3.0, 0.0, 5.0}) {
      const double lambda = psi.proximal(g, 0.7, 0);
      const double low = lambda * (1 - 1e-6), high = lambda + 1e-6 * (psi.c - lambda);
      EXPECT_GE(psi.slope(low) + g - 0.7 * low, 0);
      EXPECT_LE(psi.slope(high) + g - 0.7 * high, 0);
    }
  }
}

TEST(SmoothedMargin, TendsToWhatItSmoothes) {
  for (const double m : {-5.0, 0.0, 0.9, 1.2}) {
    EXPECT_NEAR((SmoothedMargin{3, 1, 1, 1e-10, 0}).loss(m), (ExponentialMargin{3, 1}).loss(m), 1e-8);
    EXPECT_NEAR((SmoothedMargin{3, 1, 1e-10, 1e-10, 0}).loss(m), (HingeMargin{3, 1}).loss(m), 1e-8);
  }
}

}  // namespace
}  // namespace medlar::test
