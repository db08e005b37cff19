// Paths: every step is certified and meets the cold fit of its value; warm starts pay; refusals and early ends.
#include "medlar/path.hpp"

#include "medlar/error.hpp"
#include "medlar/io.hpp"
#include "medlar/metrics.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

struct PathShape {
  std::size_t examples, features;
};

Dataset drawn(const std::string& margin, PathShape shape, bool is_sparse = false) {
  const bool classify = classifies(margin);
  const Sample made = sample(classify, shape.examples, shape.features, 5, is_sparse ? 0.7 : 0);
  return dataset(is_sparse ? sparse(made.x) : dense(made.x), made.y);
}

void set(Settings& settings, Swept over, double value) {
  set_option(settings, word_of(over), fmt::format("{}", value));
}

void expect_cold_fits(const Dataset& data, Settings settings, Swept over, const std::vector<double>& values) {
  const Path path = fit_path(data, settings, over, values);
  ASSERT_EQ(path.steps.size(), values.size());
  EXPECT_TRUE(path.complete);
  for (std::size_t k = 0; k < values.size(); ++k) {
    SCOPED_TRACE(fmt::format("{} = {}", word_of(over), values[k]));
    const PathStep& step = path.steps[k];
    set(settings, over, values[k]);
    const Model cold = fit(data, settings);
    EXPECT_EQ(step.report.status, Status::converged) << step.report.message;
    EXPECT_LE(step.report.relative_gap, settings.tolerance);
    const double slack = 2 * settings.tolerance * cold.report.primal;
    EXPECT_NEAR(step.report.objective, cold.report.objective, slack);
    EXPECT_NEAR(step.report.primal, cold.report.primal, slack);
    if (cold.task == Task::regress) {
      const Comparison fitted = compare(cold, data);
      EXPECT_NEAR(step.training_error, regression_metrics(fitted.predicted, fitted.values, 0).rmse, 1e-2);
    }
    for (std::size_t i = 0; i < cold.features.size(); ++i) {
      EXPECT_NEAR(step.coefficient[i], cold.features[i].coefficient, 2e-3 * (1 + largest_coefficient(cold)));
      EXPECT_NEAR(step.inclusion[i], cold.features[i].inclusion, 5e-3);
    }
  }
}

TEST(Path, MeetsTheColdFitOfEveryStep) {
  for (const std::string margin :
       {"exponential", "laplace", "gaussian", "hinge", "tube", "svr", "squared", "logistic"}) {
    for (const PathShape shape : {PathShape{40, 90}, PathShape{150, 12}}) {
      SCOPED_TRACE(fmt::format("{}, {} x {}", margin, shape.examples, shape.features));
      const Dataset data = drawn(margin, shape, shape.features > 50);
      expect_cold_fits(data, with(margin, 1), Swept::p0, {1, 0.5, 0.1, 1e-2, 1e-5});
      expect_cold_fits(data, with(margin, 0.01), Swept::c, {2, 4, 12, 3});
      expect_cold_fits(data, with(margin, 0.01), Swept::prior_variance, {1, 0.3, 2});
    }
  }
}

// More examples than Newton takes at once: steps begin with sweeps from what is foretold, before any certificate.
TEST(Path, SweptStepsOfSparseRowsMeetTheirColdFits) {
  const Sample made = sample(true, 400, 900, 5, 0.97);
  const Dataset data = dataset(sparse(made.x), made.y);
  for (const double tolerance : {1e-3, 1e-6}) {
    SCOPED_TRACE(tolerance);
    Settings settings = with("exponential", 1);
    settings.scale = ScaleKind::none;
    settings.tolerance = tolerance;
    Index warm = 0, alone = 0;  // passes
    const std::vector<double> values = usual_p0_path(20);
    const Path path = fit_path(data, settings, Swept::p0, values);
    ASSERT_EQ(path.steps.size(), values.size());
    for (const PathStep& step : path.steps) {
      SCOPED_TRACE(step.value);
      settings.p0 = step.value;
      const Model cold = fit(data, settings);
      EXPECT_EQ(step.report.status, Status::converged) << step.report.message;
      EXPECT_LE(step.report.relative_gap, tolerance);
      EXPECT_TRUE(step.report.solver.starts_with("ascent")) << step.report.solver;
      EXPECT_LE(step.report.objective, cold.report.primal);
      EXPECT_GE(step.report.primal, cold.report.objective);
      warm += step.report.passes;
      alone += cold.report.passes;
    }
    EXPECT_LT(static_cast<double>(warm), 0.8 * static_cast<double>(alone));
  }
}

