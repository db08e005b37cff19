// Fits at the edges: one example, one class, one feature, idle and repeated columns, extreme scales, early ends.
#include <gtest/gtest.h>

#include "medlar/error.hpp"
#include "medlar/path.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

void expect_finite(const Model& model) {
  EXPECT_TRUE(std::isfinite(model.bias));
  EXPECT_TRUE(std::isfinite(model.report.objective) && std::isfinite(model.report.primal));
  EXPECT_TRUE(std::isfinite(model.report.gap) && std::isfinite(model.report.relative_gap));
  EXPECT_LE(model.report.objective, model.report.primal * (1 + 1e-12));
  for (const Feature& feature : model.features) {
    EXPECT_TRUE(std::isfinite(feature.coefficient) && std::isfinite(feature.sd)) << feature.name;
    EXPECT_TRUE(feature.inclusion >= 0 && feature.inclusion <= 1) << feature.name;
  }
  for (const double beta : model.multipliers) EXPECT_TRUE(std::isfinite(beta) && beta != 0);
}

TEST(FitEdge, OneClassNeedsABiasOfFiniteVariance) {
  Sample s = sample(true, 12, 3, 1);
  std::fill(s.y.begin(), s.y.end(), 1.0);
  for (const std::string& margin : kClassifiers) {
    Settings settings = with(margin, 1e-2, 1e-6);
    EXPECT_THROW(fit(dataset(s.x, s.y), settings), DataError);
    settings.bias = {BiasKind::variance, 4};
    const Model model = fit(dataset(s.x, s.y), settings);
    EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
    expect_finite(model);
    EXPECT_GT(model.bias, 0);
    EXPECT_EQ(model.bias_sd, 2);
    for (const Prediction& each : model.predict(dense(s.x))) EXPECT_EQ(each.label, 1);
  }
}

TEST(FitEdge, OneExampleOfARegressionIsItsBias) {
  for (const std::string& margin : kRegressors) {
    const Model model = fit(dataset({{1, -2}}, {3.25}), with(margin, 1e-3, 1e-6));
    EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
    EXPECT_EQ(model.bias, 3.25);
    for (const Feature& feature : model.features) EXPECT_EQ(feature.coefficient, 0);
    EXPECT_TRUE(model.support.empty());
  }
}

// J(lambda) = psi(lambda) - (v |x|^2 + sigma2) lambda^2 / 2, maximal where psi' = (v |x|^2 + sigma2) lambda.
TEST(FitEdge, OneExampleOfAClassification) {
  Settings settings = with("exponential", 1, 1e-12);
  settings.scale = ScaleKind::none;
  settings.bias = {BiasKind::variance, 0.5};
  settings.c = 3;
  const Model model = fit(dataset({{1, -2}}, {-1.0}), settings);
  ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
  const double k = 5.5;  // 1 - 1/(3 - lambda) = k lambda
  const double lambda = ((1 + 3 * k) - std::sqrt((1 + 3 * k) * (1 + 3 * k) - 8 * k)) / (2 * k);
  ASSERT_EQ(model.multipliers.size(), 1u);
  EXPECT_NEAR(std::abs(model.multipliers[0]), lambda, 1e-6);
  EXPECT_EQ(model.labels, (std::vector<std::string>{"not -1", "-1"}));  // the only label is the positive one
  EXPECT_NEAR(model.bias, 0.5 * lambda, 1e-6);
  EXPECT_NEAR(model.features[1].coefficient, -2 * lambda, 1e-6);
}

TEST(FitEdge, OneFeature) {
  for (const std::string margin :
       {"exponential", "laplace", "gaussian", "hinge", "tube", "svr", "squared", "logistic"}) {
    for (const double p0 : {1.0, 1e-5}) {
      const Settings settings = with(margin, p0, 1e-6);
      const Sample s = sample(settings.task == Task::classify, 15, 1, 2);
      const Model model = fit(dataset(s.x, s.y), settings);
      EXPECT_EQ(model.report.status, Status::converged) << margin << ": " << model.report.message;
      EXPECT_GT(model.features[0].coefficient, 0);
      expect_finite(model);
    }
  }
}

