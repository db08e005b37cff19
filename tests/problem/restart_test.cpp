// Large c and tiny p0 on data that no plane separates: few switches are where the start has them. When the relative gap
// is still above 0.8 after 20 iterations, the solve begins anew from the fit with every switch on.
#include <gtest/gtest.h>

#include "models/fit_data.hpp"
#include "reference/library.hpp"
#include "reference/random_problem.hpp"

namespace medlar::test {
namespace {

PlainProblem hard_problem(const std::string& margin, PlainBias bias, unsigned seed) {
  PlainProblem problem;
  const Sample drawn = sample(true, 60, 10, seed);
  problem.x = drawn.x;
  problem.y = drawn.y;
  problem.weights.assign(60, 1.0);
  problem.margin = {margin, 1e4, 1, 0};
  problem.prior.p.assign(10, 1e-8L);
  problem.prior.mean.assign(10, 0);
  for (int i = 0; i < 10; ++i) problem.prior.switch_of.push_back(i);
  problem.bias = bias;
  return problem;
}

bool restarted(const Report& report) {
  return report.trace.size() > 20 && report.trace[20].relative_gap > 0.8;
}

void expect_certified(const PlainProblem& problem, const LibraryAnswer& answer) {
  EXPECT_EQ(answer.report.status, Status::converged) << answer.report.message;
  EXPECT_LE(answer.report.relative_gap, 1e-6);
  const Real F = problem.primal(reals(answer.primal.w), answer.primal.bias[0]),
             J = problem.dual(reals(answer.dual.lambda));
  EXPECT_NEAR(answer.report.primal, static_cast<double>(F), static_cast<double>(1e-11L * F));
  EXPECT_NEAR(answer.report.objective, static_cast<double>(J), static_cast<double>(1e-11L * F));
}

TEST(Restart, HardStartsContinueFromTheFitWithEverySwitchOn) {
  struct Case {
    std::string margin;
    PlainBias bias;
    unsigned seed;
  };
  int restarts = 0;
  for (const Case& each : {Case{"exponential", PlainBias::flat, 12},
                           {"exponential", PlainBias::none, 1},
                           {"laplace", PlainBias::none, 32},
                           {"gaussian", PlainBias::flat, 17},
                           {"gaussian", PlainBias::none, 31},
                           {"hinge", PlainBias::none, 8}}) {
    const PlainProblem problem = hard_problem(each.margin, each.bias, each.seed);
    SCOPED_TRACE(fmt::format("seed {}: {}", each.seed, description(problem)));
    const LibraryAnswer answer = solve_by_library(problem, {}, nullptr, "newton");
    expect_certified(problem, answer);
    restarts += restarted(answer.report) ? 1 : 0;
    // The passes of the fit with every switch on are counted: more of them at the restart than in a common iteration.
    if (!restarted(answer.report) || answer.report.trace.size() < 22) continue;
    const auto& trace = answer.report.trace;
    EXPECT_GT(trace[21].passes - trace[20].passes, 3 * (trace[20].passes - trace[19].passes));
  }
  EXPECT_GE(restarts, 2) << "these seeds no longer reach the restart";
}

// The losses are so large that the cost of the switches is below the tolerance: the fit with every switch on ends it.
TEST(Restart, SwitchesThatCostNothingAreTakenAsOn) {
  PlainProblem problem = hard_problem("hinge", PlainBias::none, 8);
  for (const double c : {1e9, 1e12}) {
    problem.margin.c = c;
    const LibraryAnswer answer = solve_by_library(problem, {}, nullptr, "newton");
    expect_certified(problem, answer);
    EXPECT_LE(answer.report.iterations, 21) << "the fit with every switch on did not end it";
  }
}

TEST(Restart, CanBeInterrupted) {
  struct Stop : Observer {
    void on_iteration(const TracePoint& point) override { iterations = point.iteration; }
    bool stop_requested() override { return iterations >= 20; }  // also asked inside the fit with every switch on
    Index iterations = 0;
  } observer;
  const PlainProblem problem = hard_problem("gaussian", PlainBias::flat, 17);
  const LibraryAnswer answer = solve_by_library(problem, {}, &observer, "newton");
  EXPECT_EQ(answer.report.status, Status::interrupted) << answer.report.message;
  EXPECT_LE(answer.report.iterations, 21);
  EXPECT_LE(answer.report.objective, answer.report.primal);
}

}  // namespace
}  // namespace medlar::test
