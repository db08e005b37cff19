// What a fit refuses, with the sentence that says why and what to do.
#include <gtest/gtest.h>

#include "medlar/path.hpp"
#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/coefficients/groups.hpp"
#include "medlar/priors/coefficients/switches.hpp"
#include "refusals/refusal.hpp"
#include "support/refused.hpp"

namespace medlar::test {
namespace {

TEST(FitRefuses, EmptyData) {
  Dataset data = classes();
  data.x = Matrix::dense(0, 2, {});
  expect_data_error(data, {}, "memory: has no examples");
  data.x = Matrix::dense(4, 0, {});
  expect_data_error(data, {}, "memory: has no features");
}

TEST(FitRefuses, DataWithoutATarget) {
  Dataset data = classes();
  data.target = {};
  expect_data_error(data, {}, "memory: has no target; name its column with --target");
}

TEST(FitRefuses, AMissingTarget) {
  const std::string begins = ": the target is empty",
                    asks = "; this model learns from labelled examples only: give it a value, remove the row, or",
                    ends = " use --model latent --latent labels";
  const std::string rest = begins + " or NaN" + asks + ", if the targets are classes," + ends;
  Dataset data = numbers();
  data.target.values[2] = NAN;
  expect_data_error(data, {}, "memory: example 3" + rest);
  data.lines = {2, 3, 5, 6};
  expect_data_error(data, {}, "memory:5" + rest);
  Dataset text = texts();
  text.target.codes[0] = -1;
  expect_data_error(text, {}, "memory: example 1" + begins + asks + ends);
}

TEST(FitRefuses, AnInfiniteTargetOfARegression) {
  Dataset data = numbers();
  data.target.values[1] = HUGE_VAL;
  expect_data_error(data, {}, "memory: example 2: the target is inf, but must be a finite number");
}

TEST(FitRefuses, ARegressionOnText) {
  Settings settings;
  settings.task = Task::regress;
  expect_option_error(
      texts(), settings,
      "task = regress, but the target of memory is text (cat, dog, emu); use --task classify or another "
      "--target");
}

TEST(FitRefuses, APositiveLabelThatNoExampleHas) {
  Settings settings;
  settings.positive = "dog,cow";
  expect_option_error(texts(), settings, "positive = cow, but no example has that label; the labels are cat, dog, emu");
}

TEST(FitRefuses, OneClassUnderAFlatBias) {
  Dataset data = classes();
  data.target.values = {1, 1, 1, 1};
  const std::string rest =
      "': a flat bias would be unbounded; add examples of another label, or use --bias VARIANCE, or --task regress if "
      "the target is a number";
  expect_data_error(data, {}, "every example has the label '1" + rest);
  // Also when the other class has no weight.
  data = classes();
  data.weights = {1, 1, 0, 0};
  expect_data_error(data, {}, "every example has the label '0" + rest);
}

TEST(FitRefuses, WeightsThatAreNone) {
  const std::string rest = ", but must be a finite number >= 0";
  Dataset data = classes();
  data.weights = {1, -2, 1, 1};
  expect_data_error(data, {}, "memory: example 2: the weight is -2" + rest);
  data.weights = {1, 1, 1, NAN};
  expect_data_error(data, {}, "memory: example 4: the weight is nan" + rest);
  data.weights = {HUGE_VAL, 1, 1, 1};
  data.lines = {7, 8, 9, 10};
  expect_data_error(data, {}, "memory:7: the weight is inf" + rest);
  data.weights = {0, 0, 0, 0};
  expect_data_error(data, {}, "memory: every weight is 0");
}

TEST(FitRefuses, ClassWeightsThatDoNotFit) {
  Settings settings;
  settings.class_weight = ClassWeightKind::balanced;
  expect_option_error(numbers(), settings, "class-weight = balanced, but a regression has no classes");
  settings.class_weight = {ClassWeightKind::by_label, "1:2,7:1"};
  expect_option_error(classes(), settings, "class-weight names the label '7', but the labels are '0' and '1'");
  for (const std::string entry : {"1", "1:0", "1:-3", "1:x", "1:inf"}) {
    settings.class_weight = {ClassWeightKind::by_label, entry};
    expect_option_error(
        classes(), settings,
        "class-weight = '" + entry + "', but must be none, balanced or label:weight,... with weights > 0");
  }
}

TEST(FitRefuses, AMarginOfTheOtherTask) {
  Settings settings;
  settings.margin = MarginKind::tube;
  expect_option_error(
      classes(), settings,
      "margin = tube does not go with task = classify; use exponential, laplace, gaussian, hinge or logistic");
  settings.margin = MarginKind::hinge;
  expect_option_error(numbers(), settings, "margin = hinge does not go with task = regress; use tube, svr or gaussian");
}

TEST(FitRefuses, ACSoSmallThatNothingIsLearnt) {
  const std::string begin = "c = 0.5 with the exponential margin at 2: the prior itself meets every constraint on ";
  Settings settings;
  settings.c = 0.5;
  settings.margin_location = 2;
  expect_option_error(classes(), settings, begin + "average, so that nothing would be learnt; c must exceed 1/2 = 0.5");
  // A prior mean is another matter, and the other margins have their mean at the location.
  settings.p0 = 1;
  settings.prior_mean.entries = {{"f0", -1.0}};
  EXPECT_EQ(fit(classes(), settings).report.status, Status::converged);
  settings.prior_mean = {};
  settings.margin = MarginKind::laplace;
  EXPECT_EQ(fit(classes(), settings).report.status, Status::converged);
}

TEST(FitRefuses, StandardScalingOfSparseDataWithoutAFlatBias) {
  Settings settings;
  settings.scale = ScaleKind::standard;
  settings.bias = BiasKind::none;
  const Dataset data = dataset(sparse({{0, 1}, {1, 0}, {2, 1}, {3, 3}}), {0, 0, 1, 1});
  expect_option_error(data, settings,
                      "scale = standard centres the features, which a flat bias absorbs for sparse data, but bias = "
                      "none; use --scale maxabs or --bias flat");
  settings.bias = BiasKind::flat;
  EXPECT_EQ(fit(data, settings).report.status, Status::converged);
}

TEST(FitRefuses, PriorsOfFeaturesThatAreNone) {
  Settings settings;
  settings.feature_p0.entries = {{"f0", 0.1}, {"size", 0.2}};
  expect_option_error(classes(), settings,
                      "feature-priors names 'size', which is no feature of the model; the first feature is 'f0'");
  settings.feature_p0 = {"priors.txt", {{"f0", 0.1}, {"f0", 0.2}}};
  expect_option_error(classes(), settings, "feature-priors of priors.txt names 'f0' twice");
  settings.feature_p0 = {};
  settings.groups = GroupsKind::file;
  settings.feature_group = {"groups.txt", {{"f9", "a"}}};
  expect_option_error(classes(), settings,
                      "groups of groups.txt names 'f9', which is no feature of the model; the first feature is 'f0'");
}

TEST(FitRefuses, AProbabilityOutOfItsRange) {
  Settings settings;
  settings.feature_p0.entries = {{"f1", 1.5}};
  expect_option_error(classes(), settings, "feature-priors gives 'f1' the value 1.5, but it must lie in [0, 1]");
  settings.feature_p0.entries = {{"f1", NAN}};
  expect_option_error(classes(), settings, "feature-priors gives 'f1' the value nan, but it must lie in [0, 1]");
}

TEST(FitRefuses, APriorMeanBehindSwitches) {
  Settings settings;
  settings.prior_mean.entries = {{"f0", 1.0}};
  expect_option_error(classes(), settings, "prior-mean needs p0 = 1 (no selection), but p0 = 0.001");
}

TEST(FitRefuses, DifferentPriorsBehindOneSwitch) {
  Settings settings;
  settings.groups = GroupsKind::file;
  settings.feature_group.entries = {{"f0", "a"}, {"f1", "a"}};
  settings.feature_p0.entries = {{"f1", 0.25}};
  expect_option_error(classes(), settings,
                      "feature-priors gives 'f1' p0 = 0.25, but another feature that shares its switch has 0.001; give "
                      "them the same or use --groups none");
}

TEST(FitRefuses, AVarianceThatIsNone) {
  Settings settings;
  for (const double variance : {0.0, -1.0}) {
    settings.prior_variance = variance;
    expect_option_error(classes(), settings, fmt::format("prior-variance = {}, but must be a number > 0", variance));
  }
}

TEST(PartitionsRefuse, WhatDoesNotFitTogether) {
  expect_sentence<OptionError>(
      [] {
        GaussianPartition(3, 1.0, {1, 2});
      },
      "the prior mean has 2 entries, but there are 3 features");
  expect_sentence<OptionError>([] { SwitchPartition({0.5}, HUGE_VAL); },
                               "prior variance = inf, but must be a finite number above 0");
  expect_sentence<OptionError>(
      [] {
        GroupPartition({0, 1}, {0.5, -0.1}, 1.0);
      },
      "p0 of group 2 = -0.1, but must lie in [0, 1]");
  expect_sentence<OptionError>(
      [] {
        GroupPartition({0, 2}, {0.5, 0.5}, 1.0);
      },
      "feature 2 is in group 2, but groups are numbered 0 to 1");
}

}  // namespace
}  // namespace medlar::test
