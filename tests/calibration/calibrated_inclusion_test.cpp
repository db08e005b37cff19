// Calibrated inclusion: of the features to which it gives about p, a share p is true, where the sizes are drawn by
// hand; and without a signal hardly any feature gets much.
#include "medlar/calibration/calibrated_inclusion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace medlar {
namespace {

struct Drawn {
  std::vector<std::vector<double>> own, copied;
};

// |normal| for features without effect and for copies, |normal + effect| for the first `true_ones`; what a feature has
// in common with itself from draw to draw is most of it.
Drawn drawn(std::size_t features, std::size_t true_ones, double effect, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> common(features);
  for (std::size_t i = 0; i < features; ++i) common[i] = 0.95 * normal(random) + (i < true_ones ? effect : 0);
  Drawn made;
  for (int m = 0; m < 5; ++m) {
    auto &own = made.own.emplace_back(), &copied = made.copied.emplace_back();
    for (const double each : common) {
      own.push_back(std::abs(each + std::sqrt(1 - 0.95 * 0.95) * normal(random)));
      copied.push_back(std::abs(normal(random)));
    }
  }
  return made;
}

// 60 problems of 400 features, 12 of them true. Of those above 0.1, some 900, the observed share errs by 0.017 (one
// sd) and of those above 0.5, some 500, by 0.02; a right curve misses by more than 0.08 in fewer than 1 of 10,000 runs.
TEST(CalibratedInclusion, IsTheShareOfTrueFeatures) {
  double predicted[2] = {0, 0}, observed[2] = {0, 0}, count[2] = {0, 0};
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Drawn sizes = drawn(400, 12, 3.5, seed);
    const std::vector<double> probability = calibrated_inclusion(sizes.own, sizes.copied);
    ASSERT_EQ(probability.size(), 400u);
    for (std::size_t i = 0; i < 400; ++i) {
      for (const int k : {0, 1}) {
        if (probability[i] <= (k == 0 ? 0.1 : 0.5)) continue;
        predicted[k] += probability[i];
        observed[k] += i < 12 ? 1 : 0;
        count[k] += 1;
      }
    }
  }
  for (const int k : {0, 1}) {
    EXPECT_GT(count[k], 300);
    EXPECT_NEAR(predicted[k] / count[k], observed[k] / count[k], 0.08) << k;
  }
}

// Copies of features that matter take part of what these do, where the two correlate. Were these copies counted as
// examples of what does not matter, the features would be thought less of: here by 24 %, and not by 13.
TEST(CalibratedInclusion, HardlyHeedsCopiesOfFeaturesThatMatter) {
  double clean = 0, spoilt = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    Drawn sizes = drawn(400, 12, 3.5, 200 + seed);
    const auto mean_of_true = [&] {
      const std::vector<double> probability = calibrated_inclusion(sizes.own, sizes.copied);
      return std::accumulate(probability.begin(), probability.begin() + 12, 0.0) / 12;
    };
    clean += mean_of_true() / 40;
    for (auto& draw : sizes.copied) {
      for (std::size_t i = 0; i < 12; ++i) draw[i] += 1.5;
    }
    spoilt += mean_of_true() / 40;
  }
  EXPECT_NEAR(spoilt, clean, 0.17 * clean);
}

TEST(CalibratedInclusion, IsSmallWithoutASignal) {
  double above_half = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    const Drawn sizes = drawn(400, 0, 0, 100 + seed);
    const std::vector<double> probability = calibrated_inclusion(sizes.own, sizes.copied);
    above_half +=
        static_cast<double>(std::count_if(probability.begin(), probability.end(), [](double p) { return p > 0.5; }));
  }
  EXPECT_LT(above_half / 30, 1);  // of 400 features
}

TEST(CalibratedInclusion, GrowsWithTheSizeAndKnowsNoUnits) {
  const Drawn sizes = drawn(200, 10, 4, 7);
  Drawn larger = sizes;
  for (auto* draws : {&larger.own, &larger.copied}) {
    for (auto& draw : *draws) {
      for (double& each : draw) each *= 1024;
    }
  }
  const auto probability = calibrated_inclusion(sizes.own, sizes.copied);
  EXPECT_EQ(calibrated_inclusion(larger.own, larger.copied), probability);
  std::vector<std::pair<double, double>> by_size;
  for (std::size_t i = 0; i < 200; ++i) {
    double size = 0;
    for (const auto& draw : sizes.own) size += draw[i] / 5;
    by_size.emplace_back(size, probability[i]);
  }
  std::sort(by_size.begin(), by_size.end());
  EXPECT_TRUE(std::is_sorted(by_size.begin(), by_size.end(), [](auto a, auto b) { return a.second < b.second; }));
  const std::vector<std::vector<double>> none(3, std::vector<double>(4, 0.0));
  EXPECT_EQ(calibrated_inclusion(none, none), std::vector<double>(4, 0.0));
}

// Groups of one feature are no groups; a group of several has what a feature with the sum of their sizes has, and its
// features share it by their squares.
TEST(SharedInclusion, IsThatOfTheGroup) {
  const Drawn sizes = drawn(60, 5, 3.5, 3);
  const auto alone = calibrated_inclusion(sizes.own, sizes.copied);
  std::vector<std::size_t> group(60);
  for (std::size_t i = 0; i < 60; ++i) group[i] = 59 - i;
  const auto shared = shared_inclusion(sizes.own, sizes.copied, group);
  for (std::size_t i = 0; i < 60; ++i) EXPECT_NEAR(shared[i], alone[i], 1e-12);  // weights are summed in another order
  Drawn parted = sizes;  // the first feature as two, of 3/4 and 1/4
  for (auto* draws : {&parted.own, &parted.copied}) {
    for (auto& draw : *draws) {
      draw.push_back(0.25 * draw[0]);
      draw[0] *= 0.75;
    }
  }
  group.push_back(group[0]);
  const auto of_two = shared_inclusion(parted.own, parted.copied, group);
  EXPECT_NEAR(of_two[0], 0.9 * alone[0], 1e-12);
  EXPECT_NEAR(of_two[60], 0.1 * alone[0], 1e-12);
  EXPECT_NEAR(of_two[1], alone[1], 1e-12);
}

}  // namespace
}  // namespace medlar
