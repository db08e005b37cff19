// Paths of several classes: every step is certified and meets the cold fit of its value; ranges that are usual.
#include "medlar/error.hpp"
#include "medlar/io.hpp"
#include "medlar/path.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

// The sum of two features decides between three classes, with noise.
Dataset three_kinds(std::size_t examples, std::size_t features, bool is_sparse) {
  const Sample made = sample(false, examples, features, 11, is_sparse ? 0.7 : 0);
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  std::vector<double> y;
  for (const auto& row : made.x) {
    const double score = row[0] - row[1] + 0.4 * normal(random);
    y.push_back(score > 0.5 ? 2 : score > -0.5 ? 1 : 0);
  }
  return dataset(is_sparse ? sparse(made.x) : dense(made.x), y);
}

Settings kinds_with(const std::string& margin, double p0) {
  Settings settings = with(margin, p0);
  settings.task = Task::classify;
  return settings;
}

void expect_cold_class_fits(const Dataset& data, Settings settings, Swept over, const std::vector<double>& values) {
  const Path path = fit_path(data, settings, over, values);
  ASSERT_EQ(path.steps.size(), values.size());
  EXPECT_TRUE(path.complete);
  EXPECT_EQ(path.labels, (std::vector<std::string>{"0", "1", "2"}));
  for (std::size_t k = 0; k < values.size(); ++k) {
    SCOPED_TRACE(fmt::format("{} = {}", word_of(over), values[k]));
    const PathStep& step = path.steps[k];
    set_option(settings, word_of(over), fmt::format("{}", values[k]));
    const Model cold = fit(data, settings);
    EXPECT_EQ(step.report.status, Status::converged) << step.report.message;
    const double slack = 2 * settings.tolerance * cold.report.primal;
    EXPECT_NEAR(step.report.objective, cold.report.objective, slack);
    EXPECT_NEAR(step.report.primal, cold.report.primal, slack);
    const std::vector<Prediction> predicted = cold.predict(data.x);
    double wrong = 0;
    for (std::size_t t = 0; t < predicted.size(); ++t) {
      wrong += cold.labels[static_cast<std::size_t>(predicted[t].label)] == fmt::format("{}", data.target.values[t])
                   ? 0
                   : 1.0 / static_cast<double>(predicted.size());
    }
    EXPECT_NEAR(step.training_error, wrong, 1.01 / static_cast<double>(predicted.size()));
    ASSERT_TRUE(step.classes);
    const auto& mine = step.classes->coefficient;
    const auto& theirs = cold.multiclass->coefficient;
    const double close = 2e-3 * (1 + largest_coefficient(cold));
    for (std::size_t i = 0; i < cold.features.size(); ++i) {
      EXPECT_NEAR(step.inclusion[i], cold.features[i].inclusion, 5e-3);
      double squares = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(mine[3 * i + c], theirs[3 * i + c], close);
        squares += mine[3 * i + c] * mine[3 * i + c];
      }
      EXPECT_NEAR(step.coefficient[i], std::sqrt(squares), 1e-12 * (1 + step.coefficient[i]));
    }
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(step.classes->class_bias[c], cold.multiclass->class_bias[c], 10 * close);
    }
  }
}

TEST(ClassPath, MeetsTheColdFitOfEveryStep) {
  for (const std::string margin : {"exponential", "laplace", "gaussian", "hinge"}) {
    for (const bool wide : {true, false}) {
      SCOPED_TRACE(fmt::format("{}, {}", margin, wide ? "wide" : "tall"));
      const Dataset data = wide ? three_kinds(40, 70, true) : three_kinds(150, 8, false);
      expect_cold_class_fits(data, kinds_with(margin, 1), Swept::p0, {1, 0.5, 0.1, 1e-2, 1e-5});
      expect_cold_class_fits(data, kinds_with(margin, 0.01), Swept::c, {2, 4, 12, 3});
      expect_cold_class_fits(data, kinds_with(margin, 0.01), Swept::prior_variance, {1, 0.3, 2});
    }
  }
}

TEST(ClassPath, GoesBothWays) {
  const Dataset data = three_kinds(60, 20, false);
  expect_cold_class_fits(data, kinds_with("exponential", 1), Swept::p0, {1e-5, 1e-2, 0.1, 0.5, 1});
}

