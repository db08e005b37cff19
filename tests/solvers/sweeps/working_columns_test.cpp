// Sweeps on the few columns that matter: which they are, and that none that matters is ever dropped.
#include "medlar/solvers/sweeps/working_columns.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "medlar/priors/coefficients/switches.hpp"
#include "reference/library.hpp"
#include "reference/random_problem.hpp"

namespace medlar::test {
namespace {

TEST(ColumnsThatMatter, LeaveAtMostTheirShare) {
  RandomProblem random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> d(1 + static_cast<std::size_t>(random.below(200)));
    for (double& each : d) each = random.below(5) == 0 ? 0.0 : random.log_uniform(1e-12, 1);
    const double share = random.log_uniform(1e-3, 0.5), total = std::accumulate(d.begin(), d.end(), 0.0);
    double inside = 0, least = HUGE_VAL, most_outside = 0;
    std::vector<char> in(d.size(), 0);
    for (const Index i : columns_that_matter(d, share)) {
      inside += d[static_cast<std::size_t>(i)];
      least = std::min(least, d[static_cast<std::size_t>(i)]);
      in[static_cast<std::size_t>(i)] = 1;
    }
    for (std::size_t i = 0; i < d.size(); ++i) {
      if (in[i] == 0) most_outside = std::max(most_outside, d[i]);
    }
    EXPECT_GE(inside, (1 - share) * total * (1 - 1e-12));
    EXPECT_GE(least, most_outside) << "a smaller one went before a larger one";
  }
  EXPECT_EQ(columns_that_matter(std::vector<double>{1, 0, 1}, 0.1), (std::vector<Index>{0, 2}));
}

// More features than examples and small p0, all potentials, flat and other biases.
PlainProblem wide_problem(unsigned seed) {
  RandomProblem random(seed);
  PlainProblem problem;
  const char* margins[] = {"exponential", "laplace", "gaussian", "hinge", "tube", "svr"};
  problem.margin = {margins[random.below(6)], random.log_uniform(2, 20), 1, random.log_uniform(0.01, 0.3)};
  problem.bias = static_cast<PlainBias>(random.below(3));
  problem.sigma2 = random.log_uniform(0.1, 10);
  const bool classify = problem.margin.name != "tube" && problem.margin.name != "svr";
  const std::size_t T = 6 + static_cast<std::size_t>(random.below(6)),
                    n = 30 + static_cast<std::size_t>(random.below(40));
  const double p0 = random.log_uniform(1e-8, 1e-2);
  for (std::size_t t = 0; t < T; ++t) {
    std::vector<double> row(n);
    for (double& x : row) x = random.normal();
    const double f = 3 * row[0] - 2 * row[1] + 0.3 * random.normal();
    problem.x.push_back(row);
    problem.y.push_back(classify ? (t == 0 ? 1 : t == 1 ? -1 : f > 0 ? 1 : -1) : f);
  }
  problem.weights.assign(T, 1.0);
  problem.prior.p.assign(n, p0);
  problem.prior.mean.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) problem.prior.switch_of.push_back(static_cast<int>(i));
  return problem;
}

// The certificate, recomputed over all columns by the plain reference, closes: a column that mattered and was not
// worked on would leave it open.
TEST(WorkingColumns, NeverDropAColumnThatMatters) {
  int on_few = 0;
  for (unsigned seed = 1; seed <= 10000 && !testing::Test::HasFailure(); ++seed) {
    const PlainProblem problem = wide_problem(seed);
    const LibraryAnswer answer = solve_by_library(problem, Limits{.many_columns = 1}, nullptr, "ascent");
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, description(problem)));
    on_few += answer.report.solver.find("few columns") != std::string::npos ? 1 : 0;
    const Real F = problem.primal(reals(answer.primal.w), answer.primal.bias[0]),
               J = problem.dual(reals(answer.dual.lambda));
    EXPECT_EQ(answer.report.status, Status::converged) << answer.report.solver << ": " << answer.report.message;
    EXPECT_LE(static_cast<double>((F - J) / F), 1.0001e-6) << answer.report.solver;
  }
  EXPECT_GT(on_few, 2000) << "too few of these problems were swept on few columns";
}

}  // namespace
}  // namespace medlar::test
