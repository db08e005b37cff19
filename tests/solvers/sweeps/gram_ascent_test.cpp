// Ascent over the Gram matrix of few examples: the matrix against plain products, and fits on shapes that `auto` gives
// to it, dense and sparse, against the interior-point method and the plain reference.
#include <gtest/gtest.h>

#include <cmath>

#include "medlar/linalg/example_gram.hpp"
#include "models/fit_data.hpp"
#include "reference/library.hpp"
#include "reference/random_problem.hpp"

namespace medlar::test {
namespace {

std::vector<std::vector<double>> random_rows(std::size_t T, std::size_t n, double filled, RandomProblem& random) {
  std::vector<std::vector<double>> rows(T, std::vector<double>(n, 0.0));
  for (auto& row : rows) {
    for (double& each : row) {
      if (random.uniform(0, 1) < filled) each = random.normal();
    }
  }
  return rows;
}

void expect_products(const ExampleGram& gram, const std::vector<std::vector<double>>& rows) {
  ASSERT_EQ(gram.size(), std::ssize(rows));
  for (std::size_t t = 0; t < rows.size(); ++t) {
    for (std::size_t u = 0; u < rows.size(); ++u) {
      double product = 0, size = 0;
      for (std::size_t i = 0; i < rows[t].size(); ++i) {
        product += rows[t][i] * rows[u][i];
        size += std::abs(rows[t][i] * rows[u][i]);
      }
      // single precision: two roundings of each term, and those of its sums
      EXPECT_NEAR(static_cast<double>(gram.row(t)[u]), product, 1e-6 * size) << t << ' ' << u;
      EXPECT_EQ(gram.row(t)[u], gram.row(u)[t]);
    }
  }
}

TEST(ExampleGram, HoldsTheProductsOfTheRows) {
  RandomProblem random(11);
  const auto wide = random_rows(17, 1500, 1, random);  // more columns than a block has
  expect_products(ExampleGram(dense(wide)), wide);
  expect_products(ExampleGram(dense(wide).as_floats()), wide);
  const auto thin = random_rows(40, 300, 0.03, random);
  expect_products(ExampleGram(sparse(thin)), thin);
}

TEST(ExampleGram, BlocksAreTakenInTheGivenOrder) {
  RandomProblem random(12);
  const ExampleGram gram(dense(random_rows(6, 20, 1, random)));
  const std::vector<Index> examples{4, 0, 5};
  const std::vector<double> block = gram.block(examples);
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      EXPECT_EQ(block[3 * a + b], gram.row(static_cast<std::size_t>(examples[a]))[examples[b]]);
    }
  }
}

PlainProblem few_examples(const std::string& margin, PlainBias bias, double filled, unsigned seed) {
  RandomProblem random(seed);
  PlainProblem problem;
  problem.margin = {margin, random.log_uniform(2, 500), 1, random.log_uniform(0.01, 0.5)};
  if (margin == "logistic") problem.margin.location = 0;
  problem.bias = bias;
  problem.sigma2 = random.log_uniform(0.1, 10);
  problem.x = random_rows(50, 400, filled, random);
  for (std::size_t t = 0; t < problem.x.size(); ++t) {
    const double f = problem.x[t][0] + 0.5 * random.normal();
    problem.y.push_back(problem.margin.regression() ? f + 1 : t == 0 ? 1 : t == 1 ? -1 : f > 0 ? 1 : -1);
    problem.weights.push_back(seed % 2 == 0 ? random.log_uniform(0.2, 5) : 1);
  }
  problem.prior.v = random.log_uniform(0.3, 3);
  problem.prior.mean.assign(400, 0);
  if (seed % 3 == 0) problem.prior.mean[1] = 0.3;
  problem.prior.p.assign(400, 1);
  for (int i = 0; i < 400; ++i) problem.prior.switch_of.push_back(i);
  return problem;
}

