// Predictions against enumeration of the switches, and probabilities that never contradict their label.
#include <gtest/gtest.h>

#include <random>

#include "medlar/error.hpp"
#include "models/fit_data.hpp"
#include "models/models.hpp"

namespace medlar {
namespace {

using tests::plain_model;

// Mean and variance of sum_i theta_i s_i x_i by enumeration of the on/off states of the switches: given the switches,
// theta_i ~ N(v V_i, v) independently, P(switch g on) = P_g.
struct ScoreMoments {
  double mean = 0, variance = 0;
};
ScoreMoments enumerated(const std::vector<int>& switch_of, const std::vector<double>& inclusion,
                        const std::vector<double>& V, double v, const std::vector<double>& x) {
  double mean = 0, second = 0;
  const std::size_t switches = inclusion.size();
  for (std::size_t state = 0; state < (std::size_t{1} << switches); ++state) {
    double probability = 1, m = 0, s2 = 0;
    for (std::size_t g = 0; g < switches; ++g) {
      probability *= (state >> g & 1) != 0 ? inclusion[g] : 1 - inclusion[g];
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      if ((state >> switch_of[i] & 1) == 0) continue;
      m += v * V[i] * x[i];
      s2 += v * x[i] * x[i];
    }
    mean += probability * m;
    second += probability * (s2 + m * m);
  }
  return {mean, second - mean * mean};
}

TEST(Predict, MeanAndSdAreThoseOfTheEnumeratedSwitches) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.01, 1);
  for (int round = 0; round < 50; ++round) {
    const double v = 0.2 + uniform(random);
    const std::vector<int> switch_of{0, 1, 1, 2, 3, 3, 3};  // switches 1 and 3 are groups
    std::vector<double> inclusion(4), V(7), x(7);
    for (double& p : inclusion) p = uniform(random);
    for (double& each : V) each = 2 * normal(random);
    for (double& each : x) each = normal(random);
    Model model = plain_model({}, 0.5);
    model.bias_sd = 0.3;
    model.settings.prior_variance = v;
    model.group_names = {"one", "three"};
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double P = inclusion[static_cast<std::size_t>(switch_of[i])];
      const double sd = std::sqrt(v * P + P * (1 - P) * v * v * V[i] * V[i]);
      const Index group = switch_of[i] == 1 ? 0 : switch_of[i] == 3 ? 1 : -1;
      model.features.push_back({"f", P, P * v * V[i], sd, group});
    }
    model.schema.features = 7;
    const ScoreMoments wanted = enumerated(switch_of, inclusion, V, v, x);
    const Prediction dense = model.predict(Matrix::dense(1, 7, x)).front();
    const Prediction sparse = model.predict(Matrix::sparse(1, 7, {0, 7}, {0, 1, 2, 3, 4, 5, 6}, x)).front();
    EXPECT_NEAR(dense.score, wanted.mean + 0.5, 1e-13) << round;
    EXPECT_NEAR(dense.sd * dense.sd, wanted.variance + 0.09, 1e-12 * (1 + wanted.variance)) << round;
    EXPECT_NEAR(dense.score, sparse.score, 1e-13);
    EXPECT_NEAR(dense.sd, sparse.sd, 1e-13);
  }
}

TEST(Predict, OneRowDoesNotLeakIntoTheNext) {
  Model model = plain_model({{"a", 0.5, 1, std::sqrt(1.5), 0}, {"b", 0.5, 1, std::sqrt(1.5), 0}});
  model.group_names = {"g"};
  const auto twice = model.predict(Matrix::sparse(3, 2, {0, 2, 2, 3}, {0, 1, 0}, {1, 1, 1}));
  EXPECT_EQ(twice[1].sd, 0);
  EXPECT_DOUBLE_EQ(twice[2].sd, std::sqrt(1.5));
}

TEST(Predict, ProbabilityIsPhiAndNeverContradictsTheLabel) {
  const Model model = plain_model({{"a", 1, 1, 0.5, -1}, {"b", 1, 0, 1, -1}});
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> x;
  for (int t = 0; t < 600; ++t) {  // more than one block of rows
    x.push_back(normal(random) * std::pow(10.0, t % 40 - 30));
    x.push_back(normal(random));
  }
  const auto predictions = model.predict(Matrix::dense(600, 2, x));
  for (std::size_t t = 0; t < 600; ++t) {
    const Prediction& each = predictions[t];
    EXPECT_EQ(each.score, x[2 * t]);
    EXPECT_EQ(each.label, each.score > 0 ? 1 : 0);
    EXPECT_TRUE(each.label == 1 ? each.probability >= 0.5 : each.probability <= 0.5) << each.score;
  }
  // Phi(1) and Phi(-6), from tables.
  const auto known = model.predict(Matrix::dense(2, 2, {1, std::sqrt(0.75), -6, 1}));
  EXPECT_NEAR(known[0].probability, 0.8413447460685429, 1e-15);
  const double sd = std::sqrt(9 + 1.0);
  EXPECT_NEAR(known[1].probability, 0.5 * std::erfc(6 / sd / std::sqrt(2.0)), 1e-16);
}

