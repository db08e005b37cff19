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

// Losses whose rows stand in two places: each block keeps its rows and their bends, and answers with its own sums.
class Blocks {
 public:
  Blocks(Eigen::MatrixXd first, Eigen::MatrixXd second, std::span<const double> g)
      : rows_{std::move(first), std::move(second)}, slope_(g.begin(), g.end()) {}

  double slope(std::size_t i) const { return slope_[i]; }
  double bend(std::size_t i) const { return column(i)[i]; }
  Parabola::Axes axes(std::span<const std::size_t> features) const {
    Eigen::MatrixXd block(std::ssize(features), std::ssize(features));
    for (std::size_t j = 0; j < features.size(); ++j) {
      const std::vector<double> m = column(features[j]);
      for (std::size_t i = 0; i < features.size(); ++i)
        block(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = m[features[i]];
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> parts(block);
    const Eigen::VectorXd bends = parts.eigenvalues().cwiseMax(0.0);
    return {{bends.begin(), bends.end()},
            {parts.eigenvectors().data(), parts.eigenvectors().data() + parts.eigenvectors().size()}};
  }
  std::vector<double> times(std::span<const double> dw) const {
    const Eigen::Map<const Eigen::VectorXd> way(dw.data(), std::ssize(dw));
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(way.size());
    for (const Eigen::MatrixXd& x : rows_) sum += x.transpose() * (x * way);
    return {sum.begin(), sum.end()};
  }
  // dw = -B (1 + B M B)^-1 B rest by conjugate gradients, which ask for sums only.
  std::vector<double> newton(const CurvatureRoot& root, std::span<const double> rest) const {
    Eigen::VectorXd r = -Eigen::Map<const Eigen::VectorXd>(rest.data(), std::ssize(rest));
    root.apply(r);
    Eigen::VectorXd u = Eigen::VectorXd::Zero(r.size()), way = r;
    for (int k = 0; k < 10 * r.size() && r.norm() > 1e-14 * u.norm(); ++k) {
      Eigen::VectorXd turned = way;
      root.apply(turned);
      const std::vector<double> m = times(std::span(turned.data(), slope_.size()));
      turned = Eigen::Map<const Eigen::VectorXd>(m.data(), std::ssize(m));
      root.apply(turned);
      turned += way;
      const double before = r.squaredNorm(), length = before / way.dot(turned);
      u += length * way, r -= length * turned;
      way = r + r.squaredNorm() / before * way;
    }
    root.apply(u);
    return {u.begin(), u.end()};
  }
  std::vector<double> biases() const { return {}; }
  void move(std::size_t i, double change) { add(column(i), change); }
  void move(std::span<const double>, std::span<const double> m_dw, double length) { add(m_dw, length); }

 private:
  std::vector<double> column(std::size_t i) const {
    std::vector<double> unit(slope_.size(), 0.0);
    unit[i] = 1;
    return times(unit);
  }
  void add(std::span<const double> of, double times) {
    for (std::size_t i = 0; i < of.size(); ++i) slope_[i] += times * of[i];
  }

  Eigen::MatrixXd rows_[2];
  std::vector<double> slope_;
};

// The same minimum, to the root of the accuracy of its slope.
template <class A>
void expect_equal_minima(const A& partition, const Draw& draw, const Eigen::MatrixXd& rows) {
  std::vector<double> w(draw.v.size());
  partition.mean(draw.v, w);
  const Eigen::Index half = rows.rows() / 2;
  const Blocks blocks(rows.topRows(half), rows.bottomRows(rows.rows() - half), draw.g);
  const auto whole = FeatureModel(partition, Parabola(draw.m, draw.g)).minimise(draw.v, w);
  const auto summed = FeatureModel(partition, blocks).minimise(draw.v, w);
  double size = 0;
  for (const double each : whole.w) size = std::max(size, std::abs(each));
  for (std::size_t i = 0; i < w.size(); ++i) EXPECT_NEAR(whole.w[i], summed.w[i], 1e-5 * size) << "feature " << i;
}

TEST(FeatureModel, FindsTheSameMinimumFromTheSumsOfTwoBlocksOfRows) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(12, 30, 2, seed);
    const Eigen::MatrixXd root = draw.m.llt().matrixU();  // rows with the same sums
    expect_equal_minima(SwitchPartition(12, 0.2, 1.3), draw, root);
    std::vector<Index> group_of;
    for (Index i = 0; i < 12; ++i) group_of.push_back(i % 4);
    expect_equal_minima(GroupPartition(group_of, std::vector<double>(4, 0.2), 1.3), draw, root);
  }
}

}  // namespace
}  // namespace medlar::test
