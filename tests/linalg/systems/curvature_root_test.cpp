// The root of A'' against A'' itself: B B and B M B, by their definitions.
#include "medlar/linalg/systems/curvature_root.hpp"

#include <gtest/gtest.h>

#include <random>

namespace medlar::test {
namespace {

TEST(CurvatureRoot, TimesItselfIsTheCurvature) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  const std::vector<Index> group_of{0, 1, 2, 0, 1, 2, 0, 1, 2};
  const std::vector<double> of_group{0.3, 1e-5, 2.0}, kappa{0.2, 7.0, 0.0};
  std::vector<double> d, v;
  for (const Index g : group_of) {
    d.push_back(of_group[static_cast<std::size_t>(g)]);
    v.push_back(normal(random));
  }
  const auto n = static_cast<Eigen::Index>(d.size());
  Eigen::MatrixXd curvature = Eigen::MatrixXd::Zero(n, n), m(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      if (i == j) curvature(i, j) += d[a];
      if (group_of[a] == group_of[b]) curvature(i, j) += kappa[static_cast<std::size_t>(group_of[a])] * v[a] * v[b];
      m(i, j) = m(j, i) = normal(random);
    }
  }
  m = (m + m.transpose()).eval();
  const CurvatureRoot root(d, kappa, group_of, v);
  Eigen::MatrixXd b = Eigen::MatrixXd::Identity(n, n), both = m;
  for (Eigen::Index j = 0; j < n; ++j) root.apply(b.col(j));
  root.on_both_sides(both);
  EXPECT_LE((b - b.transpose()).norm(), 1e-14 * b.norm());
  EXPECT_LE((b * b - curvature).norm(), 1e-13 * curvature.norm());
  EXPECT_LE((b * m * b - both).norm(), 1e-13 * both.norm());
}

TEST(CurvatureRoot, WithoutGroupsIsTheRootOfEach) {
  const std::vector<double> d{4, 0, 0.25};
  Eigen::VectorXd x(3);
  x << 1, 2, 3;
  CurvatureRoot(d).apply(x);
  EXPECT_EQ(x, Eigen::Vector3d(2, 0, 1.5));
}

}  // namespace
}  // namespace medlar::test