// Every potential and bias; a third with a prior mean, half with weights, half sparse.
TEST(GramAscent, AgreesWithTheInteriorPointMethod) {
  unsigned seed = 500;
  for (const char* margin : {"exponential", "laplace", "gaussian", "hinge", "tube", "svr", "squared", "logistic"}) {
    for (const PlainBias bias : {PlainBias::flat, PlainBias::none, PlainBias::gaussian}) {
      ++seed;
      const PlainProblem problem = few_examples(margin, bias, seed % 2 == 0 ? 1 : 0.15, seed);
      SCOPED_TRACE(fmt::format("seed {}: {}, bias {}", seed, margin, static_cast<int>(bias)));
      Dataset data = dataset_of(problem);
      if (seed % 2 != 0) data.x = sparse(problem.x);
      Settings settings = settings_of(problem);
      settings.tolerance = 1e-9;
      settings.solver = SolverKind::newton;
      const Report interior = fit(data, settings).report;
      settings.solver = SolverKind::ascent;
      const Model model = fit(data, settings);
      EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
      EXPECT_EQ(model.report.solver.substr(0, 27), "ascent over the Gram matrix") << model.report.solver;
      EXPECT_EQ(model.report.solver.find("Cholesky"), std::string::npos) << model.report.solver;
      EXPECT_NEAR(model.report.objective, interior.objective, 1e-8 * interior.primal);
      const Real J = problem.dual(multipliers_of(problem, model)),
                 F = problem.primal(coefficients_of(model), model.bias);
      EXPECT_NEAR(model.report.objective, static_cast<double>(J), static_cast<double>(1e-11L * F));
      EXPECT_NEAR(model.report.primal, static_cast<double>(F), static_cast<double>(1e-11L * F));
    }
  }
}

// With switches Newton begins at once. Every potential with curvature and bias, p0 from 1e-8 on, c up to 500.
TEST(NewtonOverExamples, NeedsNoSweepsAndAgreesWithTheInteriorPointMethod) {
  unsigned seed = 700;
  for (const char* margin : {"exponential", "laplace", "gaussian", "tube", "logistic"}) {
    for (const PlainBias bias : {PlainBias::flat, PlainBias::none, PlainBias::gaussian}) {
      for (const double p : {0.3, 1e-3, 1e-5, 1e-8}) {
        ++seed;
        PlainProblem problem = few_examples(margin, bias, seed % 2 == 0 ? 1 : 0.15, seed);
        problem.prior.mean.assign(400, 0);
        problem.prior.p.assign(400, p);
        if (seed % 5 == 0) problem.prior.p[3] = 1, problem.prior.p[4] = 0;
        SCOPED_TRACE(fmt::format("seed {}: {}, bias {}, p0 = {}", seed, margin, static_cast<int>(bias), p));
        Limits limits;
        limits.tolerance = 1e-9;
        const LibraryAnswer interior = solve_by_library(problem, limits, nullptr, "newton");
        const LibraryAnswer newton = solve_by_library(problem, limits, nullptr, "ascent");
        EXPECT_EQ(newton.report.status, Status::converged) << newton.report.message;
        EXPECT_EQ(newton.report.solver.find("Cholesky"), std::string::npos) << newton.report.solver;
        EXPECT_NEAR(newton.report.objective, interior.report.objective, 1e-8 * interior.report.primal);
        const Real J = problem.dual(plain_multipliers(problem, newton.dual.lambda)),
                   F = problem.primal(reals(newton.primal.w), newton.primal.bias[0]);
        EXPECT_NEAR(newton.report.objective, static_cast<double>(J), static_cast<double>(1e-11L * F));
        EXPECT_NEAR(newton.report.primal, static_cast<double>(F), static_cast<double>(1e-11L * F));
      }
    }
  }
}

TEST(GramAscent, TheSameSeedGivesTheSameBits) {
  const PlainProblem problem = few_examples("exponential", PlainBias::flat, 1, 601);
  const LibraryAnswer first = solve_by_library(problem), second = solve_by_library(problem);
  EXPECT_EQ(first.dual.lambda, second.dual.lambda);
  EXPECT_EQ(first.primal.w, second.primal.w);
}

}  // namespace
}  // namespace medlar::test
