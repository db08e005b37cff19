// Every solver that accepts a problem reaches the same objective and the same predictions: a user may choose by taste.
#include <gtest/gtest.h>

#include "models/fit_data.hpp"
#include "refusals/refusal.hpp"

namespace medlar::test {
namespace {

struct Route {
  std::string solver, line_search;
};

std::vector<Route> routes(const std::string& margin, double p0) {
  std::vector<Route> all{{"newton", "newton"}, {"ascent", "newton"}, {"coordinate", "newton"}};
  if (margin != "logistic") all.push_back({"bounded-qp", "newton"});  // it has no QP
  if (!has_kinks(margin)) all.push_back({"primal-newton", "newton"});
  all.push_back({"coordinate", "brent"});
  if (p0 == 1) all.push_back({"smo", "newton"});
  return all;
}

struct Shape {
  std::size_t examples, features;
};

// J is flat at its top, so that a gap of 1e-8 leaves far less in J, and its root in the scores.
void expect_agreement(const Shape& shape, const std::string& margin, double p0, const char* bias, unsigned seed) {
  const Sample s = sample(classifies(margin), shape.examples, shape.features, seed);
  const Dataset data = dataset(s.x, s.y);
  Settings settings = with(margin, p0, 1e-8);
  set_option(settings, "bias", bias);
  settings.c = 2.5;
  settings.threads = 1;
  const Model first = fit(data, settings);
  ASSERT_EQ(first.report.status, Status::converged) << first.report.message;
  for (const Route& route : routes(margin, p0)) {
    SCOPED_TRACE(fmt::format("{} x {}, {}, p0 {}, bias {}, seed {}, solver {} {}", shape.examples, shape.features,
                             margin, p0, bias, seed, route.solver, route.line_search));
    Settings other = settings;
    set_option(other, "solver", route.solver);
    set_option(other, "line-search", route.line_search);
    const Model model = fit(data, other);
    EXPECT_NEAR(model.report.objective, first.report.objective, 1e-8 * first.report.primal);
    if (route.line_search == "newton") {
      expect_same_fit(first, model, data.x);
      continue;
    }
    // Brent finds half the digits of a step. J, flat at its top, has them all; the certificate of a margin with a kink
    // has not.
    EXPECT_LE(model.report.relative_gap, has_kinks(margin) ? 1e-4 : 1e-7) << model.report.message;
  }
}

TEST(Solvers, EverySolverReachesTheSameObjectiveAndPredictions) {
  using Margins = std::vector<std::string>;
  unsigned seed = 100;
  for (const Margins& margins :
       {Margins{"exponential", "laplace", "gaussian", "hinge", "tube", "svr"}, Margins{"squared", "logistic"}}) {
    for (const Shape& shape : {Shape{30, 6}, Shape{16, 25}}) {
      for (const std::string& margin : margins) {
        for (const double p0 : {1.0, 0.05}) {
          for (const char* bias : {"flat", "none", "0.5"}) expect_agreement(shape, margin, p0, bias, ++seed);
        }
      }
    }
  }
}

TEST(Solvers, SparseRowsAndWeightsServeThePapersOptimisersToo) {
  const Sample s = sample(true, 60, 12, 7, 0.7);
  std::vector<double> weights(60, 1.0);
  for (std::size_t t = 0; t < 60; t += 4) weights[t] = 0.5 + static_cast<double>(t % 5);
  Settings settings = with("exponential", 0.1, 1e-8);
  settings.scale = ScaleKind::none;
  const Model first = fit(dataset(s.x, s.y, weights), settings);
  for (const char* solver : {"coordinate", "bounded-qp"}) {
    set_option(settings, "solver", solver);
    expect_same_fit(first, fit(dataset(sparse(s.x), s.y, weights), settings), dense(s.x));
  }
}

TEST(Solvers, TheBoundedQpTellsItsRounds) {
  const Sample s = sample(true, 80, 20, 5);
  Settings settings = with("exponential", 1e-3, 1e-6);
  settings.solver = SolverKind::bounded_qp;
  const Model model = fit(dataset(s.x, s.y), settings);
  EXPECT_EQ(model.report.solver.rfind("bounded QP (", 0), 0u) << model.report.solver;
  EXPECT_NE(model.report.solver.find(" rounds, "), std::string::npos);
}

TEST(Solvers, EndEarlyWithATrueGap) {
  const Sample s = sample(true, 80, 20, 5);
  for (const char* solver : {"coordinate", "bounded-qp", "smo"}) {
    Settings settings = with("hinge", std::string(solver) == "smo" ? 1 : 0.01, 1e-12);
    set_option(settings, "solver", solver);
    settings.max_passes = 3;
    const Model model = fit(dataset(s.x, s.y), settings);
    EXPECT_EQ(model.report.status, Status::limit) << solver << ": " << model.report.message;
    EXPECT_GT(model.report.relative_gap, 1e-12);
    EXPECT_GE(model.report.primal, model.report.objective);
  }
}

TEST(Solvers, RefuseWhatTheyCannotServe) {
  Dataset data = classes();
  Settings settings;
  settings.groups = GroupsKind::file;
  settings.feature_group = {"", {{"f0", "both"}, {"f1", "both"}}};
  for (const std::string solver : {"ascent", "coordinate", "bounded-qp", "primal-newton"}) {
    set_option(settings, "solver", solver);
    expect_option_error(data, settings,
                        fmt::format("solver '{}' needs a separable log-partition; prior 'groups' is not. Use 'auto' or "
                                    "'newton', or --groups none.",
                                    solver));
  }
  settings.solver = SolverKind::smo;
  expect_option_error(data, settings,
                      "solver 'smo' needs a quadratic log-partition; prior 'groups' is not. Use 'auto' or 'newton'.");
  settings = Settings{};
  settings.line_search = LineSearch::brent;
  expect_option_error(
      data, settings,
      "line-search = brent serves solver coordinate or bounded-qp, but solver = auto; name one of them, "
      "or leave it out");
}

}  // namespace
}  // namespace medlar::test
