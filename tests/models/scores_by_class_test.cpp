// The scores of all classes: the largest is the prediction's, whatever the kind of model.
#include "medlar/scores_by_class.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/fit.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

Sample three_corners(std::size_t examples, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Sample made;
  for (std::size_t t = 0; t < examples; ++t) {
    const double angle = 2.1 * static_cast<double>(t % 3);
    made.x.push_back({1.5 * std::cos(angle) + normal(random), 1.5 * std::sin(angle) + normal(random)});
    made.y.push_back(static_cast<double>(t % 3));
  }
  return made;
}

TEST(ScoresByClass, TheLargestIsThePrediction) {
  const Sample s = three_corners(60, 3), fresh = three_corners(300, 4);
  for (const std::string model : {"linear", "kernel", "generative", "latent"}) {
    SCOPED_TRACE(model);
    Settings settings;
    settings.task = Task::classify;
    set_option(settings, "model", model);
    settings.p0 = model == "linear" || model == "latent" ? 1 : settings.p0;
    if (model == "latent") settings.latent = LatentKind::labels;
    const Model fitted = fit(dataset(s.x, s.y), settings);
    const Matrix x = dense(fresh.x);
    const std::vector<std::vector<double>> scores = scores_by_class(fitted, x);
    const std::vector<Prediction> predictions = fitted.predict(x);
    ASSERT_EQ(scores.size(), predictions.size());
    for (std::size_t t = 0; t < scores.size(); ++t) {
      ASSERT_EQ(scores[t].size(), 3u);
      const auto best = std::max_element(scores[t].begin(), scores[t].end());
      EXPECT_EQ(best - scores[t].begin(), predictions[t].label);
      EXPECT_NEAR(*best, predictions[t].score, 1e-12 * (1 + std::abs(*best)));
    }
  }
}

TEST(ScoresByClass, TwoLabelsHaveOneScore) {
  Sample s = three_corners(60, 3);
  for (double& y : s.y) y = y > 0;
  const Model model = fit(dataset(s.x, s.y), {});
  EXPECT_THROW(scores_by_class(model, dense(s.x)), OptionError);
}

TEST(GenerativeLabel, FollowsTheWeightsOfTheClasses) {
  Sample s = three_corners(200, 8);
  for (double& y : s.y) y = y > 0;
  Settings settings;
  settings.task = Task::classify;
  settings.model = ModelKind::generative;
  settings.class_weight = {ClassWeightKind::by_label, "0:1000,1:0.001"};
  Index zeros = 0;
  for (const Prediction& each : fit(dataset(s.x, s.y), settings).predict(dense(s.x))) zeros += each.label == 0;
  EXPECT_GE(zeros, 190);
}

TEST(GenerativeLabel, IsTheMoreProbableOne) {
  Sample s = three_corners(200, 8);
  for (double& y : s.y) y = y > 0;
  Settings settings;
  settings.task = Task::classify;
  settings.model = ModelKind::generative;
  const Model model = fit(dataset(s.x, s.y), settings);
  ASSERT_GT(model.generative->slope, 0);
  for (const Prediction& each : model.predict(dense(three_corners(500, 9).x))) {
    EXPECT_EQ(each.label, each.probability > 0.5 ? 1 : 0);
  }
}

}  // namespace
}  // namespace medlar::test
