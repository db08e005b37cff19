// What makes the dual of the logistic margin delicate: margins far out, classes apart, one of them rare, c far from 1.
#include <gtest/gtest.h>

#include <cmath>

#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

TEST(LogisticEdge, ClassesThatAreApartHaveACertifiedFit) {
  const Rows x{{-3, 0.1}, {-2, -0.4}, {-2.5, 0.3}, {2, 0.2}, {3, -0.1}, {2.2, 0}};
  const std::vector<double> y{-1, -1, -1, 1, 1, 1};
  for (const double p0 : {1.0, 1e-3}) {
    for (const double variance : {1.0, 1e4}) {
      for (const char* solver : {"auto", "newton", "ascent", "primal-newton", "coordinate"}) {
        SCOPED_TRACE(fmt::format("p0 {}, variance {}, {}", p0, variance, solver));
        Settings settings = unscaled("logistic", p0, "flat", 1, variance);
        settings.tolerance = 1e-6;
        set_option(settings, "solver", solver);
        const Model model = fit(dataset(x, y), settings);
        EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
        EXPECT_GE(model.report.primal, model.report.objective);
      }
    }
  }
}

// Margins of a thousand and beyond on both sides: e^{-m} has no double.
TEST(LogisticEdge, MarginsFarOutAreNoObstacle) {
  Sample s = sample(true, 60, 4, 44);
  for (auto& row : s.x) {
    for (double& each : row) each *= 1000;
  }
  for (const char* solver : {"auto", "newton", "ascent", "primal-newton"}) {
    for (const double p0 : {1.0, 1e-2}) {
      SCOPED_TRACE(fmt::format("{}, p0 {}", solver, p0));
      Settings settings = unscaled("logistic", p0, "flat", 1, 100);
      settings.tolerance = 1e-6;
      set_option(settings, "solver", solver);
      const Model model = fit(dataset(s.x, s.y), settings);
      EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
      for (const Prediction& each : model.predict(dense(s.x))) {
        EXPECT_TRUE(each.probability >= 0 && each.probability <= 1);
      }
    }
  }
}

TEST(LogisticEdge, ARareClassAndAnyCAreServed) {
  Sample s = sample(true, 120, 5, 45);
  for (std::size_t t = 0; t < 120; ++t) s.y[t] = t == 7 ? 1 : -1;
  for (const double c : {1e-3, 1.0, 1e3}) {
    for (const double p0 : {1.0, 1e-3}) {
      for (const char* solver : {"auto", "newton", "ascent", "primal-newton"}) {
        SCOPED_TRACE(fmt::format("c {}, p0 {}, {}", c, p0, solver));
        Settings settings = unscaled("logistic", p0, "flat", c, 1);
        settings.tolerance = 1e-6;
        set_option(settings, "solver", solver);
        const Model model = fit(dataset(s.x, s.y), settings);
        EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
        EXPECT_LT(model.bias, 0);
      }
    }
  }
}

}  // namespace
}  // namespace medlar::test
