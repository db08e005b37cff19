// The least point of a parabola plus A*: its slope is 0 there, by the definition and not by the model's own
// bookkeeping; two features are compared with a grid.
#include "medlar/solvers/newton/feature_model.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "medlar/priors/coefficients/groups.hpp"
#include "medlar/priors/coefficients/switches.hpp"

namespace medlar::test {
namespace {

struct Draw {
  Draw(Eigen::Index n, Eigen::Index rank, double scale, unsigned seed) : random(seed) {
    Eigen::MatrixXd rows(rank, n);
    for (Eigen::Index k = 0; k < rows.size(); ++k) rows.data()[k] = scale * normal(random);
    m = rows.transpose() * rows;
    for (Eigen::Index i = 0; i < n; ++i) {
      v.push_back(0.5 * normal(random));
      g.push_back(4 * scale * normal(random));
    }
  }

  std::mt19937_64 random;
  std::normal_distribution<double> normal;
  Eigen::MatrixXd m;
  std::vector<double> v, g;
};

TEST(FeatureModel, HasNoSlopeAtItsLeastPoint) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Eigen::Index n = 3 + seed % 9, rank = seed % 4 == 0 ? 2 : 15;  // also singular
    Draw draw(n, rank, seed % 3 == 0 ? 10 : 1, seed);
    const SwitchPartition partition(n, seed % 2 == 0 ? 1e-5 : 0.2, 1.3);
    std::vector<double> w(draw.v.size());
    partition.mean(draw.v, w);
    const auto least = FeatureModel(partition, Parabola(draw.m, draw.g)).minimise(draw.v, w);
    double before = 0, after = 0;  // sum of A'' slope^2
    for (std::size_t i = 0; i < w.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      double slope = draw.g[i] + least.v[i];
      for (std::size_t j = 0; j < w.size(); ++j)
        slope += draw.m(row, static_cast<Eigen::Index>(j)) * (least.w[j] - w[j]);
      EXPECT_NEAR(partition.mean_at(row, least.v[i]), least.w[i], 1e-9 * (1e-6 + std::abs(least.w[i])));
      after += partition.variance_at(row, least.v[i]) * slope * slope;
      before += partition.variance_at(row, draw.v[i]) * std::pow(draw.g[i] + draw.v[i], 2);
    }
    EXPECT_LE(after, 1.01e-12 * before) << "seed " << seed;
  }
}

TEST(FeatureModel, HasNoSlopeAtItsLeastPointOfGroups) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Eigen::Index groups = 2 + seed % 5, n = 3 * groups, rank = seed % 4 == 0 ? 4 : 25;
    Draw draw(n, rank, seed % 3 == 0 ? 10 : 1, seed);
    std::vector<Index> group_of;
    for (Index i = 0; i < n; ++i) group_of.push_back(i % groups);
    std::vector<double> p(static_cast<std::size_t>(groups), seed % 2 == 0 ? 1e-5 : 0.2);
    if (seed % 5 == 0) p.front() = 1;
    const GroupPartition partition(group_of, p, 1.3);
    std::vector<double> w(draw.v.size()), mean(w.size()), turned(w.size());
    partition.mean(draw.v, w);
    const auto least = FeatureModel(partition, Parabola(draw.m, draw.g)).minimise(draw.v, w);
    partition.mean(least.v, mean);
    std::vector<double> slope(w.size()), start(w.size());
    for (std::size_t i = 0; i < w.size(); ++i) {
      start[i] = draw.g[i] + draw.v[i];
      slope[i] = draw.g[i] + least.v[i];
      for (std::size_t j = 0; j < w.size(); ++j)
        slope[i] += draw.m(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) * (least.w[j] - w[j]);
      EXPECT_NEAR(mean[i], least.w[i], 1e-9 * (1e-6 + std::abs(least.w[i])));
    }
    const auto unrest = [&](std::span<const double> v, const std::vector<double>& of) {
      GroupCurvature(partition, v).product(of, turned);
      return std::inner_product(of.begin(), of.end(), turned.begin(), 0.0);
    };
    EXPECT_LE(unrest(least.v, slope), 1.01e-12 * unrest(draw.v, start)) << "seed " << seed;
  }
}

TEST(FeatureModel, NoPointOfAGridIsLower) {
  Draw draw(2, 3, 2, 7);
  const SwitchPartition partition(2, 1e-3, 1);
  std::vector<double> w(2);
  partition.mean(draw.v, w);
  const auto value = [&](std::span<const double> v) {
    std::vector<double> at(2);
    partition.mean(v, at);
    const Eigen::Vector2d change(at[0] - w[0], at[1] - w[1]);
    return partition.conjugate_at(v) + draw.g[0] * change[0] + draw.g[1] * change[1] +
           0.5 * change.dot(draw.m * change);
  };
  const auto least = FeatureModel(partition, Parabola(draw.m, draw.g)).minimise(draw.v, w);
  const double found = value(least.v);
  EXPECT_LT(found, value(draw.v));
  for (double a = -8; a <= 8; a += 0.05) {
    for (double b = -8; b <= 8; b += 0.05) EXPECT_GE(value(std::vector<double>{a, b}), found - 1e-9 * std::abs(found));
  }
}

}  // namespace
}  // namespace medlar::test
