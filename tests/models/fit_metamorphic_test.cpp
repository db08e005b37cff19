// What must not change, or change in a known way, when the data is told differently.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

// Every margin, with and without selection. hinge and svr under a flat bias end at 1e-6.
struct Case {
  std::string margin;
  double p0;
  bool classify() const { return classifies(margin); }
  Settings settings() const { return with(margin, p0, margin == "hinge" || margin == "svr" ? 1e-6 : 1e-9); }
  double accuracy() const { return margin == "hinge" || margin == "svr" ? 1e-2 : 1e-3; }
};
class Metamorphic : public testing::TestWithParam<Case> {};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const double p0 : {1.0, 1e-3}) {
    for (const std::string& margin : kClassifiers) all.push_back({margin, p0});
    for (const std::string& margin : kRegressors) all.push_back({margin, p0});
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(AllMargins, Metamorphic, testing::ValuesIn(cases()), [](const auto& tested) {
  return tested.param.margin + (tested.param.p0 == 1 ? "_gaussian" : "_switches");
});

TEST_P(Metamorphic, AWeightOfTwoIsTheRowTwice) {
  Sample s = sample(GetParam().classify(), 24, 5, 11);
  std::vector<double> weights(24, 1.0);
  Rows twice = s.x;
  std::vector<double> y = s.y;
  for (const std::size_t t : {3u, 8u, 15u}) {
    weights[t] = 2;
    twice.push_back(s.x[t]);
    y.push_back(s.y[t]);
  }
  const Model weighted = fit(dataset(s.x, s.y, weights), GetParam().settings());
  const Model repeated = fit(dataset(twice, y), GetParam().settings());
  ASSERT_EQ(weighted.settings.scale, ScaleKind::standard);
  EXPECT_NEAR(*weighted.settings.c, *repeated.settings.c, 1e-12 * *repeated.settings.c);
  expect_same_fit(weighted, repeated, dense(s.x), GetParam().accuracy());
}

TEST_P(Metamorphic, AWeightOfZeroIsNoRow) {
  Sample s = sample(GetParam().classify(), 24, 5, 12);
  std::vector<double> weights(24, 1.0);
  Rows kept;
  std::vector<double> y;
  for (std::size_t t = 0; t < 24; ++t) {
    if (t % 5 == 2) {
      weights[t] = 0;
    } else {
      kept.push_back(s.x[t]);
      y.push_back(s.y[t]);
    }
  }
  const Model weighted = fit(dataset(s.x, s.y, weights), GetParam().settings());
  const Model without = fit(dataset(kept, y), GetParam().settings());
  expect_same_fit(weighted, without, dense(s.x), GetParam().accuracy());
  EXPECT_EQ(weighted.examples, 24);
  for (const Index t : weighted.support) EXPECT_NE(t % 5, 2);
}

TEST_P(Metamorphic, TheOrderOfFeaturesDoesNotMatter) {
  Sample s = sample(GetParam().classify(), 24, 6, 13);
  const std::vector<std::size_t> order{4, 0, 5, 2, 1, 3};
  Rows moved = s.x;
  for (std::size_t t = 0; t < 24; ++t) {
    for (std::size_t i = 0; i < 6; ++i) moved[t][i] = s.x[t][order[i]];
  }
  const Model a = fit(dataset(s.x, s.y), GetParam().settings()), b = fit(dataset(moved, s.y), GetParam().settings());
  EXPECT_NEAR(a.report.objective, b.report.objective, 2 * a.report.tolerance * a.report.primal);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(b.features[i].coefficient, a.features[order[i]].coefficient,
                GetParam().accuracy() * (1 + largest_coefficient(a)));
    EXPECT_NEAR(b.features[i].inclusion, a.features[order[i]].inclusion, GetParam().accuracy());
  }
}

// x -> -x is exact in floating point, and so is everything that follows: the same bits with one sign changed.
TEST_P(Metamorphic, FlippingAFeatureFlipsItsCoefficient) {
  Sample s = sample(GetParam().classify(), 24, 5, 14);
  Rows flipped = s.x;
  for (auto& row : flipped) row[2] = -row[2];
  const Model a = fit(dataset(s.x, s.y), GetParam().settings()), b = fit(dataset(flipped, s.y), GetParam().settings());
  EXPECT_EQ(a.report.objective, b.report.objective);
  EXPECT_EQ(a.bias, b.bias);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(b.features[i].coefficient, (i == 2 ? -1 : 1) * a.features[i].coefficient);
    EXPECT_EQ(b.features[i].inclusion, a.features[i].inclusion);
  }
}

TEST_P(Metamorphic, NegatingTheTargetNegatesTheFit) {
  Sample s = sample(GetParam().classify(), 24, 5, 15);
  std::vector<double> negated(s.y);
  for (double& y : negated) y = -y;
  const Model a = fit(dataset(s.x, s.y), GetParam().settings()), b = fit(dataset(s.x, negated), GetParam().settings());
  EXPECT_NEAR(a.report.objective, b.report.objective, 2 * a.report.tolerance * a.report.primal);
  const double slack = GetParam().accuracy() * (1 + largest_coefficient(a) + std::abs(a.bias));
  EXPECT_NEAR(a.bias, -b.bias, slack);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(a.features[i].coefficient, -b.features[i].coefficient, slack);
}

