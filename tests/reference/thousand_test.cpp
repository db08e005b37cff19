// Random small problems: the library's bounds and its answer against those of the plain reference.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/library.hpp"
#include "reference/plain_maximiser.hpp"
#include "reference/random_problem.hpp"

namespace medlar::test {
namespace {

constexpr Real kTiny = 1e-15L;  // rounding of the library's sums where the optimum is 0

// J <= optimum <= F, where the reference has the optimum to 1e-9.
void expect_bracket(const PlainOptimum& reference, const Report& report) {
  ASSERT_LE(reference.upper - reference.lower, 1e-9L * reference.upper + kTiny);
  EXPECT_LE(report.objective, reference.upper + 1e-12L * reference.upper + kTiny);
  EXPECT_GE(report.primal, reference.lower - 1e-12L * reference.upper - kTiny);
}

// A problem of any of six margins; after those, one of squared and of logistic losses in turns.
PlainProblem drawn(unsigned seed, unsigned of_six) {
  if (seed <= of_six) return RandomProblem(seed).draw();
  return RandomProblem(seed).draw(seed % 2 == 0 ? "squared" : "logistic", static_cast<int>(seed / 2 % 4));
}

TEST(Reference, BracketsAThousandRandomProblems) {
  for (unsigned seed = 1; seed <= 1400 && !testing::Test::HasFailure(); ++seed) {
    const PlainProblem problem = drawn(seed, 1000);
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, description(problem)));
    const PlainOptimum reference = plain_optimum(problem);
    const LibraryAnswer answer = solve_by_library(problem);
    EXPECT_EQ(answer.report.status, Status::converged) << answer.report.message;
    EXPECT_LE(answer.report.relative_gap, 1e-6);
    expect_bracket(reference, answer.report);

    // F - F* >= |w - w*|^2 / (2 max A''), for the library and for the reference.
    const Real excess = std::max(0.0L, answer.report.primal - reference.lower) + 1e-12L * reference.upper + kTiny;
    const Real own = std::max(0.0L, reference.upper - reference.lower);
    const Real bound = std::sqrt(2 * problem.prior.largest_curvature()) * (std::sqrt(excess) + std::sqrt(own));
    Real distance = 0;
    for (std::size_t i = 0; i < problem.features(); ++i) {
      distance += (answer.primal.w[i] - reference.w[i]) * (answer.primal.w[i] - reference.w[i]);
    }
    EXPECT_LE(std::sqrt(distance), bound);
  }
}

// Which solvers take the problem: features tied by groups, and margins without curvature, are not for all.
std::vector<std::string> solvers_for(const PlainProblem& problem) {
  std::vector<std::string> names{"auto"};
  const auto& switch_of = problem.prior.switch_of;
  for (std::size_t i = 0; i < switch_of.size(); ++i) {
    if (std::count(switch_of.begin(), switch_of.end(), switch_of[i]) > 1 && switch_of[i] >= 0) return names;
  }
  names.push_back("ascent");
  if (!problem.margin.kinked()) names.push_back("primal-newton");
  return names;
}

// Each solver by name gives the same J to 1e-8; what one of them does not finish the interior-point method does.
TEST(Reference, EverySolverAgrees) {
  int compared = 0;
  for (unsigned seed = 2001; seed <= 2600 && !testing::Test::HasFailure(); ++seed) {
    const PlainProblem problem = drawn(seed, 2400);
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, description(problem)));
    const Limits limits{.tolerance = 1e-9};
    const LibraryAnswer first = solve_by_library(problem, limits, nullptr, "newton");
    EXPECT_LE(first.report.relative_gap, 1e-8) << first.report.message;  // the last digit is not its strength
    for (const std::string& solver : solvers_for(problem)) {
      ++compared;
      const LibraryAnswer answer = solve_by_library(problem, limits, nullptr, solver);
      EXPECT_LE(answer.report.relative_gap, 1e-8) << solver << ": " << answer.report.message;
      EXPECT_NEAR(answer.report.objective, first.report.objective, 2e-8 * first.report.primal + 1e-15) << solver;
    }
  }
  EXPECT_GT(compared, 800);
}

// The bias is unique when some multiplier lies inside its domain; it is found to about the root of the gap.
TEST(Reference, HasTheSameBiasWhereItIsUnique) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 600 && !testing::Test::HasFailure(); ++seed) {
    const PlainProblem problem = drawn(seed, 400);
    if (problem.margin.kinked() || problem.bias == PlainBias::none) continue;
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, description(problem)));
    const PlainOptimum reference = plain_optimum(problem);
    if (reference.upper < 1e-6L) continue;  // the prior alone may leave an interval
    const LibraryAnswer answer = solve_by_library(problem, {.tolerance = 1e-9});
    EXPECT_EQ(answer.report.status, Status::converged) << answer.report.message;
    expect_bracket(reference, answer.report);
    EXPECT_NEAR(answer.primal.bias[0], static_cast<double>(reference.b), 3e-4 * (1 + std::abs(answer.primal.bias[0])));
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace medlar::test
