// Rows whose h is tiny against their curvature: the factor over features keeps them apart.
#include <gtest/gtest.h>

#include <numeric>

#include "linalg/systems/random_system.hpp"
#include "medlar/linalg/systems/feature_factor.hpp"

namespace medlar::test {
namespace {

// h from 1e-14 to 1e3, with each `period`-th row tight; features of similar weight.
void make_tight(System& system, std::size_t period, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> tiny(-14, -8), plain(-3, 3);
  for (std::size_t t = 0; t < system.h.size(); ++t) {
    system.h[t] = std::pow(10, t % period == 0 ? tiny(random) : plain(random));
  }
  for (double& d : system.curvature.d) d = std::pow(3, std::sin(1e3 * d));
}

struct Shape {
  Index examples, features, groups;
  double sigma2;
  bool sparse;
};

template <class Check>
void for_each_shape(Check check) {
  unsigned seed = 1;
  for (const auto& [examples, features] : {std::pair<Index, Index>{24, 12}, {40, 8}, {30, 3}, {300, 15}}) {
    for (const Index groups : {0, 2}) {
      for (const double sigma2 : {0.0, 2.5}) {
        for (const bool as_sparse : {false, true}) {
          SCOPED_TRACE(fmt::format("{} x {}, {} groups, sigma2 {}, {}, seed {}", examples, features, groups, sigma2,
                                   as_sparse ? "sparse" : "dense", seed));
          System system(examples, features, groups, sigma2, as_sparse ? 0.3 : 0.0, seed);
          check(system, as_sparse, seed++);
        }
      }
    }
  }
}

double error_of_newton(const System& system, bool as_sparse) {
  const Matrix x = as_sparse ? sparse(system.rows) : dense(system.rows);
  NewtonSystem newton(x, nullptr);
  newton.assemble(system.h, system.curvature);
  std::vector<double> delta(system.r.size());
  newton.solve(system.r, 0.0, delta);
  EXPECT_EQ(newton.form(), "Cholesky over features");
  return system.energy_error(delta);
}

// Tight rows that are independent leave the system well-posed, whatever their h.
TEST(TightRows, NoMoreThanFeaturesAreSolvedForAnyRightHandSide) {
  for_each_shape([](System& system, bool as_sparse, unsigned seed) {
    const std::size_t tight = system.v.size() / 2 + 1;
    make_tight(system, (system.h.size() + tight - 1) / tight, seed);
    EXPECT_LE(error_of_newton(system, as_sparse), 1e-10);
  });
}

// If there are more of them than features, they are nearly dependent. A random right-hand side then has a solution of
// size 1/h, and its rounding alone is larger than h. A Newton step asks for a solution of the size of the multipliers.
TEST(TightRows, MoreThanFeaturesAreSolvedForStepsOfOrdinarySize) {
  for_each_shape([](System& system, bool as_sparse, unsigned seed) {
    make_tight(system, 2, seed);
    system.ask_for(system.r);
    EXPECT_LE(error_of_newton(system, as_sparse), 1e-7);
  });
}

TEST(TightRows, MayBeTheSameTwice) {
  for_each_shape([](System& system, bool as_sparse, unsigned seed) {
    make_tight(system, 3, seed);
    for (std::size_t t = 3; t < system.rows.size(); t += 6) {
      system.rows[t] = system.rows[t - 3];
      system.h[t] = seed % 2 == 0 ? system.h[t - 3] : 10 * system.h[t - 3];
    }
    system.ask_for(system.r);
    EXPECT_LE(error_of_newton(system, as_sparse), 1e-7);
  });
}

TEST(TightRows, MayBeAll) {
  for_each_shape([](System& system, bool as_sparse, unsigned seed) {
    make_tight(system, 1, seed);
    system.ask_for(system.r);
    EXPECT_LE(error_of_newton(system, as_sparse), 1e-7);
  });
}

// The factor by itself, without conjugate gradients to mend it.
TEST(TightRows, AreExactInTheFactorAlone) {
  for_each_shape([](System& system, bool as_sparse, unsigned seed) {
    const std::size_t tight = system.v.size() / 2 + 1;
    make_tight(system, (system.h.size() + tight - 1) / tight, seed);
    const Matrix x = as_sparse ? sparse(system.rows) : dense(system.rows);
    FeatureFactor factor(x);
    std::vector<Index> columns(system.v.size());
    std::iota(columns.begin(), columns.end(), Index{0});
    factor.assemble(system.h, system.curvature, columns);
    std::vector<double> z(system.r.size());
    factor.solve(system.r, 0.0, z);
    EXPECT_LE(system.energy_error(z), 1e-8);
  });
}

}  // namespace
}  // namespace medlar::test
