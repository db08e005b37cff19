// Step 2 for one example: its one-dimensional dual against brute force, and the identities around it
// (docs/theory.md#latent).
#include "medlar/models/latent/variables/tilt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "medlar/models/latent/variables/belief.hpp"
#include "medlar/priors/margins/margin.hpp"

namespace medlar {
namespace {

std::vector<std::unique_ptr<Margin>> margins() {
  std::vector<std::unique_ptr<Margin>> all;
  for (const double c : {1.5, 3.0, 40.0}) {
    all.push_back(std::make_unique<Margin>(ExponentialMargin{c, 1}));
    all.push_back(std::make_unique<Margin>(LaplaceMargin{c, 0.7}));
    all.push_back(std::make_unique<Margin>(GaussianMargin{c, 1}));
  }
  return all;
}

const std::vector<double> kBeliefs{0, 1e-3, 0.2, 0.5, 0.8, 0.999, 1}, kScores{-30, -2, -0.4, 0, 1e-3, 0.9, 1.1, 5, 200};

// log sum_y P0(y) e^{lambda y L}, as it is written.
double plain_log_sum(double belief, double score, double lambda) {
  const long double up = static_cast<long double>(lambda) * score;
  return static_cast<double>(std::log(belief * std::exp(up) + (1 - static_cast<long double>(belief)) * std::exp(-up)));
}

TEST(Belief, LogSumAndItsSlopesAreThoseOfTheTwoTerms) {
  for (const double belief : kBeliefs) {
    for (const double score : {-3.0, -0.1, 0.7, 4.0}) {
      for (const double lambda : {0.0, 0.01, 1.0, 2.9}) {
        const Belief k{belief, score};
        EXPECT_NEAR(k.value(lambda), plain_log_sum(belief, score, lambda), 1e-13 * (1 + std::abs(lambda * score)));
        const double h = 1e-5;
        if (lambda < h) continue;
        EXPECT_NEAR(k.slope(lambda), (k.value(lambda + h) - k.value(lambda - h)) / (2 * h),
                    1e-8 * (1 + std::abs(score)));
        EXPECT_NEAR(k.curvature(lambda), (k.slope(lambda + h) - k.slope(lambda - h)) / (2 * h),
                    1e-7 * (1 + score * score));
      }
    }
  }
}

TEST(Tilt, IsTheMaximumOfItsDual) {
  for (const auto& psi : margins()) {
    for (const double belief : kBeliefs) {
      for (const double score : kScores) {
        const Belief k{belief, score};
        const Tilt tilt = tilted(*psi, k);
        const double end = psi->multiplier(k.slope(0));  // nothing beyond can be the maximum
        const auto dual = [&](double lambda) { return psi->value(lambda) - k.value(lambda); };
        double low = 0, high = end;  // the dual is concave: a third of the interval may be left out each time
        for (int step = 0; step < 300; ++step) {
          const double a = low + (high - low) / 3, b = high - (high - low) / 3;
          (dual(a) < dual(b) ? low : high) = dual(a) < dual(b) ? a : b;
        }
        const double best = std::max(0.0, dual(low));
        EXPECT_NEAR(tilt.value, best, 1e-9 * (1 + best)) << belief << " " << score;
        EXPECT_GE(tilt.value, 0);
        if (tilt.lambda > 0) {
          EXPECT_NEAR(psi->slope(tilt.lambda), tilt.margin, 1e-9 * (1 + std::abs(tilt.margin)));
        }
      }
    }
  }
}

// D = loss(E_Q[y L]) + KL(Q || P0): what the example adds to the total.
TEST(Tilt, IsTheLossPlusTheDivergence) {
  for (const auto& psi : margins()) {
    for (const double belief : {0.2, 0.5, 0.9}) {
      for (const double score : kScores) {
        const Belief k{belief, score};
        const Tilt tilt = tilted(*psi, k);
        const double q = 0.5 * (1 + k.mean_label(tilt.lambda));
        const auto part = [](double a, double b) { return a > 0 ? a * std::log(a / b) : 0.0; };
        const double divergence = part(q, belief) + part(1 - q, 1 - belief);
        EXPECT_NEAR(tilt.divergence(k.value(tilt.lambda)), divergence, 1e-9 * (1 + divergence));
        EXPECT_NEAR(tilt.value, psi->loss(tilt.margin) + divergence, 1e-9 * (1 + tilt.value));
      }
    }
  }
}

TEST(Tilt, FallsWithTheScoreByItsMultiplierTimesTheMeanLabel) {
  for (const auto& psi : margins()) {
    for (const double belief : {0.3, 0.5, 0.9}) {
      for (const double score : {-2.0, -0.6, 0.3, 0.95, 1.7}) {
        const double h = 1e-5;
        const Belief k{belief, score};
        const Tilt tilt = tilted(*psi, k);
        const double slope =
            (tilted(*psi, Belief{belief, score + h}).value - tilted(*psi, Belief{belief, score - h}).value) / (2 * h);
        EXPECT_NEAR(slope, -tilt.lambda * k.mean_label(tilt.lambda), 1e-4 * (1 + tilt.lambda));
      }
    }
  }
}

}  // namespace
}  // namespace medlar