// J(lambda) grows when p0 or the prior variance falls, for each feature's log(1 - p0 + p0 exp(v V^2 / 2)) does not, and
// when c grows, for log(1 - lambda/c) does; so does its maximum, which lies between the objective and the primal.
TEST(Path, ItsOptimumIsMonotone) {
  const std::vector<std::pair<Swept, std::vector<double>>> sweeps = {{Swept::p0, {1, 0.3, 0.1, 1e-2, 1e-3, 1e-5, 1e-8}},
                                                                     {Swept::prior_variance, {3, 1, 0.3, 0.1, 0.01}},
                                                                     {Swept::c, {1.5, 2, 4, 12}}};
  for (const PathShape shape : {PathShape{40, 90}, PathShape{150, 12}}) {
    for (const auto& [over, values] : sweeps) {
      SCOPED_TRACE(fmt::format("{}, {} x {}", word_of(over), shape.examples, shape.features));
      const Path path = fit_path(drawn("exponential", shape), with("exponential", 0.01), over, values);
      ASSERT_EQ(path.steps.size(), values.size());
      for (std::size_t k = 1; k < values.size(); ++k) {
        EXPECT_GE(path.steps[k].report.primal, path.steps[k - 1].report.objective);
      }
      EXPECT_GT(path.steps.back().report.objective, path.steps.front().report.primal);
    }
  }
}

TEST(Path, TiesFeaturesAsAFitDoes) {
  const Dataset data = drawn("exponential", {60, 8});
  Settings settings = with("exponential", 0.1);
  settings.groups = GroupsKind::file;
  for (const char* name : {"f0", "f1", "f2"}) settings.feature_group.entries.push_back({name, "first"});
  expect_cold_fits(data, settings, Swept::p0, {1, 0.1, 1e-3});
}

TEST(Path, CostsLessThanItsFits) {
  const Dataset data = drawn("exponential", {80, 400});
  Settings settings = with("exponential", 1, 1e-3);
  const std::vector<double> values = usual_p0_path(40);
  Index along = 0, cold = 0;
  for (const PathStep& step : fit_path(data, settings, Swept::p0, values).steps) along += step.report.passes;
  for (const double value : values) {
    settings.p0 = value;
    cold += fit(data, settings).report.passes;
  }
  EXPECT_LT(3 * along, cold) << "a path should cost far less than its fits one by one";
}

TEST(Path, GivesTheSameModelsAsItsSteps) {
  const Dataset data = drawn("tube", {30, 50});
  const std::vector<double> values{1, 0.1, 1e-3};
  const Path path = fit_path(data, with("tube", 1), Swept::p0, values);
  std::size_t k = 0;
  fit_along(data, with("tube", 1), Swept::p0, values, [&](const Model& model) {
    ASSERT_LT(k, values.size());
    EXPECT_EQ(model.settings.p0, values[k]);
    EXPECT_EQ(model.bias, path.steps[k].bias);
    EXPECT_EQ(
        std::count_if(model.features.begin(), model.features.end(), [](const Feature& f) { return f.inclusion > 0.5; }),
        path.steps[k].selected);
    EXPECT_EQ(std::ssize(model.support), path.steps[k].support);
    for (std::size_t i = 0; i < model.features.size(); ++i) {
      EXPECT_EQ(model.features[i].coefficient, path.steps[k].coefficient[i]);
      EXPECT_EQ(model.features[i].name, path.names[i]);
    }
    ++k;
  });
  EXPECT_EQ(k, values.size());
}

TEST(Path, EndsWhenAsked) {
  struct Stop : Observer {
    void on_iteration(const TracePoint&) override { ++heard; }
    bool stop_requested() override { return heard >= 6; }
    int heard = 0;
  } observer;
  const Path path = fit_path(drawn("exponential", {40, 90}), with("exponential", 1), Swept::p0,
                             std::vector{1.0, 0.1, 1e-3, 1e-5}, &observer);
  EXPECT_FALSE(path.complete);
  ASSERT_LT(path.steps.size(), 4u);
  EXPECT_EQ(path.steps.back().report.status, Status::interrupted);
  EXPECT_LE(path.steps.back().report.objective, path.steps.back().report.primal);
}

TEST(Path, RefusesWhatItCannotSweep) {
  const Dataset data = drawn("exponential", {20, 3});
  const auto sweep = [&](Swept over, std::vector<double> values) {
    return fit_path(data, with("exponential", 1), over, values);
  };
  EXPECT_THROW(sweep(Swept::p0, {}), OptionError);
  EXPECT_THROW(sweep(Swept::p0, {0.5, 1.5}), OptionError);
  EXPECT_THROW(sweep(Swept::c, {-1}), OptionError);
  EXPECT_THROW(usual_p0_path(0), OptionError);
}