// x k with variance v is x with variance k^2 v; a power of two leaves the rounding as it is.
TEST_P(Metamorphic, ScalingEveryFeatureScalesThePriorVariance) {
  Sample s = sample(GetParam().classify(), 24, 5, 16);
  const double k = 4;
  Rows scaled = s.x;
  for (auto& row : scaled) {
    for (double& value : row) value *= k;
  }
  Settings settings = GetParam().settings(), wider = settings;
  settings.scale = wider.scale = ScaleKind::none;
  settings.prior_variance = 0.5;
  wider.prior_variance = 0.5 * k * k;
  const Model a = fit(dataset(scaled, s.y), settings), b = fit(dataset(s.x, s.y), wider);
  EXPECT_EQ(a.report.objective, b.report.objective);
  EXPECT_EQ(a.bias, b.bias);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(k * a.features[i].coefficient, b.features[i].coefficient);
    EXPECT_EQ(a.features[i].inclusion, b.features[i].inclusion);
  }
}

TEST_P(Metamorphic, SparseAndDenseStorageGiveTheSameModel) {
  for (const bool chosen : {false, true}) {
    for (const std::size_t features : {4u, 30u}) {  // both forms of the Newton system
      Sample s = sample(GetParam().classify(), 20, features, 17, 0.6);
      Settings settings = GetParam().settings();
      settings.scale = ScaleKind::maxabs;
      if (!chosen) settings.solver = SolverKind::newton;
      const Model a = fit(dataset(dense(s.x), s.y), settings), b = fit(dataset(sparse(s.x), s.y), settings);
      EXPECT_NEAR(a.report.objective, b.report.objective, 2 * a.report.tolerance * a.report.primal);
      // The same steps except for rounding, which potentials without curvature magnify, and sums of floats.
      const bool smooth = GetParam().margin != "hinge" && GetParam().margin != "svr";
      const double slack = (chosen ? 1e-5 : smooth ? 1e-12 : 1e-7) * (1 + largest_coefficient(a));
      for (std::size_t i = 0; i < features; ++i) {
        EXPECT_NEAR(a.features[i].coefficient, b.features[i].coefficient, slack);
      }
      EXPECT_NEAR(a.bias, b.bias, slack);
    }
  }
}

TEST_P(Metamorphic, TwoFitsGiveTheSameBits) {
  Sample s = sample(GetParam().classify(), 24, 30, 18);
  Model a = fit(dataset(s.x, s.y), GetParam().settings()), b = fit(dataset(s.x, s.y), GetParam().settings());
  a.report.seconds = b.report.seconds = 0;
  for (TracePoint& point : a.report.trace) point.seconds = 0;
  for (TracePoint& point : b.report.trace) point.seconds = 0;
  EXPECT_EQ(a, b);
}

TEST(MetamorphicRegression, ShiftingTheTargetShiftsTheBiasOnly) {
  for (const std::string& margin : kRegressors) {
    Sample s = sample(false, 24, 5, 19);
    std::vector<double> shifted(s.y);
    for (double& y : shifted) y += 1024;
    const Settings settings = with(margin, 1e-2, margin == "svr" ? 1e-6 : 1e-9);
    const Model a = fit(dataset(s.x, s.y), settings), b = fit(dataset(s.x, shifted), settings);
    EXPECT_NEAR(b.bias - a.bias, 1024, 1e-3);
    EXPECT_NEAR(a.report.objective, b.report.objective, 1e-5 * a.report.primal);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(a.features[i].coefficient, b.features[i].coefficient, 1e-3);
  }
}

// c ~ 1/y, epsilon ~ y and v ~ y^2 by default, so a change of units changes predictions by the factor alone.
TEST(MetamorphicRegression, UnitsOfTheTargetDoNotMatter) {
  for (const std::string& margin : kRegressors) {
    for (const double k : {1e-3, 1000.0}) {
      Sample s = sample(false, 24, 5, 20);
      std::vector<double> scaled(s.y);
      for (double& y : scaled) y *= k;
      const Settings settings = with(margin, 1e-2, margin == "svr" ? 1e-6 : 1e-9);
      const Model a = fit(dataset(s.x, s.y), settings), b = fit(dataset(s.x, scaled), settings);
      EXPECT_NEAR(a.report.objective, b.report.objective, 1e-5 * a.report.primal);
      const auto p = a.predict(dense(s.x)), q = b.predict(dense(s.x));
      for (std::size_t t = 0; t < p.size(); ++t) {
        EXPECT_NEAR(k * p[t].score, q[t].score, 1e-2 * k);
        EXPECT_NEAR(k * p[t].sd, q[t].sd, 1e-2 * k);
      }
      for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(a.features[i].inclusion, b.features[i].inclusion, 1e-3);
    }
  }
}

