// Descent over features: the parabola that it keeps by examples against its definition, and whole solves of sparse
// problems whose certificates the plain reference recomputes.
#include "medlar/solvers/feature_descent.hpp"

#include <gtest/gtest.h>

#include "model/fit_data.hpp"
#include "reference/library.hpp"
#include "reference/random_problem.hpp"

namespace medlar::test {
namespace {

Rows sparse_rows(RandomProblem& random, std::size_t T, std::size_t n, double filled) {
  Rows rows(T, std::vector<double>(n, 0.0));
  for (auto& row : rows) {
    for (double& each : row) each = random.uniform(0, 1) < filled ? random.normal() : 0;
  }
  return rows;
}

// After moves of some features and of the bias: slopes as -X^T (beta - bend (X dw + db)), and none in the bias.
TEST(SparseParabola, KeepsItsSlopes) {
  RandomProblem random(3);
  const std::size_t T = 30, n = 12;
  const Rows rows = sparse_rows(random, T, n, 0.3);
  const Matrix x = sparse(rows);
  std::vector<double> beta(T), bend(T), dw(n, 0.0);
  for (std::size_t t = 0; t < T; ++t) beta[t] = random.normal(), bend[t] = random.log_uniform(0.01, 10);
  for (const double precision : {0.0, 0.7}) {
    SparseParabola losses(x);
    losses.start(beta, bend);
    std::fill(dw.begin(), dw.end(), 0.0);
    for (int move = 0; move < 40; ++move) {
      const auto i = static_cast<std::size_t>(random.below(static_cast<int>(n)));
      const double change = random.normal();
      losses.move(i, change);
      dw[i] += change;
    }
    const double before = 0.4;  // the bias at the start
    losses.settle_bias(before * precision, precision);
    double in_bias = (before + losses.bias()) * precision;
    std::vector<double> slope(n, 0.0), diagonal(n, 0.0);
    for (std::size_t t = 0; t < T; ++t) {
      double f = losses.bias();
      for (std::size_t i = 0; i < n; ++i) f += rows[t][i] * dw[i];
      const double r = beta[t] - bend[t] * f;
      EXPECT_NEAR(losses.multipliers()[t], r, 1e-12);
      in_bias -= r;
      for (std::size_t i = 0; i < n; ++i) slope[i] -= rows[t][i] * r, diagonal[i] += rows[t][i] * rows[t][i] * bend[t];
    }
    EXPECT_NEAR(in_bias, 0, 1e-11);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(losses.slope(i), slope[i], 1e-11);
      EXPECT_NEAR(losses.bend(i), diagonal[i], 1e-12);
    }
  }
}

PlainProblem sparse_problem(unsigned seed) {
  RandomProblem random(seed);
  PlainProblem problem;
  const char* margins[] = {"exponential", "laplace", "gaussian", "tube"};
  problem.margin = {margins[random.below(4)], random.log_uniform(2, 20), 1, random.log_uniform(0.01, 0.3)};
  problem.bias = static_cast<PlainBias>(random.below(3));
  problem.sigma2 = random.log_uniform(0.1, 10);
  const std::size_t T = 30 + static_cast<std::size_t>(random.below(60)),
                    n = 30 + static_cast<std::size_t>(random.below(60));
  problem.x = sparse_rows(random, T, n, 0.1);
  const bool weighted = random.below(3) == 0;
  for (std::size_t t = 0; t < T; ++t) {
    const double f = 3 * problem.x[t][0] - 2 * problem.x[t][1] + random.normal();
    problem.y.push_back(problem.margin.regression() ? f : t == 0 ? 1 : t == 1 ? -1 : f > 0 ? 1 : -1);
    problem.weights.push_back(weighted ? random.log_uniform(0.2, 5) : 1);
  }
  problem.prior.v = random.log_uniform(1, 100);
  problem.prior.p.assign(n, random.below(4) == 0 ? 1 : random.log_uniform(1e-8, 0.5));
  problem.prior.mean.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) problem.prior.switch_of.push_back(static_cast<int>(i));
  return problem;
}

TEST(FeatureDescent, EndsWhereTheReferenceCertifiesIt) {
  int descended = 0;
  for (unsigned seed = 1; seed <= 400 && !testing::Test::HasFailure(); ++seed) {
    const PlainProblem problem = sparse_problem(seed);
    const Limits limits{.tolerance = seed % 2 == 0 ? 1e-6 : 1e-9, .largest_factor = 1};
    const LibraryAnswer answer = solve_by_library(problem, limits, nullptr, "ascent");
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, description(problem)));
    const bool alone = answer.report.solver.find("Cholesky") == std::string::npos;
    descended += alone && answer.report.solver.find("descent over features") != std::string::npos ? 1 : 0;
    const Real F = problem.primal(reals(answer.primal.w), answer.primal.bias),
               J = problem.dual(reals(answer.dual.lambda));
    EXPECT_EQ(answer.report.status, Status::converged) << answer.report.solver << ": " << answer.report.message;
    EXPECT_LE(static_cast<double>((F - J) / F), 1.0001 * limits.tolerance) << answer.report.solver;
    for (std::size_t i = 1; i < answer.report.trace.size(); ++i) {
      EXPECT_GE(answer.report.trace[i].objective, answer.report.trace[i - 1].objective);
      EXPECT_LE(answer.report.trace[i].primal, answer.report.trace[i - 1].primal);
      EXPECT_GE(answer.report.trace[i].passes, answer.report.trace[i - 1].passes);
    }
  }
  EXPECT_GT(descended, 30) << "too few of these problems were descended";
}

}  // namespace
}  // namespace medlar::test
