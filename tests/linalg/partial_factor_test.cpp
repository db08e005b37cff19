// Newton systems larger than the largest factor: a factor of the rows or columns that matter most, and conjugate
// gradients for the rest.
#include <gtest/gtest.h>

#include "linalg/systems/random_system.hpp"

namespace medlar::test {
namespace {

constexpr Index kLargest = 10;
const std::string kByExamples = "partial Cholesky over examples with conjugate gradients";
const std::string kByFeatures = "partial Cholesky over features with conjugate gradients";

// Solves each shape, dense and sparse, with and without groups and a bias, after `shape` has had its way.
template <class Shape>
void expect_partial_solves(const std::string& form, Shape shape) {
  unsigned seed = 1;
  for (const auto& [examples, features] : {std::pair<Index, Index>{40, 60}, {60, 40}}) {
    for (const Index groups : {0, 1, 6}) {
      for (const double sigma2 : {0.0, 2.5}) {
        for (const bool as_sparse : {false, true}) {
          SCOPED_TRACE(fmt::format("{} x {}, {} groups, sigma2 {}, {}, seed {}", examples, features, groups, sigma2,
                                   as_sparse ? "sparse" : "dense", seed));
          System system(examples, features, groups, sigma2, as_sparse ? 0.8 : 0.2, seed++);
          shape(system);
          const Matrix x = as_sparse ? sparse(system.rows) : dense(system.rows);
          NewtonSystem newton(x, nullptr, kLargest);
          newton.assemble(system.h, system.curvature);
          std::vector<double> delta(system.r.size());
          newton.solve(system.r, 0.0, delta);
          EXPECT_EQ(newton.form(), form);
          EXPECT_EQ(newton.why(), fmt::format("{} examples and {} features both exceed 10", examples, features));
          EXPECT_LE(system.energy_error(delta), 1e-4);
          EXPECT_GT(newton.passes(), 3);  // the factor alone does not solve it
        }
      }
    }
  }
}

TEST(PartialFactor, ByExamplesWhenFewAreCoupled) {
  expect_partial_solves(kByExamples, [](System& system) {
    for (std::size_t t = 0; t < system.h.size(); ++t) system.h[t] = t % 6 == 0 ? 1e-3 : 1e5;
    for (std::size_t i = 0; i < system.v.size(); ++i) system.curvature.d[i] = 0.1 + 0.01 * static_cast<double>(i);
  });
}

TEST(PartialFactor, ByFeaturesWhenFewAreHeavy) {
  expect_partial_solves(kByFeatures, [](System& system) {
    for (double& h : system.h) h = 1e-2 + std::min(h, 1.0);
    for (std::size_t i = 0; i < system.v.size(); ++i) system.curvature.d[i] = i % 8 == 2 ? 50.0 : 1e-3;
  });
}

// Neither side is small: the factor holds as many rows as it may.
TEST(PartialFactor, WhenAllMatter) {
  expect_partial_solves(kByExamples, [](System& system) {
    for (double& h : system.h) h = 0.1 + std::min(h, 1.0);
    for (double& d : system.curvature.d) d = 1;
  });
}

TEST(PartialFactor, ChoosesAnewAtEachAssembly) {
  System few(40, 60, 0, 0, 0.2, 7), heavy(40, 60, 0, 0, 0.2, 7);
  for (std::size_t t = 0; t < 40; ++t) few.h[t] = t < 3 ? 1e-3 : 1e5;
  for (std::size_t i = 0; i < 60; ++i) few.curvature.d[i] = 1, heavy.curvature.d[i] = i < 2 ? 50.0 : 1e-4;
  for (double& h : heavy.h) h = 0.1;
  const Matrix x = dense(few.rows);
  NewtonSystem newton(x, nullptr, kLargest);
  std::vector<double> delta(40);
  for (const int turn : {0, 1, 2, 3}) {
    const System& system = turn % 2 == 0 ? few : heavy;
    newton.assemble(system.h, system.curvature);
    newton.solve(system.r, 0.0, delta);
    EXPECT_EQ(newton.form(), turn % 2 == 0 ? kByExamples : kByFeatures);
    EXPECT_LE(system.energy_error(delta), 1e-4);
  }
}

TEST(PartialFactor, StopsWhenAsked) {
  System system(40, 60, 0, 0, 0.2, 8);
  const Matrix x = dense(system.rows);
  NewtonSystem newton(
      x, [] { return true; }, kLargest);
  newton.assemble(system.h, system.curvature);
  std::vector<double> delta(40);
  newton.solve(system.r, 0.0, delta);
  EXPECT_LE(newton.passes(), 5);  // one assembly, one residual, one step
  for (const double each : delta) EXPECT_TRUE(std::isfinite(each));
}

TEST(PartialFactor, IsNotTakenWhenOneSideFits) {
  for (const Index largest : {40, 41}) {
    System system(40, 60, 0, 0, 0.2, 9);
    const Matrix x = dense(system.rows);
    EXPECT_EQ(NewtonSystem(x, nullptr, largest).form(), "Cholesky over examples");
  }
  System system(40, 60, 0, 0, 0.2, 9);
  const Matrix x = dense(system.rows);
  EXPECT_EQ(NewtonSystem(x, nullptr, 39).form(), kByExamples);
}

}  // namespace
}  // namespace medlar::test
