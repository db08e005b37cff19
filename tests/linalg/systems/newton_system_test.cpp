// The Newton system against a dense solve in Eigen, in all of its forms.
#include "medlar/linalg/systems/newton_system.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "linalg/systems/random_system.hpp"
#include "medlar/linalg/systems/example_factor.hpp"
#include "medlar/linalg/systems/feature_factor.hpp"

namespace medlar::test {
namespace {

struct Form {
  Index examples, features, groups;
  double sigma2;
  bool sparse;
};

std::vector<Form> forms() {
  std::vector<Form> all;
  for (const bool sparse : {false, true}) {
    for (const double sigma2 : {0.0, 2.5}) {
      for (const Index groups : {0, 1, 9}) {
        all.push_back({25, 40, groups, sigma2, sparse});  // by examples
        all.push_back({60, 12, groups, sigma2, sparse});  // by features
        all.push_back({1, 1, std::min<Index>(groups, 1), sigma2, sparse});
        all.push_back({20, 600, groups, sigma2, sparse});  // more than one block of columns
        all.push_back({600, 15, groups, sigma2, sparse});  // more than one block of rows
      }
    }
  }
  return all;
}

TEST(NewtonSystem, SolvesLikeADenseFactorInEveryForm) {
  unsigned seed = 1;
  for (const Form& form : forms()) {
    for (const double zeros : {0.3, 0.97}) {
      SCOPED_TRACE(fmt::format("{} x {}, {} groups, sigma2 {}, {}, zeros {}, seed {}", form.examples, form.features,
                               form.groups, form.sigma2, form.sparse ? "sparse" : "dense", zeros, seed));
      const System system(form.examples, form.features, form.groups, form.sigma2, zeros, seed++);
      const Matrix x = form.sparse ? sparse(system.rows) : dense(system.rows);
      NewtonSystem newton(x, [] { return false; });
      newton.assemble(system.h, system.curvature);
      std::vector<double> delta(system.r.size());
      newton.solve(system.r, 0.0, delta);
      system.expect_solves(delta, 1e-11);
      EXPECT_EQ(newton.form(), form.examples <= form.features ? "Cholesky over examples" : "Cholesky over features");
      EXPECT_GT(newton.passes(), 0);
    }
  }
}

// Under a flat bias: m delta + b 1 = r and sum delta = total, against a dense bordered matrix.
TEST(NewtonSystem, MeetsTheGivenSumUnderAFlatBias) {
  unsigned seed = 201;
  for (const Form& form : forms()) {
    if (form.sigma2 > 0) continue;
    SCOPED_TRACE(fmt::format("{} x {}, {} groups, {}, seed {}", form.examples, form.features, form.groups,
                             form.sparse ? "sparse" : "dense", seed));
    System system(form.examples, form.features, form.groups, 0.0, 0.3, seed++);
    system.curvature.flat = true;
    const Matrix x = form.sparse ? sparse(system.rows) : dense(system.rows);
    const auto T = static_cast<Eigen::Index>(form.examples);
    Eigen::MatrixXd bordered = Eigen::MatrixXd::Ones(T + 1, T + 1);
    bordered.topLeftCorner(T, T) = system.outer();
    bordered(T, T) = 0;
    for (const double total : {0.0, -3.5}) {
      Eigen::VectorXd right(T + 1);
      right << Eigen::Map<const Eigen::VectorXd>(system.r.data(), T), total;
      const Eigen::VectorXd exact = bordered.fullPivLu().solve(right);
      NewtonSystem newton(x, nullptr);
      newton.assemble(system.h, system.curvature);
      std::vector<double> delta(system.r.size());
      const double b = newton.solve(system.r, total, delta);
      const Eigen::Map<const Eigen::VectorXd> found(delta.data(), T);
      EXPECT_LE((found - exact.head(T)).norm(), 1e-6 * exact.head(T).norm());
      EXPECT_NEAR(found.sum(), total, 1e-12 * (1 + found.cwiseAbs().sum()));
      EXPECT_NEAR(b, exact[T], 1e-6 * std::abs(exact[T]));
    }
  }
}

TEST(NewtonSystem, CanBeAssembledAgain) {
  const System first(25, 40, 3, 1.0, 0.3, 71), second(25, 40, 3, 1.0, 0.3, 72);
  const Matrix x = dense(first.rows);
  System mixed = second;  // the second's curvatures on the first's rows
  mixed.rows = first.rows;
  mixed.curvature.v = mixed.v;
  mixed.curvature.group_of = mixed.group_of;
  NewtonSystem newton(x, nullptr);
  std::vector<double> delta(25);
  newton.assemble(first.h, first.curvature);
  newton.solve(first.r, 0.0, delta);
  newton.assemble(mixed.h, mixed.curvature);
  newton.solve(mixed.r, 0.0, delta);
  mixed.expect_solves(delta, 1e-11);
}

TEST(NewtonSystem, AppliesTheCurvatureOfGroups) {
  for (const Index groups : {0, 3}) {
    const System system(1, 12, groups, 0, 0, 81);
    std::vector<double> u(12);
    std::iota(u.begin(), u.end(), -4.0);
    const Eigen::VectorXd expected = system.inner() * Eigen::Map<const Eigen::VectorXd>(u.data(), 12);
    apply_curvature(system.curvature, u);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(u[i], expected[static_cast<Eigen::Index>(i)], 1e-12 * 1e3);
  }
}

// A partial factor is exact for the examples that it holds when the others do not couple with them ...
TEST(ExampleFactor, LeavesTheRestToTheDiagonal) {
  System system(6, 6, 0, 0, 0, 91);
  for (std::size_t t = 0; t < 6; ++t) {
    for (std::size_t i = 0; i < 6; ++i) {
      if (t >= 4 && i != t) system.rows[t][i] = 0;  // rows 4 and 5 have one column each, which no other row has
      if (t < 4 && i >= 4) system.rows[t][i] = 0;
    }
  }
  for (const bool as_sparse : {false, true}) {
    const Matrix x = as_sparse ? sparse(system.rows) : dense(system.rows);
    ExampleFactor factor(x);
    const std::vector<Index> held{0, 1, 2, 3};
    factor.assemble(system.h, system.curvature, held);
    std::vector<double> z(6);
    factor.solve(system.r, 0.0, z);
    system.expect_solves(z, 1e-11);
  }
}

// ... and so is one over features when those left out have no column of their own in common.
TEST(FeatureFactor, LeavesTheRestToTheDiagonal) {
  System system(6, 4, 0, 0.5, 0, 92);
  for (std::size_t t = 0; t < 6; ++t) {
    if (t != 2) system.rows[t][1] = 0;  // columns 1 and 2 are met by one row each
    if (t != 4) system.rows[t][2] = 0;
  }
  for (const bool as_sparse : {false, true}) {
    const Matrix x = as_sparse ? sparse(system.rows) : dense(system.rows);
    FeatureFactor factor(x);
    const std::vector<Index> held{0, 3};
    factor.assemble(system.h, system.curvature, held);
    std::vector<double> z(6);
    factor.solve(system.r, 0.0, z);
    system.expect_solves(z, 1e-11);
  }
}

}  // namespace
}  // namespace medlar::test