TEST(MetamorphicGroups, GroupsOfOneAreSwitches) {
  Sample s = sample(true, 24, 5, 21);
  Settings settings = with("exponential", 1e-3), grouped = settings;
  grouped.groups = GroupsKind::file;
  for (int i = 0; i < 5; ++i) grouped.feature_group.entries.emplace_back(fmt::format("f{}", i), fmt::format("g{}", i));
  const Model a = fit(dataset(s.x, s.y), settings), b = fit(dataset(s.x, s.y), grouped);
  EXPECT_EQ(b.prior(), PriorKind::switches);
  EXPECT_EQ(a.features, b.features);
  // One group of two elsewhere turns the others into groups of one behind the scenes.
  for (auto& row : s.x) row.insert(row.end(), {0.0, 0.0});
  grouped.feature_group.entries = {{"f5", "idle"}, {"f6", "idle"}};
  const Model c = fit(dataset(s.x, s.y), grouped);
  EXPECT_EQ(c.prior(), PriorKind::groups);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(a.features[i].coefficient, c.features[i].coefficient, 1e-4);
    EXPECT_NEAR(a.features[i].inclusion, c.features[i].inclusion, 1e-4);
    EXPECT_EQ(c.features[i].group, -1);
  }
}

TEST(MetamorphicGroups, CategoriesShareASwitch) {
  Sample s = sample(true, 24, 4, 22);
  Dataset data = dataset(s.x, s.y);
  data.group_of = {0, 1, 1, 2};
  data.group_names = {"f0", "colour", "f3"};
  const Model grouped = fit(data, with("exponential", 1e-2));
  EXPECT_EQ(grouped.prior(), PriorKind::groups);
  EXPECT_EQ(grouped.features[1].inclusion, grouped.features[2].inclusion);
  EXPECT_EQ(grouped.features[1].group, grouped.features[2].group);
  EXPECT_EQ(grouped.features[0].group, -1);
  EXPECT_EQ(grouped.group_names, std::vector<std::string>{"colour"});
  Settings apart = with("exponential", 1e-2);
  apart.groups = GroupsKind::none;
  const Model own = fit(data, apart);
  EXPECT_EQ(own.prior(), PriorKind::switches);
  EXPECT_NE(own.features[1].inclusion, own.features[2].inclusion);
}

TEST(MetamorphicWeights, ClassWeightsAreSampleWeights) {
  Sample s = sample(true, 30, 4, 33);
  const auto positive = static_cast<double>(std::count(s.y.begin(), s.y.end(), 1.0)), negative = 30 - positive;
  ASSERT_NE(positive, negative);
  std::vector<double> balanced(30), given(30);
  for (std::size_t t = 0; t < 30; ++t) {
    balanced[t] = 15 / (s.y[t] > 0 ? positive : negative);
    given[t] = s.y[t] > 0 ? 0.25 : 3.0;
  }
  Settings settings = with("exponential", 1e-2);
  const Model a = fit(dataset(s.x, s.y, balanced), settings), c = fit(dataset(s.x, s.y, given), settings);
  settings.class_weight = ClassWeightKind::balanced;
  const Model b = fit(dataset(s.x, s.y), settings);
  settings.class_weight = {ClassWeightKind::by_label, "1:0.25,-1:3"};
  const Model d = fit(dataset(s.x, s.y), settings);
  expect_same_fit(a, b, dense(s.x), 1e-9);
  expect_same_fit(c, d, dense(s.x), 1e-9);
}

TEST(MetamorphicLabels, PositiveSetsLabelsAgainstTheRest) {
  Sample s = sample(true, 30, 4, 24);
  std::vector<double> three(s.y);
  for (std::size_t t = 0; t < 30; ++t) {
    if (s.y[t] < 0 && t % 2 == 0) three[t] = 7;
  }
  const Settings settings = with("exponential", 1e-2);
  Settings chosen = settings;
  chosen.positive = "1";
  const Model a = fit(dataset(s.x, s.y), settings), b = fit(dataset(s.x, three), chosen);
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(b.labels, (std::vector<std::string>{"not 1", "1"}));
  chosen.positive = "-1,7";
  const Model c = fit(dataset(s.x, three), chosen);
  EXPECT_EQ(c.labels, (std::vector<std::string>{"1", "-1,7"}));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(a.features[i].coefficient, -c.features[i].coefficient, 1e-3 * (1 + largest_coefficient(a)));
  }
}

TEST(MetamorphicLabels, TextLabelsFitLikeNumbers) {
  Sample s = sample(true, 30, 4, 25);
  Dataset text = dataset(s.x, {});
  text.target.numeric = false;
  text.target.labels = {"benign", "malign"};
  for (const double y : s.y) text.target.codes.push_back(y > 0 ? 1 : 0);
  const Model a = fit(dataset(s.x, s.y), with("exponential", 1e-2)), b = fit(text, with("exponential", 1e-2));
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(a.labels, (std::vector<std::string>{"-1", "1"}));
  EXPECT_EQ(b.labels, (std::vector<std::string>{"benign", "malign"}));
}

}  // namespace
}  // namespace medlar::test