TEST(FitEdge, IdleColumnsKeepTheirPrior) {
  for (const double p0 : {1.0, 0.25}) {
    Sample s = sample(true, 20, 3, 3);
    for (auto& row : s.x) row.insert(row.end(), {0.0, 7.5});  // all zero; constant, which the scaling centres
    Settings settings = with("exponential", p0);
    settings.prior_variance = 2;
    const Model model = fit(dataset(s.x, s.y), settings);
    ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
    for (const std::size_t i : {3u, 4u}) {
      EXPECT_EQ(model.features[i].coefficient, 0);
      EXPECT_NEAR(model.features[i].inclusion, p0, 1e-15);
      EXPECT_NEAR(model.features[i].sd, std::sqrt(2 * p0), 1e-15);
    }
    // Unscaled, a constant column is a second bias that a flat bias makes idle: sum beta = 0.
    settings.scale = ScaleKind::none;
    const Model plain = fit(dataset(s.x, s.y), settings);
    ASSERT_EQ(plain.report.status, Status::converged) << plain.report.message;
    EXPECT_NEAR(plain.features[4].coefficient, 0, 1e-9);
  }
}

TEST(FitEdge, DuplicateColumnsShareEvenly) {
  Sample s = sample(true, 20, 3, 4);
  Rows doubled = s.x;
  for (auto& row : doubled) row.push_back(row[0]);
  for (const double p0 : {1.0, 1e-2}) {
    const Model model = fit(dataset(doubled, s.y), with("exponential", p0));
    ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
    EXPECT_NEAR(model.features[0].coefficient, model.features[3].coefficient, 1e-9);
    EXPECT_NEAR(model.features[0].inclusion, model.features[3].inclusion, 1e-9);
  }
  // Under the Gaussian prior two columns of variance v are one column of sqrt(2) times the size.
  Rows larger = s.x;
  for (auto& row : larger) row[0] *= std::sqrt(2.0);
  Settings settings = with("exponential", 1);
  settings.scale = ScaleKind::none;
  const Model two = fit(dataset(doubled, s.y), settings), one = fit(dataset(larger, s.y), settings);
  EXPECT_NEAR(two.report.objective, one.report.objective, 2e-9 * one.report.primal);
  EXPECT_NEAR(2 * two.features[0].coefficient, std::sqrt(2.0) * one.features[0].coefficient, 1e-4);
  EXPECT_NEAR(two.bias, one.bias, 1e-4);
}

TEST(FitEdge, DuplicateRowsShareTheirMultiplier) {
  Sample s = sample(true, 20, 3, 5);
  for (std::size_t t = 0; t < 20; ++t) s.x.push_back(s.x[t]), s.y.push_back(s.y[t]);
  const Model model = fit(dataset(s.x, s.y), with("exponential", 1e-2));
  ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
  std::vector<double> beta(40, 0.0);
  for (std::size_t j = 0; j < model.support.size(); ++j) {
    beta[static_cast<std::size_t>(model.support[j])] = model.multipliers[j];
  }
  for (std::size_t t = 0; t < 20; ++t) EXPECT_NEAR(beta[t], beta[t + 20], 1e-6);
}

TEST(FitEdge, SeparableDataAtLargeC) {
  for (const std::string& margin : kClassifiers) {
    for (const double p0 : {1.0, 1e-5}) {
      Sample s = sample(true, 30, 60, 6);  // more features than examples
      Settings settings = with(margin, p0, 1e-6);
      settings.c = 1e4;
      const Model model = fit(dataset(s.x, s.y), settings);
      EXPECT_EQ(model.report.status, Status::converged) << margin << " " << p0 << ": " << model.report.message;
      expect_finite(model);
      const auto predicted = model.predict(dense(s.x));
      for (std::size_t t = 0; t < 30; ++t) EXPECT_GT(predicted[t].score * s.y[t], 0);
    }
  }
}

void expect_converged_unscaled(const std::string& margin, double p0, const std::vector<double>& scales) {
  Settings settings = with(margin, p0, 1e-6);
  settings.scale = ScaleKind::none;
  Sample s = sample(settings.task == Task::classify, 25, 5, 7);
  for (auto& row : s.x) {
    for (std::size_t i = 0; i < 5; ++i) row[i] *= scales[i];
  }
  const Model model = fit(dataset(s.x, s.y), settings);
  EXPECT_EQ(model.report.status, Status::converged) << margin << " " << p0 << ": " << model.report.message;
  EXPECT_LE(model.report.relative_gap, 1e-6);
  expect_finite(model);
}

