// The system of a Newton step between classes, whichever way it is solved, against its own equations written out.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "medlar/problem/statistic_rows.hpp"
#include "medlar/solvers/newton/class_feature_factor.hpp"
#include "medlar/solvers/newton/class_system.hpp"

namespace medlar::test {
namespace {

struct SystemShape {
  Index examples, features, classes;
  bool by_features;
  bool apart = false;  // A'' ties no two classes
};

// A'' is any positive semi-definite matrix; here one that mixes classes and features, of less than full rank.
TEST(ClassSystem, SolvesItsEquationsByExamplesAndByFeatures) {
  std::mt19937 random(17);
  std::normal_distribution<double> normal;
  for (const SystemShape& shape :
       {SystemShape{40, 5, 4, true}, {12, 600, 3, false}, {12, 600, 3, false, true}, {9, 3, 2, true}}) {
    for (const double sigma2 : {0.0, 2.5}) {
      SCOPED_TRACE(testing::Message() << shape.examples << " x " << shape.features << ", sigma2 " << sigma2);
      const Index n = shape.features, K = shape.classes;
      std::vector<double> values(static_cast<std::size_t>(shape.examples * n));
      for (double& each : values) each = normal(random);
      const Matrix x = Matrix::dense(shape.examples, n, values);
      std::vector<Index> y(static_cast<std::size_t>(shape.examples));
      for (std::size_t t = 0; t < y.size(); ++t) y[t] = static_cast<Index>(t) % K;
      const StatisticRows rows(x, {}, {});
      ClassConstraints constraints = rival_constraints(y, K, {});
      constraints.rows = &rows;
      EXPECT_EQ(ClassFeatureFactor::suits(constraints), shape.by_features);
      const auto count = static_cast<Eigen::Index>(constraints.count()), size = n * K;

      Eigen::MatrixXd root(size, std::max<Index>(1, size / 2));
      for (Eigen::Index i = 0; i < root.size(); ++i) root.data()[i] = normal(random);
      Eigen::MatrixXd curvature = root * root.transpose() / static_cast<double>(size);
      for (Index k = 0; shape.apart && k < K; ++k) {
        curvature.block(k * n, 0, n, k * n).setZero();
        curvature.block(k * n, (k + 1) * n, n, size - (k + 1) * n).setZero();
      }
      Eigen::MatrixXd u = Eigen::MatrixXd::Zero(count, size), received = Eigen::MatrixXd::Zero(count, K);
      for (Eigen::Index c = 0; c < count; ++c) {
        const auto place = static_cast<std::size_t>(c);
        const Index t = constraints.example[place], up = constraints.up[place], down = constraints.down[place];
        const Eigen::Map<const Eigen::RowVectorXd> row(values.data() + t * n, n);
        u.block(c, up * n, 1, n) = row;
        u.block(c, down * n, 1, n) = -row;
        received(c, up) = 1;
        received(c, down) = -1;
      }
      std::vector<double> h(constraints.count()), r(h.size()), d(h.size());
      for (double& each : h) each = std::exp(normal(random));
      for (double& each : r) each = normal(random);
      ClassSystem system(constraints, sigma2 == 0, sigma2, shape.apart);
      EXPECT_TRUE(system.direct());
      std::vector<double> s(system.balanced()), b(s.size());
      for (double& each : s) each = normal(random);
      system.assemble(h, [&](std::span<const double> from, std::span<double> to) {
        Eigen::Map<Eigen::VectorXd>(to.data(), size) = curvature * Eigen::Map<const Eigen::VectorXd>(from.data(), size);
      });
      ASSERT_TRUE(system.solve(r, s, d, b));

      const Eigen::Map<const Eigen::VectorXd> found(d.data(), count), wanted(r.data(), count),
          bias(b.data(), std::ssize(b));
      const Eigen::MatrixXd border = received.leftCols(std::ssize(b));
      const Eigen::VectorXd left = Eigen::Map<const Eigen::VectorXd>(h.data(), count).cwiseProduct(found) +
                                   u * (curvature * (u.transpose() * found)) +
                                   sigma2 * received * (received.transpose() * found) + border * bias;
      EXPECT_LE((left - wanted).norm(), 1e-9 * (wanted.norm() + left.norm()));
      const Eigen::VectorXd sums = border.transpose() * found;
      for (std::size_t k = 0; k < s.size(); ++k) EXPECT_NEAR(sums[static_cast<Eigen::Index>(k)], s[k], 1e-9);
    }
  }
}

}  // namespace
}  // namespace medlar::test