TEST(Path, UsualValuesGoFromOneToTheSmallest) {
  const std::vector<double> values = usual_p0_path(9);
  ASSERT_EQ(values.size(), 9u);
  EXPECT_EQ(values.front(), 1);
  EXPECT_NEAR(values[3], 1e-3, 1e-12);
  EXPECT_NEAR(values.back(), 1e-8, 1e-17);
}

TEST(NamedSolvers, RefuseWhatTheyCannotServe) {
  const Dataset data = drawn("hinge", {40, 5});
  Settings settings = with("hinge", 0.1);
  settings.solver = SolverKind::primal_newton;
  EXPECT_THROW(fit(data, settings), OptionError);
  settings = with("exponential", 0.1);
  settings.groups = GroupsKind::file;
  for (const char* name : {"f0", "f1"}) settings.feature_group.entries.push_back({name, "first"});
  for (const char* solver : {"ascent", "primal-newton"}) {
    set_option(settings, "solver", solver);
    EXPECT_THROW(fit(data, settings), OptionError);
  }
  settings.solver = SolverKind::newton;
  EXPECT_EQ(fit(data, settings).report.status, Status::converged);
}

// Steps lie closer where coefficients change more, each is the fit of its value, and the path ends when all are gone.
TEST(AdaptivePath, FollowsTheCoefficients) {
  std::mt19937_64 random(21);
  std::normal_distribution<double> normal;
  Rows x;
  std::vector<double> y;
  for (int t = 0; t < 60; ++t) {
    std::vector<double> row(15);
    for (double& each : row) each = normal(random);
    y.push_back(row[0] - row[1] + 0.5 * normal(random) > 0 ? 1 : -1);
    x.push_back(std::move(row));
  }
  const Dataset data = dataset(x, std::move(y));
  const auto largest_change = [](const Path& path) {
    double most = 0;
    for (std::size_t k = 0; k + 1 < path.steps.size(); ++k) {
      double difference = 0, size = 0;
      for (std::size_t i = 0; i < 15; ++i) {
        difference += std::pow(path.steps[k + 1].coefficient[i] - path.steps[k].coefficient[i], 2);
        size += std::pow(path.steps[k].coefficient[i], 2);
      }
      most = std::max(most, std::sqrt(difference / size));
    }
    return most;
  };
  const Path even = fit_path(data, {}, Swept::p0, usual_p0_path(24));
  const Path adaptive = fit_adaptive_path(data, {}, Swept::p0, {1, 1e-8}, 24);
  ASSERT_EQ(adaptive.steps.size(), 24u);
  EXPECT_TRUE(adaptive.complete);
  EXPECT_EQ(adaptive.steps.front().value, 1);
  EXPECT_EQ(adaptive.steps.back().value, 1e-8);
  EXPECT_LT(largest_change(adaptive), 0.8 * largest_change(even));
  for (std::size_t k = 0; k < 24; ++k) {
    EXPECT_TRUE(k == 0 || adaptive.steps[k].value < adaptive.steps[k - 1].value);
    Settings settings;
    settings.p0 = adaptive.steps[k].value;
    const Model cold = fit(data, settings);
    EXPECT_NEAR(adaptive.steps[k].report.objective, cold.report.objective, 2e-6 * cold.report.primal);
  }
  Settings few;
  few.c = 1.2;  // so that no feature is worth p0 = 1e-280
  const Path ended = fit_adaptive_path(data, few, Swept::p0, {1, 1e-280}, 40);
  EXPECT_TRUE(ended.complete);
  EXPECT_GT(ended.steps.back().value, 1e-280);
  for (const double w : ended.steps.back().coefficient) EXPECT_LT(std::abs(w), 1e-8);
  EXPECT_THROW(fit_adaptive_path(data, {}, Swept::p0, {1, 1e-8}, 1), OptionError);
  EXPECT_THROW(fit_adaptive_path(data, {}, Swept::p0, {2, 1e-8}, 9), OptionError);
}

// Steps that begin from their neighbours jump by what the tolerance allows; halving such a jump would go on for ever.
TEST(AdaptivePath, DoesNotHalveTheJumpsOfItsTolerance) {
  const Path path = fit_adaptive_path(read_dataset(MEDLAR_DATA "/boston.csv"), {}, Swept::p0, {1, 1e-8}, 40);
  const double even = std::log(1e8) / 20;
  for (std::size_t k = 1; k < path.steps.size(); ++k) {
    EXPECT_GE(std::log(path.steps[k - 1].value / path.steps[k].value), even / 33) << path.steps[k].value;
  }
}

}  // namespace
}  // namespace medlar::test