TEST(ClassPath, GivesTheSameModelsAsItsSteps) {
  const Dataset data = three_kinds(60, 20, false);
  const std::vector<double> values{1, 0.1, 1e-3};
  const Path path = fit_path(data, kinds_with("exponential", 1), Swept::p0, values);
  std::size_t k = 0;
  fit_along(data, kinds_with("exponential", 1), Swept::p0, values, [&](const Model& model) {
    ASSERT_LT(k, values.size());
    EXPECT_EQ(model.settings.p0, values[k]);
    EXPECT_EQ(model.multiclass, path.steps[k].classes);
    EXPECT_EQ(std::ssize(model.support), path.steps[k].support);
    ++k;
  });
  EXPECT_EQ(k, values.size());
}

TEST(ClassPath, StepsAreCloserWhereFeaturesEnter) {
  const Dataset data = three_kinds(80, 30, false);
  const Path path = fit_adaptive_path(data, kinds_with("exponential", 1), Swept::p0, {}, 20);
  EXPECT_TRUE(path.complete);
  ASSERT_EQ(path.steps.size(), 20u);
  double least = 1, most = 0;
  for (std::size_t k = 1; k < path.steps.size(); ++k) {
    const double apart = std::log(path.steps[k - 1].value / path.steps[k].value);
    EXPECT_GT(apart, 0);
    EXPECT_EQ(path.steps[k].report.status, Status::converged);
    least = std::min(least, apart), most = std::max(most, apart);
  }
  EXPECT_LT(2 * least, most);
}

// From nothing it gets stuck at a relative gap of 0.7.
TEST(Multiclass, ALargeCIsReachedFromSmallerOnes) {
  Settings settings;
  settings.c = 20;
  const Model model = fit(read_dataset(MEDLAR_DATA "/splice.csv"), settings);
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  EXPECT_LE(model.report.primal - model.report.objective, 1e-6 * model.report.primal);
}

TEST(UsualRange, OfNumbersIsInTheirUnits) {
  const Sample made = sample(false, 60, 10, 3);
  Dataset data = dataset(made.x, made.y);
  Settings tube;
  tube.margin = MarginKind::tube;
  const PathRange c = usual_range(data, tube, Swept::c), v = usual_range(data, tube, Swept::prior_variance);
  double mean = 0, squares = 0;
  for (const double y : made.y) mean += y / 60;
  for (const double y : made.y) squares += (y - mean) * (y - mean) / 60;
  EXPECT_NEAR(c.from, 100 / std::sqrt(squares), 1e-9 * c.from);
  EXPECT_NEAR(c.to, 0.1 / std::sqrt(squares), 1e-9 * c.from);
  EXPECT_NEAR(v.from, 10 * squares, 1e-9 * v.from);
  for (double& y : data.target.values) y *= 50;
  EXPECT_NEAR(usual_range(data, tube, Swept::c).from, c.from / 50, 1e-9 * c.from);
  EXPECT_NEAR(usual_range(data, tube, Swept::prior_variance).to, v.to * 2500, 1e-9 * v.from);
}

TEST(UsualRange, EndsWhereAlmostNothingIsLearnt) {
  const Dataset data = three_kinds(80, 10, false);
  for (const Swept over : {Swept::c, Swept::prior_variance}) {
    for (const std::string margin : {"exponential", "gaussian"}) {
      SCOPED_TRACE(std::string(word_of(over)) + " " + margin);
      const Settings settings = kinds_with(margin, 0.1);
      const Path path = fit_adaptive_path(data, settings, over, usual_range(data, settings, over), 12);
      const auto size = [](const PathStep& step) {
        double sum = 0;
        for (const double w : step.coefficient) sum += w;
        return sum;
      };
      EXPECT_TRUE(path.complete);
      EXPECT_LT(size(path.steps.back()), 0.3 * size(path.steps.front()));
      for (const PathStep& step : path.steps) EXPECT_EQ(step.report.status, Status::converged) << step.value;
    }
  }
}

TEST(EvenValues, MeetPowersOfTen) {
  EXPECT_EQ(even_values({100, 0.01}, 5), (std::vector<double>{100, 10, 1, 0.1, 0.01}));
  EXPECT_EQ(even_values({3, 1}, 1), std::vector<double>{3});
}

}  // namespace
}  // namespace medlar::test
