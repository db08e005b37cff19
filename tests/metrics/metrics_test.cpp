// Metrics against their definitions written out plainly.
#include "medlar/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "medlar/error.hpp"

namespace medlar {
namespace {

// The share of pairs (positive, negative) that the score puts in order, ties counted half: the definition.
double auc_by_pairs(const std::vector<double>& score, const std::vector<int>& y, const std::vector<double>& weight) {
  double won = 0, pairs = 0;
  for (std::size_t p = 0; p < y.size(); ++p) {
    for (std::size_t n = 0; n < y.size(); ++n) {
      if (y[p] != 1 || y[n] != 0) continue;
      const double pair = weight[p] * weight[n];
      pairs += pair;
      won += pair * (score[p] > score[n] ? 1 : score[p] == score[n] ? 0.5 : 0);
    }
  }
  return won / pairs;
}

TEST(Auc, IsTheShareOfOrderedPairs) {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    std::vector<double> score, weight, ones;
    std::vector<int> y{0, 1};
    const int size = 2 + round;
    for (int t = 0; t < size; ++t) {
      score.push_back(static_cast<double>(random() % 7));  // many ties
      weight.push_back(static_cast<double>(1 + random() % 4));
      ones.push_back(1);
      if (t >= 2) y.push_back(static_cast<int>(random() % 2));
    }
    EXPECT_NEAR(auc(score, y, weight), auc_by_pairs(score, y, weight), 1e-14) << round;
    EXPECT_NEAR(auc(score, y), auc_by_pairs(score, y, ones), 1e-14) << round;
  }
}

TEST(Auc, IsUndefinedForOneClass) {
  EXPECT_TRUE(std::isnan(auc(std::vector<double>{1, 2}, std::vector<int>{1, 1})));
  EXPECT_TRUE(std::isnan(auc({}, {})));
  EXPECT_TRUE(roc_curve(std::vector<double>{1, 2}, std::vector<int>{0, 0}).empty());
}

// Counted plainly: who is called positive at each threshold.
TEST(OperatingPoints, AreTheCountsOfEveryThreshold) {
  std::mt19937 random(8);
  std::vector<double> score, weight;
  std::vector<int> y;
  for (int t = 0; t < 60; ++t) {
    score.push_back(static_cast<double>(random() % 9));
    weight.push_back(static_cast<double>(random() % 3));
    y.push_back(static_cast<int>(random() % 2));
  }
  const auto points = operating_points(score, y, weight);
  ASSERT_EQ(points.size(), 10u);
  EXPECT_TRUE(std::isinf(points[0].threshold));
  EXPECT_TRUE(std::isnan(points[0].precision));
  double area = 0, recall_before = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    Index hits = 0, alarms = 0;
    double found = 0, wrong = 0, positives = 0, negatives = 0;
    for (std::size_t t = 0; t < y.size(); ++t) {
      (y[t] == 1 ? positives : negatives) += weight[t];
      if (score[t] < points[k].threshold) continue;
      ++(y[t] == 1 ? hits : alarms);
      (y[t] == 1 ? found : wrong) += weight[t];
    }
    EXPECT_EQ(points[k].true_positive, hits);
    EXPECT_EQ(points[k].false_positive, alarms);
    EXPECT_NEAR(points[k].true_positive_rate, found / positives, 1e-15);
    EXPECT_NEAR(points[k].false_positive_rate, wrong / negatives, 1e-15);
    if (k > 0) {
      EXPECT_NEAR(points[k].precision, found / (found + wrong), 1e-15);
      area += (found / positives - recall_before) * found / (found + wrong);
      recall_before = found / positives;
    }
  }
  EXPECT_NEAR(average_precision(points), area, 1e-14);
}

TEST(OperatingPoints, WithoutAClassItsRatesAreUndefined) {
  const auto points = operating_points(std::vector<double>{1, 2}, std::vector<int>{0, 0});
  EXPECT_TRUE(std::isnan(points.back().true_positive_rate));
  EXPECT_EQ(points.back().false_positive_rate, 1);
  EXPECT_TRUE(std::isnan(average_precision(points)));
  EXPECT_TRUE(std::isnan(average_precision({})));
}

