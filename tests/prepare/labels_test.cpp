// Labels as the user writes them, and the prior that a fitted model names.
#include <gtest/gtest.h>

#include "medlar/error.hpp"
#include "medlar/metrics.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

// Higher f0 goes with the label 1.
Dataset signs() {
  return dataset({{0, 1}, {1, 0}, {2, 1}, {3, 3}}, {-1, -1, 1, 1});
}

TEST(Labels, APositiveLabelMayBeWrittenWithItsSign) {
  const Model plain = fit(signs());
  EXPECT_EQ(plain.labels, (std::vector<std::string>{"-1", "1"}));
  for (const std::string positive : {"+1", "1", "1.0", "1e0"}) {
    Settings settings;
    settings.positive = positive;
    const Model model = fit(signs(), settings);
    EXPECT_EQ(model.task, Task::classify);
    EXPECT_EQ(model.labels, (std::vector<std::string>{"-1", positive}));
    EXPECT_EQ(model.features, plain.features);
    EXPECT_EQ(model.bias, plain.bias);
    EXPECT_EQ(binary_target(model, signs()), (std::vector<int>{0, 0, 1, 1}));
  }
}

TEST(Labels, WhatNamesNoLabelIsRefused) {
  for (const std::string positive : {",", "+-1", "2"}) {
    Settings settings;
    settings.positive = positive;
    EXPECT_THROW(fit(signs(), settings), OptionError) << positive;
  }
}

TEST(Labels, TheOtherLabelMayBePositive) {
  Settings settings;
  settings.positive = "-1";
  const Model plain = fit(signs()), model = fit(signs(), settings);
  EXPECT_EQ(model.labels, (std::vector<std::string>{"1", "-1"}));
  EXPECT_NEAR(model.features[0].coefficient, -plain.features[0].coefficient, 1e-6);
  EXPECT_NEAR(model.bias, -plain.bias, 1e-6);
  EXPECT_EQ(binary_target(model, signs()), (std::vector<int>{1, 1, 0, 0}));
}

TEST(Labels, ClassWeightsKnowThemWithTheirSign) {
  Settings settings;
  settings.class_weight = {ClassWeightKind::by_label, "+1:2,-1:0.5"};
  Settings same;
  same.class_weight = {ClassWeightKind::by_label, "1:2,-1.0:0.5"};
  EXPECT_EQ(fit(signs(), settings).features, fit(signs(), same).features);
  EXPECT_NE(fit(signs(), settings).features, fit(signs()).features);
}

TEST(Labels, TextThatLooksLikeNumbers) {
  Dataset data = signs();
  data.target = {true, false, {}, {"+1", "-1"}, {1, 1, 0, 0}};
  for (const std::string positive : {"+1", "1"}) {
    Settings settings;
    settings.positive = positive;
    const Model model = fit(data, settings);
    EXPECT_EQ(model.labels, (std::vector<std::string>{"-1", positive}));
    EXPECT_EQ(binary_target(model, data), (std::vector<int>{0, 0, 1, 1}));
    EXPECT_EQ(binary_target(model, signs()), (std::vector<int>{0, 0, 1, 1}));
  }
}

// 2^53 and 2^53 + 1 are the same double.
TEST(Labels, ThoseThatDoublesDoNotTellApartAreRefused) {
  Dataset data = signs();
  data.target.values = {9007199254740992, 7, 9007199254740992, 7};
  Settings settings;
  settings.task = Task::classify;
  EXPECT_THROW(fit(data, settings), DataError);
  data.target.values = {9007199254740991, 7, 9007199254740991, 7};
  EXPECT_EQ(fit(data, settings).labels, (std::vector<std::string>{"7", "9007199254740991"}));
}

TEST(Prior, IsGaussianWhenEverySwitchIsSurelyOn) {
  Settings settings;
  EXPECT_EQ(fit(signs(), settings).prior(), PriorKind::switches);
  settings.p0 = 1;
  EXPECT_EQ(fit(signs(), settings).prior(), PriorKind::gaussian);
  settings.feature_p0.entries = {{"f0", 1.0}};  // the other has p0 = 1
  EXPECT_EQ(fit(signs(), settings).prior(), PriorKind::gaussian);
  settings.p0 = 0.1;
  EXPECT_EQ(fit(signs(), settings).prior(), PriorKind::switches);
  settings.feature_p0.entries = {{"f1", 1.0}, {"f0", 1.0}};  // p0 is of no one
  const Model model = fit(signs(), settings);
  EXPECT_EQ(model.prior(), PriorKind::gaussian);
  for (const Feature& feature : model.features) EXPECT_EQ(feature.inclusion, 1);
  settings.feature_p0.entries = {{"f1", 1.0}, {"f0", 0.5}};
  EXPECT_EQ(fit(signs(), settings).prior(), PriorKind::switches);
}

TEST(Prior, IsGaussianForGroupsThatAreSurelyOn) {
  Dataset data = signs();
  data.group_of = {0, 0};
  data.group_names = {"a"};
  Settings settings;
  EXPECT_EQ(fit(data, settings).prior(), PriorKind::groups);
  settings.p0 = 1;
  EXPECT_EQ(fit(data, settings).prior(), PriorKind::gaussian);
  settings.p0 = 0.1;
  settings.feature_p0.entries = {{"f0", 1.0}, {"f1", 1.0}};
  EXPECT_EQ(fit(data, settings).prior(), PriorKind::gaussian);
}

}  // namespace
}  // namespace medlar::test
