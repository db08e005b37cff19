// What features add to a score: the sum is the prediction, through every transform.
#include "medlar/explain.hpp"

#include <gtest/gtest.h>

#include "medlar/error.hpp"
#include "medlar/fit.hpp"
#include "medlar/io.hpp"
#include "model/models.hpp"

namespace medlar {
namespace {

TEST(Explain, ContributionsAddUpToThePrediction) {
  const Dataset data = read_dataset(MEDLAR_DATA "/boston.csv");
  Settings settings;
  settings.expand = "quadratic";
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

TEST(Explain, RefusesAKindWhoseScoreIsNoSum) {
  Model model = tests::plain_model({{"a", 1, 1, 0.5, -1}});
  model.settings.model = "kernel";
  EXPECT_FALSE(explainable(model));
  EXPECT_THROW(explain(model, Matrix::dense(1, 1, {1})), OptionError);
  model.settings.model = "linear";
  EXPECT_THROW(explain(model, Matrix::dense(1, 1, {1}), 0), OptionError);
  EXPECT_THROW(explain(model, Matrix::dense(1, 2, {1, 1})), DataError);
}

}  // namespace
}  // namespace medlar
