// Weak duality at random points, equality at the optimum, and certificates recomputed by other formulas.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/library.hpp"
#include "reference/random_problem.hpp"

namespace medlar::test {
namespace {

const std::vector<std::string> kMargins{"exponential", "laplace", "gaussian", "hinge",
                                        "tube",        "svr",     "squared",  "logistic"};
constexpr int kPriors = 4;

// Problems of every margin with every prior.
template <class Check>
void for_each_kind(int repetitions, Check check) {
  unsigned seed = 1;
  for (const std::string& margin : kMargins) {
    for (int prior = 0; prior < kPriors; ++prior) {
      for (int repetition = 0; repetition < repetitions; ++repetition, ++seed) {
        RandomProblem random(seed);
        const PlainProblem problem = random.draw(margin, prior);
        SCOPED_TRACE(fmt::format("seed {}: {}", seed, description(problem)));
        check(problem, random);
      }
    }
  }
}

TEST(Duality, PrimalIsNeverBelowDualAtRandomPoints) {
  for_each_kind(10, [](const PlainProblem& problem, RandomProblem& random) {
    const std::size_t sides = problem.margin.regression() ? 2 : 1;
    std::vector<double> lambda(sides * problem.examples());
    const double end = !problem.margin.bounded() ? 10.0 : static_cast<double>(problem.margin.c);
    const double scale = random.log_uniform(1e-4, 1);
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      lambda[k] = problem.weights[k / sides] * end * scale * random.uniform(0, 1);
    }
    const LibraryPoint dual = dual_by_library(problem, lambda);
    // The same J by the plain formulas; sums of terms as large as c.
    const Real size = 1 + std::abs(dual.value) + problem.prior.value(reals(dual.v)) + std::abs(end * scale);
    EXPECT_NEAR(dual.value, static_cast<double>(problem.dual(plain_multipliers(problem, dual.lambda))),
                static_cast<double>(1e-12L * size));

    Reals w(problem.features());
    for (Real& each : w) each = 3 * random.normal();
    const Real b = problem.bias == PlainBias::none ? 0 : 3 * random.normal();
    EXPECT_GE(problem.primal(w, b), dual.value - 1e-12L * size);

    std::vector<double> v(problem.features());
    for (double& each : v) each = 3 * random.normal();
    EXPECT_GE(primal_by_library(problem, v, 0.0), dual.value - 1e-12L * size);
    EXPECT_GE(primal_by_library(problem, dual.v, 0.0), dual.value - 1e-12L * size);
  });
}

TEST(Duality, FeasiblePointsHaveOneSideAndNoResidue) {
  for_each_kind(5, [](const PlainProblem& problem, RandomProblem& random) {
    const std::size_t sides = problem.margin.regression() ? 2 : 1;
    std::vector<double> lambda(sides * problem.examples());
    for (std::size_t k = 0; k < lambda.size(); ++k) lambda[k] = problem.weights[k / sides] * random.uniform(0, 0.4);
    const LibraryPoint dual = dual_by_library(problem, lambda);
    double sum = 0, size = 0;
    for (std::size_t k = 0; k < lambda.size(); ++k) {
      EXPECT_GE(dual.lambda[k], 0);
      if (sides == 2 && k % 2 == 1) {
        EXPECT_EQ(std::min(dual.lambda[k - 1], dual.lambda[k]), 0);
      }
      sum += dual.lambda[k] * (sides == 2 ? (k % 2 == 0 ? 1 : -1) : problem.y[k]);
      size += dual.lambda[k];
    }
    if (problem.bias == PlainBias::flat) {
      EXPECT_NEAR(sum, 0, 1e-15 * size);
    }
  });
}

TEST(Duality, HoldsWithEqualityAtTheOptimum) {
  for_each_kind(10, [](const PlainProblem& problem, RandomProblem&) {
    const LibraryAnswer answer = solve_by_library(problem);
    ASSERT_EQ(answer.report.status, Status::converged) << answer.report.message;
    const Real F = problem.primal(reals(answer.primal.w), answer.primal.bias[0]);
    const Real J = problem.dual(plain_multipliers(problem, answer.dual.lambda));
    // Rounding: a margin of size |w.x| + |b| is off by some 1e-16 of it, and the loss multiplies that by c.
    Real size = 1 + F;
    for (const auto& side : problem.sides()) {
      Real margin = std::abs(side.offset) + std::abs(answer.primal.bias[0]);
      for (std::size_t i = 0; i < problem.features(); ++i)
        margin += std::abs(answer.primal.w[i] * problem.x[side.t][i]);
      size += side.weight * problem.margin.c * margin;
    }
    EXPECT_NEAR(answer.report.primal, static_cast<double>(F), static_cast<double>(1e-14L * size));
    EXPECT_NEAR(answer.report.objective, static_cast<double>(J), static_cast<double>(1e-14L * size));
    EXPECT_LE(F - J, 1e-6L * F + 1e-14L * size);
  });
}

TEST(Duality, AModelCarriesItsOwnCertificate) {
  for_each_kind(5, [](const PlainProblem& problem, RandomProblem&) {
    const Model model = fit(dataset_of(problem), settings_of(problem));
    ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
    const Real F = problem.primal(coefficients_of(model), model.bias);
    const Real J = problem.dual(multipliers_of(problem, model));
    Real size = 1 + F;
    for (const auto& side : problem.sides()) size += side.weight * problem.margin.c * (1 + std::abs(side.offset));
    EXPECT_NEAR(model.report.primal, static_cast<double>(F), static_cast<double>(1e-13L * size));
    EXPECT_NEAR(model.report.objective, static_cast<double>(J), static_cast<double>(1e-13L * size));
    EXPECT_NEAR(model.report.gap, static_cast<double>(F - J), static_cast<double>(1e-13L * size));
    EXPECT_EQ(model.report.gap, std::abs(model.report.primal - model.report.objective));
    EXPECT_EQ(model.report.relative_gap, model.report.gap / std::max(model.report.primal, 1e-10));
    EXPECT_LE(model.report.relative_gap, model.report.tolerance);
  });
}

TEST(Duality, BoundsOnlyTightenAlongTheTrace) {
  for_each_kind(5, [](const PlainProblem& problem, RandomProblem&) {
    const Report report = solve_by_library(problem).report;
    ASSERT_FALSE(report.trace.empty());
    for (std::size_t j = 1; j < report.trace.size(); ++j) {
      EXPECT_GE(report.trace[j].objective, report.trace[j - 1].objective);
      EXPECT_LE(report.trace[j].primal, report.trace[j - 1].primal);
      EXPECT_GT(report.trace[j].passes, report.trace[j - 1].passes);
      EXPECT_EQ(report.trace[j].iteration, report.trace[j - 1].iteration + 1);
    }
    // Idle multipliers are set to 0 at the end, at the cost of at most the tolerance.
    const double allowed = report.tolerance * std::max(report.primal, 1e-10);
    EXPECT_GE(report.objective, report.trace.back().objective - allowed);
    EXPECT_LE(report.primal, report.trace.back().primal + allowed);
  });
}

TEST(Duality, AGapOf1em9IsReachedOnAGrid) {
  for (const std::string& margin : kMargins) {
    for (const double c : {2.0, 10.0, 100.0, 1e3, 1e4}) {
      for (const double p0 : {1.0, 0.1, 1e-3, 1e-5, 1e-8}) {
        for (const unsigned seed : {17u, 18u, 19u, 20u, 21u}) {
          RandomProblem random(seed);
          PlainProblem problem = random.draw(margin, 2);
          problem.margin.c = c;
          problem.margin.location = 1;
          problem.margin.epsilon = 0.1;
          problem.prior.v = 1;
          std::fill(problem.prior.p.begin(), problem.prior.p.end(), p0);
          for (const PlainBias bias : {PlainBias::flat, PlainBias::none, PlainBias::gaussian}) {
            problem.bias = bias;
            const Report report = solve_by_library(problem, {.tolerance = 1e-9}).report;
            EXPECT_EQ(report.status, Status::converged)
                << report.message << "\nseed " << seed << ": " << description(problem);
            EXPECT_LE(report.relative_gap, 1e-9);
          }
        }
      }
    }
  }
}

// Three points on a line that the tube of width 0 must meet: F = 2 at w = 2 and b = 1.
TEST(Duality, ATubeOfWidth0UnderAFlatBias) {
  PlainProblem problem;
  problem.x = {{0}, {1}, {2}};
  problem.y = {1, 3, 5};
  problem.weights = {1, 1, 1};
  problem.margin = {"svr", 100, 1, 0};
  problem.prior = {1, {0}, {0}, {1}};
  problem.bias = PlainBias::flat;
  const LibraryAnswer answer = solve_by_library(problem);
  EXPECT_EQ(answer.report.status, Status::converged) << answer.report.message;
  EXPECT_NEAR(answer.report.primal, 2, 2e-6);
  EXPECT_NEAR(answer.report.objective, 2, 2e-6);
  EXPECT_NEAR(answer.primal.w[0], 2, 1e-5);
  EXPECT_NEAR(answer.primal.bias[0], 1, 1e-5);

  const Model model = fit(dataset_of(problem), settings_of(problem));
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  EXPECT_NEAR(model.features[0].coefficient, 2, 1e-5);
  EXPECT_NEAR(model.bias, 1, 1e-5);
}

}  // namespace
}  // namespace medlar::test
