// What features add to a score: the sum is the prediction, through every transform.
#include "medlar/explain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/fit.hpp"
#include "medlar/folds.hpp"
#include "medlar/io.hpp"
#include "medlar/scores_by_class.hpp"
#include "models/models.hpp"

namespace medlar {
namespace {

TEST(Explain, ContributionsAddUpToThePrediction) {
  const Dataset data = read_dataset(MEDLAR_DATA "/boston.csv");
  Settings settings;
  settings.expand = ExpansionKind::quadratic;
  settings.tolerance = 1e-3;
  const Model model = fit(data, settings);
  const auto predicted = model.predict(data.x);
  const auto explained = explain(model, data.x, 7);
  ASSERT_EQ(explained.size(), predicted.size());
  for (std::size_t t = 0; t < predicted.size(); ++t) {
    const Explanation& each = explained[t];
    double score = each.bias + each.added_by_others;
    for (const Contribution& one : each.largest) {
      score += one.added;
      EXPECT_EQ(one.added, model.features[static_cast<std::size_t>(one.feature)].coefficient * one.value);
    }
    EXPECT_NEAR(score, predicted[t].score, 1e-9 * (1 + std::abs(predicted[t].score)));
    EXPECT_EQ(each.largest.size(), 7u);
    EXPECT_EQ(each.others, 104 - 7);
    for (std::size_t k = 1; k < each.largest.size(); ++k) {
      EXPECT_GE(std::abs(each.largest[k - 1].added), std::abs(each.largest[k].added));
    }
  }
}

// What is explained of several classes is the lead of the largest score over the next.
TEST(Explain, LeadsOfSeveralClassesAddUp) {
  const Dataset data = read_dataset(MEDLAR_DATA "/splice.csv");
  std::vector<Index> rows;
  for (Index t = 0; t < data.examples(); t += 60) rows.push_back(t);
  const Dataset part = subset(data, rows);
  for (const char* kind : {"linear", "generative"}) {
    Settings settings;
    set_option(settings, "model", kind);
    if (settings.model == ModelKind::generative) settings.calibration = CalibrationScores::left_out;
    settings.tolerance = 1e-3;
    const Model model = fit(part, settings);
    ASSERT_EQ(model.labels.size(), 3u);
    const auto scores = scores_by_class(model, part.x);
    const auto explained = explain(model, part.x, 5);
    for (std::size_t t = 0; t < scores.size(); ++t) {
      std::vector<double> sorted = scores[t];
      std::sort(sorted.begin(), sorted.end());
      const Explanation& each = explained[t];
      EXPECT_EQ(scores[t][static_cast<std::size_t>(each.label)], sorted[2]);
      EXPECT_EQ(scores[t][static_cast<std::size_t>(each.rival)], sorted[1]);
      double lead = each.bias + each.added_by_others;
      for (const Contribution& one : each.largest) lead += one.added;
      EXPECT_NEAR(lead, sorted[2] - sorted[1], 1e-9 * (1 + std::abs(sorted[2]))) << kind;
    }
  }
}

TEST(Explain, TwoGenerativeClassesAddUpWithSwitchesToo) {
  const Dataset data = read_dataset(MEDLAR_DATA "/splice.csv");
  std::vector<Index> rows;
  for (Index t = 0; t < data.examples(); t += 60) rows.push_back(t);
  const Dataset part = subset(data, rows);
  for (const char* switches : {"none", "tied", "per-class"}) {
    Settings settings;
    settings.model = ModelKind::generative;
    settings.positive = "EI";
    set_option(settings, "switches", switches);
    settings.calibration = CalibrationScores::left_out;
    settings.tolerance = 1e-3;
    const Model model = fit(part, settings);
    const auto predicted = model.predict(part.x);
    const auto explained = explain(model, part.x, 5);
    for (std::size_t t = 0; t < predicted.size(); ++t) {
      double score = explained[t].bias + explained[t].added_by_others;
      for (const Contribution& one : explained[t].largest) score += one.added;
      EXPECT_NEAR(score, predicted[t].score, 1e-8 * (1 + std::abs(score))) << switches;
    }
  }
}

TEST(Explain, RefusesAKindWhoseScoreIsNoSum) {
  Model model = tests::plain_model({{"a", 1, 1, 0.5, -1}});
  model.settings.model = ModelKind::kernel;
  EXPECT_FALSE(explainable(model));
  EXPECT_THROW(explain(model, Matrix::dense(1, 1, {1})), OptionError);
  model.settings.model = ModelKind::linear;
  EXPECT_THROW(explain(model, Matrix::dense(1, 1, {1}), 0), OptionError);
  EXPECT_THROW(explain(model, Matrix::dense(1, 2, {1, 1})), DataError);
}

}  // namespace
}  // namespace medlar