TEST(FitEdge, UnscaledFeaturesOfMillionthsOrMillions) {
  for (const std::string margin :
       {"exponential", "laplace", "gaussian", "hinge", "tube", "svr", "squared", "logistic"}) {
    for (const double p0 : {1.0, 1e-3}) {
      for (const double scale : {1e-6, 1e-3, 1e3, 1e6}) {
        if (scale > 1 && (margin == "hinge" || margin == "tube" || margin == "svr")) continue;
        expect_converged_unscaled(margin, p0, std::vector<double>(5, scale));
      }
    }
  }
}

TEST(FitEdge, UnscaledFeaturesFromMillionthsToMillionsAtOnce) {
  for (const std::string margin : {"exponential", "laplace", "gaussian", "tube", "squared", "logistic"}) {
    for (const double p0 : {1.0, 1e-3}) expect_converged_unscaled(margin, p0, {1e-6, 1e-3, 1, 1e3, 1e6});
  }
}

// ---- Early ends: always a certified model.

class StopAfter : public Observer {
 public:
  explicit StopAfter(Index iterations) : left_(iterations) {}
  void on_iteration(const TracePoint& point) override {
    --left_;
    seen.push_back(point);
  }
  bool stop_requested() override { return left_ < 0; }
  std::vector<TracePoint> seen;

 private:
  Index left_;
};

TEST(FitEdge, AnObserverEndsTheFitWithACertifiedModel) {
  for (const std::string margin : {"exponential", "hinge", "tube", "svr"}) {
    for (const Index iterations : {0, 1, 3}) {
      const Settings settings = with(margin, 1e-5, 1e-9);
      const Sample s = sample(settings.task == Task::classify, 40, 60, 8);
      StopAfter observer(iterations);
      const Model model = fit(dataset(s.x, s.y), settings, &observer);
      EXPECT_EQ(model.report.status, Status::interrupted) << margin << " " << iterations;
      EXPECT_NE(model.report.message.find("interrupted with relative gap"), std::string::npos) << model.report.message;
      EXPECT_GT(model.report.relative_gap, 1e-9);
      EXPECT_EQ(observer.seen, model.report.trace);
      EXPECT_LE(model.report.iterations, iterations + 1);
      expect_finite(model);
      for (const Prediction& each : model.predict(dense(s.x))) EXPECT_TRUE(std::isfinite(each.score));
    }
  }
}

TEST(FitEdge, TimeAndPassesAreLimits) {
  const Sample s = sample(true, 40, 60, 9);
  Settings settings = with("exponential", 1e-5, 1e-9);
  settings.max_seconds = 1e-9;
  Model model = fit(dataset(s.x, s.y), settings);
  EXPECT_EQ(model.report.status, Status::limit);
  EXPECT_NE(model.report.message.find("its seconds were over"), std::string::npos) << model.report.message;
  EXPECT_NE(model.report.message.find("raise --max-seconds"), std::string::npos) << model.report.message;
  expect_finite(model);
  settings.max_seconds = HUGE_VAL;
  settings.max_passes = 20;
  model = fit(dataset(s.x, s.y), settings);
  EXPECT_EQ(model.report.status, Status::limit);
  EXPECT_NE(model.report.message.find("passes reached with relative gap"), std::string::npos) << model.report.message;
  EXPECT_NE(model.report.message.find("raise --max-passes"), std::string::npos) << model.report.message;
  expect_finite(model);
}

TEST(FitEdge, WhatWasLeftOpenIsRecorded) {
  const Sample s = sample(false, 20, 3, 10);
  const Model regression = fit(dataset(s.x, s.y));
  EXPECT_EQ(regression.task, Task::regress);
  EXPECT_EQ(regression.settings.task, Task::regress);
  EXPECT_EQ(regression.settings.margin, MarginKind::gaussian);
  EXPECT_EQ(regression.settings.scale, ScaleKind::standard);
  double mean = 0, square = 0;
  for (const double y : s.y) mean += y / 20;
  for (const double y : s.y) square += (y - mean) * (y - mean) / 20;
  EXPECT_NEAR(*regression.settings.c, std::sqrt(10 / square), 1e-12);
  EXPECT_FALSE(regression.settings.epsilon);
  Settings asked;
  asked.margin = MarginKind::tube;
  const Model tube = fit(dataset(s.x, s.y), asked);
  EXPECT_NEAR(*tube.settings.c, 10 / std::sqrt(square), 1e-12);
  EXPECT_NEAR(*tube.settings.epsilon, 0.1 * std::sqrt(square), 1e-12);
  asked.margin = MarginKind::automatic;
  asked.epsilon = 0.25;
  EXPECT_EQ(fit(dataset(s.x, s.y), asked).settings.margin, MarginKind::tube);
  EXPECT_NEAR(*regression.settings.prior_variance, square, 1e-12);

  const Sample labels = sample(true, 20, 3, 10);
  const Model classifier = fit(dataset(sparse(labels.x), labels.y));
  EXPECT_EQ(classifier.task, Task::classify);
  EXPECT_EQ(classifier.settings.margin, MarginKind::logistic);
  EXPECT_EQ(classifier.settings.scale, ScaleKind::maxabs);
  EXPECT_EQ(*classifier.settings.c, 1);
  EXPECT_EQ(*classifier.settings.prior_variance, 1);
  EXPECT_EQ(classifier.examples, 20);
}

