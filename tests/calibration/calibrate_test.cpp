// Probabilities from scores that were left out: the slope against a fine grid, and what softened targets are for.
#include "medlar/calibration/calibrate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace medlar::test {
namespace {

struct Scored {
  std::vector<double> f;  // class by class
  std::vector<Index> y;
};

Scored scored(Index classes, Index examples, double noise) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  Scored made{std::vector<double>(static_cast<std::size_t>(classes * examples)), {}};
  for (Index t = 0; t < examples; ++t) {
    const Index own = t % classes;
    made.y.push_back(own);
    for (Index k = 0; k < classes; ++k) {
      made.f[static_cast<std::size_t>(k * examples + t)] = (k == own ? 1.0 : 0.0) + noise * normal(random);
    }
  }
  return made;
}

// The mean of -log p under the softened targets, literally.
double softened_loss(const Scored& s, Index classes, double slope) {
  const std::size_t T = s.y.size(), K = static_cast<std::size_t>(classes);
  std::vector<double> count(K, 0.0);
  for (const Index y : s.y) ++count[static_cast<std::size_t>(y)];
  double sum = 0;
  for (std::size_t t = 0; t < T; ++t) {
    double total = 0;
    for (std::size_t k = 0; k < K; ++k) total += std::exp(slope * s.f[k * T + t]);
    const double n = count[static_cast<std::size_t>(s.y[t])];
    for (std::size_t k = 0; k < K; ++k) {
      const bool own = static_cast<Index>(k) == s.y[t];
      const double target = own ? (n + 1) / (n + 2) : 1 / (n + 2) / static_cast<double>(K - 1);
      sum -= target * (slope * s.f[k * T + t] - std::log(total));
    }
  }
  return sum;
}

TEST(Temperature, IsTheBestSlopeOfAGrid) {
  for (const Index classes : {2, 3, 5}) {
    const Scored s = scored(classes, 60, 0.8);
    const double found = fit_temperature(s.f, s.y, classes), least = softened_loss(s, classes, found);
    for (double slope = 0.02; slope < 20; slope *= 1.07) {
      EXPECT_LE(least, softened_loss(s, classes, slope) * (1 + 1e-9)) << classes << ", " << slope;
    }
  }
}

TEST(Temperature, KeepsSeparableScoresFromCertainty) {
  const Scored s = scored(2, 20, 0.01);
  const double slope = fit_temperature(s.f, s.y, 2);
  const std::vector<double> p = softmax(std::vector<double>{0.0, 1.0}, slope);
  EXPECT_GT(p[1], 0.8);
  EXPECT_LT(p[1], 0.97);  // 11 of 12
}

}  // namespace
}  // namespace medlar::test
