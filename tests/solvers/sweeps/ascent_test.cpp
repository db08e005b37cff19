// Dual coordinate ascent and Newton over features on problems of middle size: their certificates recomputed by the
// plain reference, their traces, their repeatability, their early ends, their agreement with the interior-point method,
// and what the chooser calls them.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "models/fit_data.hpp"
#include "reference/library.hpp"
#include "reference/random_problem.hpp"

namespace medlar::test {
namespace {

struct Shape {
  std::size_t T, n;
  double filled = 1;  // share of entries that are not 0
};

// A few features count, the labels are noisy, a third of the problems has weights.
PlainProblem mid_sized(const Shape& shape, const std::string& margin, unsigned seed) {
  RandomProblem random(seed);
  PlainProblem problem;
  problem.margin = {margin, random.log_uniform(2, 500), 1, random.log_uniform(0.01, 0.5)};
  if (margin == "logistic") problem.margin.location = 0;
  problem.bias = static_cast<PlainBias>(random.below(3));
  problem.sigma2 = random.log_uniform(0.1, 10);
  const double p0 = random.below(3) == 0 ? 1 : random.log_uniform(1e-8, 1);
  const bool weighted = random.below(3) == 0;
  for (std::size_t t = 0; t < shape.T; ++t) {
    std::vector<double> row(shape.n);
    for (double& each : row) each = random.uniform(0, 1) < shape.filled ? random.normal() : 0;
    double f = 0.5 * random.normal();
    for (std::size_t i = 0; i < std::min<std::size_t>(shape.n, 5); ++i) f += row[i] / static_cast<double>(1 + i);
    problem.y.push_back(problem.margin.regression() ? f + 1 : t == 0 ? 1 : t == 1 ? -1 : f > 0 ? 1 : -1);
    problem.x.push_back(std::move(row));
    problem.weights.push_back(weighted ? random.log_uniform(0.2, 5) : 1);
  }
  problem.prior.v = random.log_uniform(0.3, 3);
  problem.prior.mean.assign(shape.n, 0);
  problem.prior.p.assign(shape.n, p0);
  for (std::size_t i = 0; i < shape.n; ++i) problem.prior.switch_of.push_back(static_cast<int>(i));
  return problem;
}

const std::vector<Shape> kShapes{{30, 5}, {60, 400}, {300, 20}, {80, 120, 0.05}};
const char* const kAscentMargins[] = {"exponential", "laplace", "gaussian", "hinge",
                                      "tube",        "svr",     "squared",  "logistic"};
constexpr std::size_t kFirstMargins = 6;  // keep their seeds

// Calls use(problem) for every shape and margin.
template <class Use>
void for_each_problem(Use use) {
  unsigned seed = 100;
  const std::span all(kAscentMargins);
  for (const auto margins : {all.first(kFirstMargins), all.subspan(kFirstMargins)}) {
    for (const Shape& shape : kShapes) {
      for (const std::string margin : margins) {
        ++seed;
        const PlainProblem problem = mid_sized(shape, margin, seed);
        SCOPED_TRACE(fmt::format("seed {}: {} c {:.3g}, bias {}, {} x {}, p {:.1e}", seed, margin,
                                 static_cast<double>(problem.margin.c), static_cast<int>(problem.bias), shape.T,
                                 shape.n, static_cast<double>(problem.prior.p[0])));
        use(problem);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

// lambda is feasible, and J and F of the plain reference are those that the report states.
void expect_feasible_and_certified(const PlainProblem& problem, const LibraryAnswer& answer) {
  const auto sides = problem.sides();
  const Reals lambdas = plain_multipliers(problem, answer.dual.lambda);
  ASSERT_EQ(lambdas.size(), sides.size());
  Real sum = 0, sizes = 0;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const auto lambda = static_cast<double>(lambdas[k]);
    const auto begin = static_cast<double>(problem.margin.lower() * sides[k].weight),  // as doubles have it
        end = static_cast<double>(problem.margin.upper() * sides[k].weight);
    ASSERT_TRUE(lambda >= begin && lambda <= end) << k << ": " << lambda << " of " << end;
    sum += sides[k].sign * lambda;
    sizes += std::abs(lambda);
  }
  if (problem.bias == PlainBias::flat) {
    ASSERT_LE(std::abs(sum), 1e-14L * sizes);
  }
  const Real J = problem.dual(lambdas), F = problem.primal(reals(answer.primal.w), answer.primal.bias[0]);
  const auto rounding = static_cast<double>(1e-11L * F);
  EXPECT_NEAR(answer.report.objective, static_cast<double>(J), rounding);
  EXPECT_NEAR(answer.report.primal, static_cast<double>(F), rounding);
  EXPECT_NEAR(answer.report.gap, static_cast<double>(F - J), rounding);
  EXPECT_NEAR(answer.report.relative_gap, static_cast<double>((F - J) / F), 1e-11);
}

void expect_monotone(const Report& report) {
  ASSERT_FALSE(report.trace.empty());
  for (std::size_t i = 1; i < report.trace.size(); ++i) {
    const TracePoint &before = report.trace[i - 1], &now = report.trace[i];
    EXPECT_GE(now.objective, before.objective) << i;
    EXPECT_LE(now.primal, before.primal) << i;
    EXPECT_GE(now.passes, before.passes) << i;
    EXPECT_GE(now.seconds, before.seconds) << i;
  }
}

// Newton over features wants potentials with curvature.
std::vector<const char*> solvers_for(const std::string& margin) {
  if (margin == "hinge" || margin == "svr") return {"ascent"};
  return {"ascent", "primal-newton"};
}

// The solver that was asked for did all of the work, and left nothing to the interior-point method.
bool alone(const Report& report, const std::string& solver) {
  const bool own = solver == "ascent"
                       ? report.solver.starts_with("ascent") || report.solver == "Newton over free examples"
                       : report.solver.starts_with("Newton over features");
  return own && report.solver.find("Cholesky") == std::string::npos;
}

TEST(AscentAndNewton, CertifyAndAgreeWithTheInteriorPointMethod) {
  for_each_problem([](const PlainProblem& problem) {
    const Limits limits{.tolerance = 1e-9};
    const Report interior = solve_by_library(problem, limits, nullptr, "newton").report;
    EXPECT_LE(interior.relative_gap, 1e-8) << interior.message;
    for (const char* solver : solvers_for(problem.margin.name)) {
      SCOPED_TRACE(solver);
      const LibraryAnswer answer = solve_by_library(problem, limits, nullptr, solver);
      EXPECT_EQ(answer.report.status, Status::converged) << answer.report.solver << ": " << answer.report.message;
      expect_feasible_and_certified(problem, answer);
      expect_monotone(answer.report);
      EXPECT_NEAR(answer.report.objective, interior.objective, 1e-8 * interior.primal);
      EXPECT_NEAR(answer.report.primal, interior.primal, 1e-8 * interior.primal);
    }
  });
}

// The chooser hides a solver that fails, as another takes over: on the shapes that `auto` gives it each must finish by
// itself, with every bias.
TEST(AscentAndNewton, FinishAloneOnTheirOwnShapes) {
  for (const PlainBias bias : {PlainBias::flat, PlainBias::none, PlainBias::gaussian}) {
    for (const char* margin : kAscentMargins) {
      for (const char* solver : solvers_for(margin)) {
        const bool ascent = std::string(solver) == "ascent";
        PlainProblem problem = mid_sized(ascent ? Shape{60, 150} : Shape{300, 20}, margin, 401);
        problem.margin.c = 10;
        problem.bias = bias;
        const Report report = solve_by_library(problem, {}, nullptr, solver).report;
        EXPECT_TRUE(alone(report, solver)) << margin << ", bias " << static_cast<int>(bias) << ": " << report.solver;
      }
    }
  }
}

class Solver : public testing::TestWithParam<const char*> {
 protected:
  // The margins that this solver takes.
  std::vector<const char*> margins() const {
    std::vector<const char*> taken;
    for (const char* margin : kAscentMargins) {
      const auto solvers = solvers_for(margin);
      if (std::count(solvers.begin(), solvers.end(), std::string(GetParam())) > 0) taken.push_back(margin);
    }
    return taken;
  }
};
INSTANTIATE_TEST_SUITE_P(Ascent, Solver, testing::Values("ascent"));
INSTANTIATE_TEST_SUITE_P(PrimalNewton, Solver, testing::Values("primal-newton"));

// Sparse rows take loops of their own; the same problem, kept dense and kept sparse.
TEST_P(Solver, SparseRowsGiveTheSameAnswer) {
  for (unsigned seed = 201; seed <= 206; ++seed) {
    const PlainProblem problem = mid_sized({100, 150, 0.05}, margins()[seed % margins().size()], seed);
    SCOPED_TRACE(seed);
    if (std::string(GetParam()) == "primal-newton" && solvers_for(problem.margin.name).size() == 1) continue;
    Dataset data = dataset_of(problem);
    Settings settings = settings_of(problem);
    settings.tolerance = 1e-9;
    set_option(settings, "solver", GetParam());
    const Report kept_dense = fit(data, settings).report;
    data.x = sparse(problem.x);
    const Model model = fit(data, settings);
    EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
    expect_monotone(model.report);
    EXPECT_NEAR(model.report.objective, kept_dense.objective, 2e-9 * kept_dense.primal);
    const Real J = problem.dual(multipliers_of(problem, model)), F = problem.primal(coefficients_of(model), model.bias);
    EXPECT_NEAR(model.report.objective, static_cast<double>(J), static_cast<double>(1e-11L * F));
    EXPECT_NEAR(model.report.primal, static_cast<double>(F), static_cast<double>(1e-11L * F));
  }
}

TEST_P(Solver, TheSameSeedGivesTheSameBits) {
  for (const char* margin : margins()) {
    for (const Shape& shape : {Shape{40, 100}, Shape{150, 20}}) {
      const PlainProblem problem = mid_sized(shape, margin, 301);
      const Limits limits{.tolerance = 1e-7, .seed = 5};
      const LibraryAnswer first = solve_by_library(problem, limits, nullptr, GetParam()),
                          second = solve_by_library(problem, limits, nullptr, GetParam());
      EXPECT_EQ(first.dual.lambda, second.dual.lambda) << margin;
      EXPECT_EQ(first.primal.w, second.primal.w) << margin;
      EXPECT_EQ(first.primal.bias, second.primal.bias) << margin;
      EXPECT_EQ(first.report.passes, second.report.passes) << margin;
    }
  }
}

// A Gaussian bias joins all examples in one strong column, along which single multipliers hardly move.
TEST(Ascent, AGaussianBiasTakesFewPassesMoreThanAFlatOne) {
  for (const char* margin : {"gaussian", "exponential"}) {
    PlainProblem problem = mid_sized({200, 150, 0.05}, margin, 306);
    problem.margin.c = 3;
    problem.prior.p.assign(150, 1);
    const auto passes = [&](PlainBias bias, Real sigma2) {
      problem.bias = bias;
      problem.sigma2 = sigma2;
      const Report report = solve_by_library(problem, {}, nullptr, "ascent").report;
      EXPECT_EQ(report.solver.substr(0, 6), "ascent");
      EXPECT_EQ(report.status, Status::converged) << report.message;
      return static_cast<double>(report.passes);
    };
    const double flat = passes(PlainBias::flat, 0);
    for (const Real sigma2 : {0.01, 1.0, 100.0}) {
      EXPECT_LE(passes(PlainBias::gaussian, sigma2), 2 * flat + 50) << margin << ' ' << static_cast<double>(sigma2);
    }
  }
}

TEST(Ascent, AnotherSeedVisitsInAnotherOrder) {
  const PlainProblem problem = mid_sized({200, 400}, "hinge", 302);
  const auto by_seed = [&](std::uint64_t seed) {
    return solve_by_library(problem, {.tolerance = 1e-5, .seed = seed}, nullptr, "ascent").dual.lambda;
  };
  EXPECT_NE(by_seed(1), by_seed(2));
}

// Asks to stop after so many questions.
struct Impatient : Observer {
  explicit Impatient(int patience) : left(patience) {}
  bool stop_requested() override { return left-- <= 0; }
  int left;
};

// An early end still has a feasible lambda, a finite F and the gap between them.
void expect_early(const PlainProblem& problem, const LibraryAnswer& answer, Status status) {
  EXPECT_EQ(answer.report.status, status) << answer.report.message;
  EXPECT_GT(answer.report.relative_gap, answer.report.tolerance);
  EXPECT_TRUE(std::isfinite(answer.report.primal) && std::isfinite(answer.report.objective));
  expect_feasible_and_certified(problem, answer);
  expect_monotone(answer.report);
}

TEST_P(Solver, StopsWhenAsked) {
  for (const char* margin : margins()) {
    const PlainProblem problem = mid_sized({300, 60}, margin, 303);
    SCOPED_TRACE(margin);
    for (const int patience : {0, 1, 2}) {
      Impatient observer(patience);
      const LibraryAnswer answer = solve_by_library(problem, {.tolerance = 1e-12}, &observer, GetParam());
      expect_early(problem, answer, Status::interrupted);
      EXPECT_GE(observer.left, -8);  // asked a few times more at most
    }
  }
}

TEST_P(Solver, StopsAtItsLimits) {
  for (const char* margin : margins()) {
    const PlainProblem problem = mid_sized({300, 60}, margin, 304);
    SCOPED_TRACE(margin);
    expect_early(problem, solve_by_library(problem, {.tolerance = 1e-12, .max_seconds = 0}, nullptr, GetParam()),
                 Status::limit);
    for (const Index passes : {1, 5}) {
      const LibraryAnswer answer =
          solve_by_library(problem, {.tolerance = 1e-12, .max_passes = passes}, nullptr, GetParam());
      expect_early(problem, answer, Status::limit);
    }
  }
}

// Beyond the limit on passes lies at most what had begun: of ascent an epoch, a certificate and the settling; of Newton
// one step with its search along the line.
TEST_P(Solver, EndsSoonAfterTheLastPass) {
  const Index rest = std::string(GetParam()) == "ascent" ? 6 : 24;
  for (const char* margin : margins()) {
    const PlainProblem problem = mid_sized({300, 60}, margin, 304);
    for (const Index passes : {5, 20, 40}) {
      const Limits limits{.tolerance = 1e-12, .max_passes = passes};
      EXPECT_LE(solve_by_library(problem, limits, nullptr, GetParam()).report.passes, passes + rest) << margin;
    }
  }
}

// T >= 2 n with curvature: over features; kinks there, or numbers that few features more would fit: the interior-point
// method; else ascent.
TEST(Auto, ChoosesByShape) {
  const auto solver = [](const Shape& shape, const std::string& margin, Real c) {
    PlainProblem problem = mid_sized(shape, margin, 305);
    problem.margin.c = c;
    const Report report = solve_by_library(problem).report;
    EXPECT_EQ(report.status, Status::converged) << report.message;
    return report.solver;
  };
  EXPECT_EQ(solver({300, 20}, "exponential", 3), "Newton over features");
  EXPECT_EQ(solver({300, 20}, "gaussian", 500), "Newton over features");
  EXPECT_EQ(solver({40, 300}, "exponential", 3).substr(0, 6), "ascent");
  EXPECT_EQ(solver({40, 300}, "hinge", 3).substr(0, 6), "ascent");
  EXPECT_EQ(solver({40, 300}, "tube", 3).substr(0, 6), "ascent");
  const std::string kinks = solver({300, 20}, "hinge", 3), large_c = solver({300, 20}, "exponential", 5000);
  EXPECT_EQ(kinks, large_c);
  EXPECT_EQ(kinks.find("ascent"), std::string::npos) << kinks;
  for (const char* const margin : {"tube", "svr"}) {
    EXPECT_EQ(solver({90, 100}, margin, 10).substr(0, 6), "newton") << margin;
    EXPECT_EQ(solver({90, 100}, margin, 0.5).substr(0, 6), "ascent") << margin;
    EXPECT_EQ(solver({90, 150}, margin, 10).substr(0, 6), "ascent") << margin;
  }
  EXPECT_EQ(solver({90, 100}, "exponential", 10).substr(0, 6), "ascent");
}

// Where c is large psi hardly bends, and sweeps alone would take long to find that a row and its copy share a
// multiplier.
TEST(AscentAndNewton, RowsThatStandTwiceAreNoHarder) {
  RandomProblem random(11);
  const std::size_t T = 3000, n = 4000;
  std::vector<Index> starts{0};
  std::vector<Column> column_of;
  std::vector<double> values, y;
  for (std::size_t t = 0; t < T; ++t) {
    std::vector<Column> columns;
    while (columns.size() < 8) {
      const auto i = static_cast<Column>(std::pow(random.uniform(0, 1), 2) * static_cast<double>(n));
      if (std::find(columns.begin(), columns.end(), i) == columns.end()) columns.push_back(i);
    }
    std::sort(columns.begin(), columns.end());
    double f = random.normal();
    for (const Column i : columns) {
      column_of.push_back(i);
      values.push_back(0.35);
      f += i % 2 == 0 ? 0.7 : -0.7;
    }
    starts.push_back(static_cast<Index>(values.size()));
    y.push_back(f > 0 ? 1 : -1);
  }
  const auto stacked = [&](std::size_t times) {
    std::vector<Index> all_starts{0};
    std::vector<Column> all_columns;
    std::vector<double> all_values, all_y;
    for (std::size_t k = 0; k < times; ++k) {
      for (std::size_t t = 0; t < T; ++t) all_starts.push_back(all_starts.back() + starts[t + 1] - starts[t]);
      all_columns.insert(all_columns.end(), column_of.begin(), column_of.end());
      all_values.insert(all_values.end(), values.begin(), values.end());
      all_y.insert(all_y.end(), y.begin(), y.end());
    }
    Matrix x =
        Matrix::sparse(static_cast<Index>(times * T), static_cast<Index>(n), all_starts, all_columns, all_values);
    return dataset(std::move(x), all_y, std::vector<double>(times * T, times == 1 ? 2.0 : 1.0));
  };
  Settings settings;
  settings.p0 = 1;
  settings.c = 100;
  settings.scale = ScaleKind::none;
  settings.solver = SolverKind::ascent;
  const Report heavy = fit(stacked(1), settings).report, twice = fit(stacked(2), settings).report;
  EXPECT_EQ(heavy.status, Status::converged) << heavy.message;
  EXPECT_EQ(twice.status, Status::converged) << twice.message;
  EXPECT_NEAR(twice.objective, heavy.objective, 2e-6 * heavy.objective);
  EXPECT_LE(twice.passes, 2 * heavy.passes + 100) << twice.solver;
}

}  // namespace
}  // namespace medlar::test