// Few examples, tiny p0, large c: starts from which the features wandered without an end.
TEST(FitEdge, HardStartsConverge) {
  struct Case {
    std::string margin, bias, scale;
    double c;
    unsigned seed;
  };
  for (const Case& each : {Case{"hinge", "none", "none", 1e3, 17},
                           {"exponential", "none", "standard", 1e3, 16},
                           {"exponential", "none", "standard", 1e3, 33},
                           {"exponential", "none", "standard", 1e4, 33},
                           {"laplace", "flat", "none", 1e3, 50}}) {
    Settings settings = with(each.margin, 1e-8, 1e-6);
    set_option(settings, "bias", each.bias);
    set_option(settings, "scale", each.scale);
    settings.c = each.c;
    const Sample s = sample(true, 60, 10, each.seed);
    const Model model = fit(dataset(s.x, s.y), settings);
    EXPECT_EQ(model.report.status, Status::converged)
        << each.margin << " seed " << each.seed << ": " << model.report.message;
  }
}

// Repeated rows of bits: a valley of coefficients that leave the margins as they are, with a switch to turn off in it.
TEST(FitEdge, RepeatedRowsOfBitsConvergeAtLargeC) {
  const Rows x{{1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}, {0, 1}, {1, 0}};
  const std::vector<double> y{0, 1, 0, 0, 1, 1, 1};
  for (const std::string& margin : kClassifiers) {
    for (const double p0 : {1e-3, 1e-8}) {
      Settings settings = with(margin, p0, 1e-6);
      settings.c = 1e4;
      settings.scale = ScaleKind::none;
      const Model model = fit(dataset(x, y), settings);
      EXPECT_EQ(model.report.status, Status::converged) << margin << " p0 " << p0 << ": " << model.report.message;
    }
  }
}

// After this many questions it does without a model, as long as there is none.
class Impatient : public Observer {
 public:
  explicit Impatient(int patience) : patience_(patience) {}
  bool stop_requested() override {
    if (++asked > patience_ && certificates == 0) throw Interrupted();
    return asked > patience_;
  }
  void on_iteration(const TracePoint&) override { ++certificates; }
  int asked = 0, certificates = 0;

 private:
  int patience_;
};

TEST(FitEdge, IsGivenUpWhileDataArePreparedAndNothingIsCertified) {
  const Sample made = sample(true, 1200, 1000, 7);  // scaled in several blocks
  const Dataset data = dataset(made.x, made.y);
  Impatient early(1);
  EXPECT_THROW(fit(data, {}, &early), Interrupted);
  EXPECT_EQ(early.asked, 2);
  EXPECT_EQ(early.certificates, 0);
  Settings settings;
  settings.model = ModelKind::generative;
  Impatient of_families(3);
  EXPECT_THROW(fit(data, settings, &of_families), Interrupted);
  const std::vector<double> values{1, 0.1};
  Impatient of_path(1);
  EXPECT_THROW(fit_path(data, {}, Swept::p0, values, &of_path), Interrupted);
}

TEST(FitEdge, LeavesAModelHoweverEarlyTheEndIsAskedFor) {
  const Sample made = sample(true, 1200, 1000, 7);
  const Dataset data = dataset(made.x, made.y);
  class AtOnce : public Observer {
   public:
    bool stop_requested() override { return true; }
  } patient;  // asks for the end while data are prepared, but throws nothing
  const Model model = fit(data, {}, &patient);
  EXPECT_EQ(model.report.status, Status::interrupted);
  EXPECT_TRUE(std::isfinite(model.report.gap));
}

}  // namespace
}  // namespace medlar::test