TEST(Predict, AScoreOfZeroIsAHalfAndTheNegativeLabel) {
  for (const double sd : {0.0, 1.0}) {
    const Prediction at_zero = plain_model({{"a", 1, 0, sd, -1}}).predict(Matrix::dense(1, 1, {3.0})).front();
    EXPECT_EQ(at_zero.probability, 0.5);
    EXPECT_EQ(at_zero.label, 0);
  }
  const auto sure = plain_model({{"a", 1, 1, 0, -1}}).predict(Matrix::dense(2, 1, {3.0, -3.0}));
  EXPECT_EQ(sure[0].probability, 1);
  EXPECT_EQ(sure[1].probability, 0);
}

TEST(Predict, ReplaysTheTransforms) {
  Model model = plain_model({{"a", 1, 1, 0, -1}, {"b", 1, 10, 0, -1}, {"a*b", 1, 100, 0, -1}});
  model.task = Task::regress;
  model.schema.features = 2;
  model.transforms = {{TransformKind::expand, {{0}, {1}, {0, 1}}, {}, {}},
                      {TransformKind::scale, {}, {1, 1, 1}, {1, 0.5, 0.25}}};
  const auto predictions = model.predict(Matrix::dense(1, 2, {3.0, 5.0}));
  EXPECT_DOUBLE_EQ(predictions[0].score, 2 + 10 * 2 + 100 * 3.5);
  EXPECT_EQ(predictions[0].label, -1);
}

TEST(Predict, RefusesOtherColumnsAndOverflow) {
  const Model model = plain_model({{"a", 1, 1, 1, -1}});
  try {
    model.predict(Matrix::dense(1, 2, {1.0, 2.0}));
    FAIL();
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(), "the data has 2 features, but the model was fitted on 1");
  }
  EXPECT_THROW(model.predict(Matrix::dense(1, 1, {NAN})), DataError);
  EXPECT_THROW(model.predict(Matrix::dense(1, 1, {1e300})), DataError);  // the variance overflows
}

TEST(Model, SelectsByTheRuleWhoseErrorsAreBounded) {
  Model model = plain_model({{"a", 0.9, 1, 1, -1}, {"b", 0.2, 1, 1, -1}, {"c", 0.1, 1, 1, -1}});
  const auto chosen = [&] {
    return std::vector<bool>{model.is_selected(0), model.is_selected(1), model.is_selected(2)};
  };
  EXPECT_EQ(model.selected_by(), SelectedBy::inclusion);
  EXPECT_EQ(chosen(), (std::vector<bool>{true, false, false}));
  model.stability = Stability{20, 0.5, 2, 3, 0.75, 2.0, 0.5, {0.5, 0.75, 1}};
  EXPECT_EQ(model.selected_by(), SelectedBy::stability);
  EXPECT_EQ(chosen(), (std::vector<bool>{false, true, true}));
  EXPECT_EQ(model.selected(), 2);
  model.discoveries = Discoveries{0.25, KnockoffKind::gaussian, 0.5, {-0.25, 0.125, 0.5}, {}, 3, 0.5, 5, {}};
  EXPECT_EQ(model.selected_by(), SelectedBy::knockoffs);
  EXPECT_EQ(chosen(), (std::vector<bool>{false, false, true}));
  EXPECT_EQ(model.selected(), 1);
}

TEST(Model, CountsSelectedFeaturesAndNamesItsPrior) {
  Model model = plain_model({{"a", 0.5, 1, 1, -1}, {"b", 0.51, 1, 1, -1}, {"c", 1, 1, 1, -1}});
  EXPECT_EQ(model.selected(), 2);
  EXPECT_EQ(model.prior(), PriorKind::switches);
  model.features[0].group = 0;
  EXPECT_EQ(model.prior(), PriorKind::groups);
  model.settings.p0 = 1;
  EXPECT_EQ(model.prior(), PriorKind::gaussian);
  model.settings.feature_p0.entries = {{"a", 0.5}};
  EXPECT_EQ(model.prior(), PriorKind::groups);
}

TEST(Status, NamesGoBothWays) {
  for (const Status status : {Status::converged, Status::almost, Status::limit, Status::stalled, Status::interrupted}) {
    EXPECT_EQ(status_from(to_string(status)), status);
  }
  EXPECT_THROW(status_from("done"), OptionError);
}

TEST(Predict, TypicalSdIsThatOfTheFittedExamples) {
  std::mt19937 random(6);
  std::normal_distribution<double> normal;
  test::Rows x(40, std::vector<double>(3));
  std::vector<double> y, weights;
  for (std::size_t t = 0; t < x.size(); ++t) {
    for (double& value : x[t]) value = normal(random);
    y.push_back(x[t][0] > 0 ? 1 : -1);
    weights.push_back(static_cast<double>(t % 4));
  }
  x[0][2] = 1e6;  // of weight 0, so it does not count
  const Dataset data = test::dataset(x, y, weights);
  const Model model = fit(data);
  const std::vector<Prediction> predictions = model.predict(data.x);
  double squares = 0;
  for (std::size_t t = 0; t < x.size(); ++t) squares += weights[t] * predictions[t].sd * predictions[t].sd;
  EXPECT_NEAR(model.typical_sd, std::sqrt(squares / 60), 1e-12);
  Settings regress;
  regress.task = Task::regress;
  EXPECT_EQ(fit(data, regress).typical_sd, 0);
}

}  // namespace
}  // namespace medlar