TEST(Calibration, BinsHoldTheirMeansAndShares) {
  std::vector<Prediction> predicted(5);
  const std::vector<double> probabilities{0, 0.05, 0.25, 0.29, 1};
  for (std::size_t t = 0; t < 5; ++t) predicted[t].probability = probabilities[t];
  const std::vector<int> y{0, 1, 1, 1, 1};
  const auto bins = calibration(predicted, y, std::vector<double>{1, 3, 1, 1, 2});
  ASSERT_EQ(bins.size(), 3u);
  EXPECT_EQ(bins[0].examples, 2);
  EXPECT_NEAR(bins[0].predicted, 0.15 / 4, 1e-15);
  EXPECT_NEAR(bins[0].observed, 0.75, 1e-15);
  EXPECT_NEAR(bins[0].standard_error, std::sqrt(0.75 * 0.25 / (16.0 / 10)), 1e-15);
  EXPECT_NEAR(bins[1].predicted, 0.27, 1e-15);
  EXPECT_EQ(bins[1].low, 0.2);
  EXPECT_EQ(bins[2].high, 1);  // a probability of 1 belongs to the last part
  EXPECT_EQ(bins[2].standard_error, 0);
  EXPECT_THROW(calibration(predicted, y, {}, 0), OptionError);
}

TEST(RocCurve, RisesFromCornerToCorner) {
  const std::vector<double> score{3, 2, 2, 1};
  const std::vector<int> y{1, 0, 1, 0};
  const auto curve = roc_curve(score, y);
  ASSERT_EQ(curve.size(), 4u);
  EXPECT_EQ(curve[1].true_positive_rate, 0.5);
  EXPECT_EQ(curve[1].false_positive_rate, 0);
  EXPECT_EQ(curve[2].true_positive_rate, 1);
  EXPECT_EQ(curve[2].false_positive_rate, 0.5);
  EXPECT_EQ(curve[3].false_positive_rate, 1);
}

