// Models of latent labels as a user meets them: what they learn, keep, predict and refuse.
#include <gtest/gtest.h>

#include "medlar/folds.hpp"
#include "refusals/refusal.hpp"

namespace medlar::test {
namespace {

Settings labels_latent(const std::string& mode = "anchored") {
  Settings settings;
  settings.model = ModelKind::latent;
  settings.latent = LatentKind::labels;
  set_option(settings, "latent-mode", mode);
  settings.p0 = 1;
  settings.tolerance = 1e-8;
  return settings;
}

// Two clusters far apart along both axes, 2 labelled examples of each, the rest without a label.
struct Clusters {
  Dataset data;
  std::vector<double> truth;
};
Clusters clusters(std::size_t examples = 60, unsigned seed = 4) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Rows x;
  std::vector<double> y, truth;
  for (std::size_t t = 0; t < examples; ++t) {
    const double label = t % 2 == 0 ? 1 : -1;
    x.push_back({label * 2 + normal(random), label * 2 + normal(random), 3 * normal(random)});
    truth.push_back(label);
    y.push_back(t < 4 ? label : NAN);
  }
  return {dataset(x, y), truth};
}

double accuracy(const Model& model, const Clusters& from) {
  double right = 0;
  const auto predicted = model.predict(from.data.x);
  for (std::size_t t = 0; t < predicted.size(); ++t) right += (predicted[t].label == 1) == (from.truth[t] > 0);
  return right / static_cast<double>(predicted.size());
}

TEST(LatentModel, UnlabelledExamplesImproveTheFit) {
  const Clusters some = clusters();
  const Model model = fit(some.data, labels_latent());
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  EXPECT_LE(model.report.relative_gap, 1e-8);
  ASSERT_TRUE(model.latent);
  EXPECT_EQ(model.latent->unlabelled.size(), 56U);
  EXPECT_EQ(model.latent->share, std::vector<double>{0.5});
  const Model supervised = fit(subset(some.data, std::vector<Index>{0, 1, 2, 3}), with("exponential", 1));
  EXPECT_GT(accuracy(model, some), 0.95);
  EXPECT_GT(accuracy(model, some), accuracy(supervised, some));
}

// Without the balance all labels turn to one class, and the flat bias runs away.
TEST(LatentModel, BeliefsUnderASmallVarianceDoNotCollapse) {
  Clusters noisy = clusters(80, 9);
  for (std::size_t t = 0; t < noisy.truth.size(); ++t) {
    noisy.data.target.values[t] = t % 20 < 6 ? -noisy.truth[t] : noisy.truth[t];
  }
  noisy.data.beliefs.assign(80, 0.7);
  Settings settings = labels_latent();
  settings.scale = ScaleKind::none;
  settings.prior_variance = 1e-3;
  settings.tolerance = 1e-6;
  const Model model = fit(noisy.data, settings);
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  EXPECT_LT(std::abs(model.bias), 1);
  EXPECT_GT(accuracy(model, noisy), 0.8);
  EXPECT_EQ(model.latent->share.size(), 1U);
  settings.bias = {BiasKind::variance, 1};  // no flat bias, no balance
  EXPECT_TRUE(fit(noisy.data, settings).latent->share.empty());
}

TEST(LatentModel, TheProbabilityIsALogisticOfTwiceTheScore) {
  const Clusters some = clusters();
  for (const Prediction& each : fit(some.data, labels_latent()).predict(some.data.x)) {
    EXPECT_NEAR(each.probability, 0.5 * (1 + std::tanh(each.score)), 1e-14);
    EXPECT_EQ(each.label, each.score > 0 ? 1 : 0);
  }
}

TEST(LatentModel, CertainBeliefsGiveTheLinearFit) {
  const Sample drawn = sample(true, 50, 5, 21);
  Dataset data = dataset(drawn.x, drawn.y);
  for (const double p0 : {1.0, 0.05}) {
    Settings settings = with("exponential", p0);
    settings.prior_variance = 1;
    const Model linear = fit(data, settings);
    settings.model = ModelKind::latent, settings.latent = LatentKind::labels;
    Dataset believed = data;
    believed.beliefs.assign(50, 1.0);
    for (std::size_t t = 0; t < 50; t += 3)
      believed.target.values[t] *= -1, believed.beliefs[t] = 0;  // surely the other
    for (const std::string mode : {"anchored", "literal"}) {
      set_option(settings, "latent-mode", mode);
      const Model latent_model = fit(believed, settings);
      expect_same_fit(linear, latent_model, data.x, 1e-4);
      EXPECT_NEAR(linear.bias, latent_model.bias, 1e-4);
    }
  }
}

// Believed at beta and Q = P0, the rows shrink to 2 beta - 1: the first round of the alternation is the fit of known
// labels with prior variance v (2 beta - 1)^2. The report's trace holds its primal value.
TEST(LatentModel, TheFirstRoundOfBelievedLabelsIsASupervisedFitWithASmallerVariance) {
  const Sample drawn = sample(true, 40, 4, 5);
  Dataset data = dataset(drawn.x, drawn.y);
  Settings settings = with("exponential", 1);
  settings.prior_variance = 2 * 0.6 * 0.6;
  const Model linear = fit(data, settings);
  data.beliefs.assign(40, 0.8);
  settings = labels_latent("literal");
  settings.prior_variance = 2;
  settings.tolerance = 1e-9;
  const Model model = fit(data, settings);
  EXPECT_NEAR(model.report.trace.front().primal, linear.report.primal, 1e-7 * linear.report.primal);
}

TEST(LatentModel, ReadsBackToTheSameBits) {
  for (const bool is_sparse : {false, true}) {
    Clusters some = clusters(20);
    some.data.weights.assign(20, 1.0);
    some.data.weights[7] = 0;
    if (is_sparse) {
      Rows rows;
      for (Index t = 0; t < 20; ++t) {
        rows.emplace_back();
        for_each(some.data.x.row(t), [&](Index i, double value) { rows.back().push_back(i == t % 3 ? 0 : value); });
      }
      some.data.x = sparse(rows);
    }
    const Model model = fit(some.data, labels_latent());
    EXPECT_EQ(model.latent->belief.size(), 19U);
    EXPECT_EQ(model_from_json(to_json(model), "m.json"), model);
  }
}

TEST(LatentModel, TransductionAddsExamplesToTheFit) {
  const Clusters some = clusters(40), more = clusters(30, 9);
  Settings settings = labels_latent();
  settings.scale = ScaleKind::none;
  const Model model = fit(some.data, settings);
  const Model wider = transduce(model, more.data);
  EXPECT_EQ(wider.report.status, Status::converged) << wider.report.message;
  EXPECT_EQ(wider.latent->unlabelled.size(), 36U + 30U);
  EXPECT_GT(accuracy(wider, more), 0.95);
  // The same as one fit of all of them, here where both end in the one minimum.
  Rows rows;
  std::vector<double> y;
  for (const Dataset* part : {&some.data, &more.data}) {
    for (Index t = 0; t < part->examples(); ++t) {
      rows.emplace_back();
      for_each(part->x.row(t), [&](Index, double value) { rows.back().push_back(value); });
      y.push_back(part == &some.data && t < 4 ? part->target.values[static_cast<std::size_t>(t)] : NAN);
    }
  }
  settings.prior_variance = model.settings.prior_variance;
  const Model whole = fit(dataset(rows, y), settings);
  EXPECT_NEAR(wider.latent->kl.back(), whole.latent->kl.back(), 1e-6 * whole.latent->kl.back());
  const auto here = wider.predict(more.data.x), there = whole.predict(more.data.x);
  for (std::size_t t = 0; t < here.size(); ++t) EXPECT_NEAR(here[t].score, there[t].score, 1e-2);
}

TEST(LatentModel, Refuses) {
  Dataset data = clusters(20).data;
  Settings settings = labels_latent();
  settings.latent = LatentKind::none;
  expect_option_error(data, settings,
                      "model = latent needs to know what is latent; use --latent labels, shifts:R, matrices:FILE, "
                      "translation:FILE or alignment:S");
  settings = labels_latent();
  settings.model = ModelKind::linear;
  expect_option_error(data, settings, "latent = labels, but model = linear; use --model latent");
  settings = labels_latent();
  settings.margin = MarginKind::hinge;
  expect_option_error(
      data, settings,
      "margin = hinge has no margin prior, which latent labels need; use exponential, laplace, gaussian or logistic");
  settings = labels_latent();
  settings.bias = BiasKind::none;
  expect_option_error(data, settings,
                      "bias = none, but the balance constraint sets the bias; use --bias flat or --balance none");
  settings = labels_latent("literal");
  settings.balance = {BalanceKind::share, 0.4};
  expect_option_error(data, settings,
                      "balance = 0.4, but latent-mode = literal has no balance constraint; leave it at auto");
  settings = labels_latent("literal");
  settings.unlabelled_weight = 0.5;
  expect_option_error(data, settings,
                      "unlabelled-weight = 0.5, but latent-mode = literal has no use for it; leave it out");
  settings = labels_latent();
  settings.epsilon = 0.5;
  expect_option_error(data, settings,
                      "epsilon = 0.5, but a fit by descent on the total KL has no use for it; leave it out");
  settings = labels_latent();
  settings.solver = SolverKind::newton;
  expect_option_error(data, settings,
                      "solver = newton, but latent labels have a solver of their own; leave it at auto");
  Dataset none = data;
  none.target.values.assign(20, NAN);
  expect_data_error(none, labels_latent(), "memory: no example has a label; latent labels need some of each class");
  Dataset one = data;
  for (double& value : one.target.values) value = value > 0 ? 1 : NAN;
  expect_data_error(one, labels_latent(),
                    "memory: no example is labelled 'not 1'; latent labels need some of each class");
  Dataset unsure = data;
  unsure.beliefs.assign(20, 1.2);
  expect_data_error(unsure, labels_latent(), "memory: a label belief is 1.2, but must lie in [0, 1]");
  unsure.beliefs.assign(20, 0.9);
  Settings linear;
  expect_option_error(
      unsure, linear,
      "the labels are only believed (label-belief), but model = linear; use --model latent --latent labels");
  const Model plain = fit(classes(), {});
  expect_sentence<OptionError>(
      [&] { transduce(plain, data); },
      "the model is linear and keeps no examples to which others could be added; train it with --model latent --latent "
      "labels");
}

}  // namespace
}  // namespace medlar::test