TEST(ClassificationMetrics, AreTheirDefinitions) {
  // label, probability, truth: two hits, one miss, one false alarm, one rejection
  const std::vector<Prediction> predicted{
      {2, 1, 0.9, 1}, {1, 1, 0.8, 1}, {-1, 1, 0.3, 0}, {0.5, 1, 0.6, 1}, {-2, 1, 0.1, 0}};
  const std::vector<int> y{1, 1, 1, 0, 0};
  const auto m = classification_metrics(predicted, y);
  EXPECT_EQ(m.examples, 5);
  EXPECT_EQ(m.true_positive, 2);
  EXPECT_EQ(m.false_negative, 1);
  EXPECT_EQ(m.false_positive, 1);
  EXPECT_EQ(m.true_negative, 1);
  EXPECT_DOUBLE_EQ(m.accuracy, 0.6);
  EXPECT_DOUBLE_EQ(m.recall, 2.0 / 3);
  EXPECT_DOUBLE_EQ(m.precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(m.f1, 2.0 / 3);
  EXPECT_DOUBLE_EQ(m.balanced_accuracy, (2.0 / 3 + 0.5) / 2);
  EXPECT_DOUBLE_EQ(m.auc, 5.0 / 6);
  EXPECT_DOUBLE_EQ(m.log_loss, -std::log(0.9 * 0.8 * 0.3 * 0.4 * 0.9) / 5);
  EXPECT_DOUBLE_EQ(m.brier, (0.01 + 0.04 + 0.49 + 0.36 + 0.01) / 5);
}

TEST(ClassificationMetrics, AWeightOfTwoIsTheExampleTwice) {
  const std::vector<Prediction> once{{2, 1, 0.9, 1}, {-1, 1, 0.3, 0}, {0.5, 1, 0.6, 1}};
  const std::vector<int> y{1, 1, 0};
  const std::vector<double> weights{1, 2, 1};
  const std::vector<Prediction> twice{once[0], once[1], once[1], once[2]};
  const std::vector<int> y_twice{1, 1, 1, 0};
  const auto a = classification_metrics(once, y, weights);
  const auto b = classification_metrics(twice, y_twice);
  EXPECT_DOUBLE_EQ(a.accuracy, b.accuracy);
  EXPECT_DOUBLE_EQ(a.auc, b.auc);
  EXPECT_DOUBLE_EQ(a.log_loss, b.log_loss);
  EXPECT_DOUBLE_EQ(a.brier, b.brier);
  EXPECT_DOUBLE_EQ(a.f1, b.f1);
  EXPECT_DOUBLE_EQ(a.balanced_accuracy, b.balanced_accuracy);
}

TEST(ClassificationMetrics, TheMarginLossIsALogLossOfTheScores) {
  std::vector<Prediction> predicted(3);
  const double score[] = {0.25, -1, 200};
  for (std::size_t t = 0; t < 3; ++t) predicted[t].score = score[t];
  const std::vector<int> y{1, 1, 0};
  const double by_hand =
      std::log(1 + std::exp(-1.0)) + 3 * std::log(1 + std::exp(4.0)) + 2 * 800;  // e^800 is too large
  EXPECT_NEAR(classification_metrics(predicted, y, std::vector<double>{1, 3, 2}).margin_loss, by_hand / 6, 1e-12);
}

TEST(ClassificationMetrics, ASureErrorCostsAFiniteLogLoss) {
  const auto m = classification_metrics(std::vector<Prediction>{{9, 0, 1, 1}}, std::vector<int>{0});
  EXPECT_DOUBLE_EQ(m.log_loss, -std::log(1e-15));
}

TEST(ClassificationMetrics, WhatIsUndefinedIsNaN) {
  const auto m = classification_metrics(std::vector<Prediction>{{-1, 1, 0.2, 0}}, std::vector<int>{0});
  EXPECT_EQ(m.accuracy, 1);
  EXPECT_TRUE(std::isnan(m.auc));
  EXPECT_TRUE(std::isnan(m.recall));
  EXPECT_TRUE(std::isnan(m.precision));
  EXPECT_TRUE(std::isnan(m.f1));
  EXPECT_TRUE(std::isnan(m.balanced_accuracy));
  EXPECT_TRUE(std::isnan(classification_metrics({}, {}).accuracy));
}

TEST(RegressionMetrics, AreTheirDefinitions) {
  const std::vector<Prediction> predicted{{1, 0, 0, -1}, {2, 0, 0, -1}, {5, 0, 0, -1}};
  const std::vector<double> y{1, 3, 3};
  const auto m = regression_metrics(predicted, y, 0.5);
  EXPECT_EQ(m.examples, 3);
  EXPECT_DOUBLE_EQ(m.rmse, std::sqrt(5.0 / 3));
  EXPECT_DOUBLE_EQ(m.mae, 1);
  EXPECT_DOUBLE_EQ(m.eps_loss, 2.0 / 3);
  EXPECT_DOUBLE_EQ(m.r2, 1 - 5 / (24.0 / 9));
  const auto weighted = regression_metrics(predicted, y, 0.5, std::vector<double>{1, 0, 3});
  EXPECT_DOUBLE_EQ(weighted.mae, 1.5);
  EXPECT_DOUBLE_EQ(weighted.r2, 1 - 12 / 3.0);
}

TEST(RegressionMetrics, WhatIsUndefinedIsNaN) {
  const std::vector<Prediction> predicted{{1, 0, 0, -1}, {2, 0, 0, -1}};
  EXPECT_TRUE(std::isnan(regression_metrics(predicted, std::vector<double>{3, 3}, 0).r2));
  EXPECT_TRUE(std::isnan(regression_metrics({}, {}, 0).rmse));
}

TEST(Metrics, RefuseWhatDoesNotBelongTogether) {
  const std::vector<Prediction> predicted(2);
  EXPECT_THROW(regression_metrics(predicted, std::vector<double>{1}, 0), OptionError);
  EXPECT_THROW(classification_metrics(predicted, std::vector<int>{0, 1}, std::vector<double>{1}), OptionError);
  EXPECT_THROW(classification_metrics(predicted, std::vector<int>{0, 1}, std::vector<double>{1, -1}), OptionError);
}

TEST(BinaryTarget, ReadsNumbersAndTextsAsTheModelDoes) {
  Model model;
  model.task = Task::classify;
  model.labels = {"-1", "+1"};
  Dataset data;
  data.x = Matrix::dense(4, 0, {});
  data.target = {true, true, {1, -1, 2, NAN}, {}, {}};
  EXPECT_EQ(binary_target(model, data), (std::vector<int>{1, 0, -1, -1}));
  data.target = {true, false, {}, {"+1", "-1", "maybe"}, {0, 1, 2, -1}};
  EXPECT_EQ(binary_target(model, data), (std::vector<int>{1, 0, -1, -1}));
  data.target.labels[0] = "1.0";  // the same number
  EXPECT_EQ(binary_target(model, data), (std::vector<int>{1, 0, -1, -1}));
  model.labels = {"other", "maybe,+1"};
  model.settings.positive = "maybe,+1";
  EXPECT_EQ(binary_target(model, data), (std::vector<int>{1, 0, 1, -1}));
  model.labels = {"not maybe", "maybe"};
  model.settings.positive.clear();
  EXPECT_EQ(binary_target(model, data), (std::vector<int>{0, 0, 1, -1}));
  data.target = {};
  EXPECT_EQ(binary_target(model, data), (std::vector<int>{-1, -1, -1, -1}));
}

}  // namespace
}  // namespace medlar
