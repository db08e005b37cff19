// Latent models of more than two classes: each class against the others for labels, all at once for what has no U left.
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>

#include "medlar/alignment.hpp"
#include "medlar/folds.hpp"
#include "medlar/scores_by_class.hpp"
#include "refusals/refusal.hpp"

namespace medlar::test {
namespace {

Settings classes_latent(const std::string& what, const std::string& mode = "anchored") {
  Settings settings;
  settings.model = ModelKind::latent;
  settings.task = Task::classify;
  set_option(settings, "latent", what);
  set_option(settings, "latent-mode", mode);
  settings.p0 = 1;
  settings.tolerance = 1e-7;
  return settings;
}

// Three clusters at the corners of a triangle; labels 0, 1, 2. Only the first `labelled` examples have one.
struct Corners {
  Dataset data;
  std::vector<double> truth;
};
Corners corners(std::size_t examples, std::size_t labelled, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Rows x;
  std::vector<double> y, truth;
  for (std::size_t t = 0; t < examples; ++t) {
    const auto label = static_cast<double>(t % 3);
    const double angle = 2.0944 * label;
    x.push_back({3 * std::cos(angle) + normal(random), 3 * std::sin(angle) + normal(random), 2 * normal(random)});
    truth.push_back(label);
    y.push_back(t < labelled ? label : NAN);
  }
  return {dataset(x, y), truth};
}

double share_right(const Model& model, const Matrix& x, const std::vector<double>& truth) {
  double right = 0;
  const auto predicted = model.predict(x);
  for (std::size_t t = 0; t < predicted.size(); ++t) right += static_cast<double>(predicted[t].label) == truth[t];
  return right / static_cast<double>(predicted.size());
}

TEST(LatentClasses, UnlabelledExamplesImproveTheFit) {
  const Corners some = corners(90, 6, 4);
  const Model model = fit(some.data, classes_latent("labels"));
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  EXPECT_EQ(model.labels, (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(model.latent->belief.size(), 270U);
  for (const double share : model.latent->share) EXPECT_DOUBLE_EQ(share, 1.0 / 3);
  EXPECT_GT(share_right(model, some.data.x, some.truth), 0.95);
  const Model supervised = fit(subset(some.data, std::vector<Index>{0, 1, 2, 3, 4, 5}), [] {
    Settings settings = with("exponential", 1);
    settings.task = Task::classify;
    return settings;
  }());
  EXPECT_GE(share_right(model, some.data.x, some.truth), share_right(supervised, some.data.x, some.truth));
  for (std::size_t r = 1; r < model.latent->kl.size(); ++r) {
    EXPECT_LE(model.latent->kl[r], model.latent->kl[r - 1] * (1 + 1e-12));
  }
  EXPECT_EQ(model_from_json(to_json(model), "m.json"), model);
}

// P(class k) is in proportion to e^{L_k}: with two classes, where L_1 = -L_0, this is the logistic of twice the score.
TEST(LatentClasses, ProbabilitiesAddUpAndTheWinnerHasTheLargest) {
  const Corners some = corners(60, 12, 5);
  for (const std::string mode : {"anchored", "literal"}) {
    Settings settings = classes_latent("labels", mode);
    settings.tolerance = 1e-5;
    const Model model = fit(some.data, settings);
    for (const Prediction& each : model.predict(some.data.x)) {
      ASSERT_EQ(each.probabilities.size(), 3U);
      EXPECT_NEAR(std::accumulate(each.probabilities.begin(), each.probabilities.end(), 0.0), 1, 1e-14);
      EXPECT_EQ(each.probability, *std::max_element(each.probabilities.begin(), each.probabilities.end()));
      EXPECT_EQ(each.probability, each.probabilities[static_cast<std::size_t>(each.label)]);
      EXPECT_GT(each.sd, 0);
    }
  }
}

// Certain labels: the sum of three linear fits, each of one label against the others.
TEST(LatentClasses, CertainLabelsGiveTheLinearFitOfEachClassAgainstTheOthers) {
  const Corners some = corners(60, 60, 6);
  for (const double p0 : {1.0, 0.1}) {
    Settings settings = classes_latent("labels");
    settings.p0 = p0;
    settings.prior_variance = 1;
    settings.tolerance = 1e-9;
    const Model all = fit(some.data, settings);
    double objective = 0, primal = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      Settings one = with("exponential", p0);
      one.prior_variance = 1;
      one.tolerance = 1e-9;
      one.positive = fmt::format("{}", k);
      const Model linear = fit(some.data, one);
      objective += linear.report.objective, primal += linear.report.primal;
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(all.multiclass->coefficient[3 * i + k], linear.features[i].coefficient, 1e-4);
      }
      EXPECT_NEAR(all.multiclass->class_bias[k], linear.bias, 1e-4);
    }
    EXPECT_NEAR(all.report.objective, objective, 1e-7 * primal);
    EXPECT_NEAR(all.report.primal, primal, 1e-7 * primal);
    EXPECT_LE(all.report.gap, 1e-9 * all.report.primal);
  }
}

TEST(LatentClasses, TransductionAddsExamples) {
  const Corners some = corners(30, 9, 7), more = corners(60, 0, 8);
  const Model model = fit(some.data, classes_latent("labels")), wider = transduce(model, more.data);
  EXPECT_EQ(wider.report.status, Status::converged) << wider.report.message;
  EXPECT_EQ(wider.latent->belief.size(), 270U);
  EXPECT_EQ(wider.latent->unlabelled.size(), 21U + 60U);
  EXPECT_GT(share_right(wider, more.data.x, more.truth), 0.95);
  EXPECT_EQ(model_from_json(to_json(wider), "m.json"), wider);
}

TEST(LatentClasses, BelievedLabelsOfSeveralClasses) {
  Corners some = corners(120, 120, 9);
  std::mt19937_64 random(1);
  for (double& y : some.data.target.values) y = random() % 4 == 0 ? static_cast<double>(random() % 3) : y;
  some.data.beliefs.assign(120, 0.85);
  const Model model = fit(some.data, classes_latent("labels"));
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  EXPECT_NEAR(model.latent->belief[0] + model.latent->belief[1] + model.latent->belief[2], 1, 1e-12);
  EXPECT_GT(share_right(model, some.data.x, some.truth), 0.95);
}

// A bump at a random place whose width tells the class.
Corners widths(std::size_t examples, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Rows rows;
  std::vector<double> y;
  for (std::size_t t = 0; t < examples; ++t) {
    const auto label = static_cast<double>(t % 3);
    const double place = 6.0 + static_cast<double>(random() % 5);
    rows.emplace_back();
    for (int i = 0; i < 17; ++i) {
      const double apart = (i - place) / (0.8 + label);
      rows.back().push_back(4 * std::exp(-0.5 * apart * apart) + 0.2 * normal(random));
    }
    y.push_back(label);
  }
  return {dataset(rows, y), y};
}

TEST(LatentClasses, ShiftsOfSeveralClasses) {
  const Corners train = widths(45, 1), test = widths(120, 2);
  const Model model = fit(train.data, classes_latent("shifts:2"));
  EXPECT_EQ(model.report.status, Status::converged);
  EXPECT_GT(share_right(model, test.data.x, test.truth), 0.97);
  const Prediction first = model.predict(test.data.x).front();
  EXPECT_NEAR(std::accumulate(first.probabilities.begin(), first.probabilities.end(), 0.0), 1, 1e-14);
  EXPECT_EQ(model_from_json(to_json(model), "m.json"), model);
}

// A step at a random time to one of three levels; how the number of states and the rest are chosen knows all classes.
Corners levels(std::size_t examples, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Index> starts{0};
  std::vector<Column> columns;
  std::vector<double> values, y;
  std::size_t longest = 0;
  for (std::size_t t = 0; t < examples; ++t) {
    const std::size_t length = 15 + random() % 10, change = 4 + random() % 8;
    longest = std::max(longest, length);
    for (std::size_t tau = 0; tau < length; ++tau) {
      values.push_back((tau < change ? 0 : 3 + static_cast<double>(t % 3)) + 0.4 * normal(random));
      columns.push_back(static_cast<Column>(tau));
    }
    starts.push_back(static_cast<Index>(values.size()));
    y.push_back(static_cast<double>(t % 3));
  }
  Corners all{
      dataset(Matrix::sparse(static_cast<Index>(examples), static_cast<Index>(longest), starts, columns, values), y),
      y};
  all.data.schema.channels = 1;
  all.data.schema.columns.clear();
  return all;
}

TEST(LatentClasses, AlignmentOfSeveralClassesIsChosenByCrossValidation) {
  const Corners train = levels(45, 3), test = levels(90, 4);
  Settings settings = classes_latent("alignment:1,2");
  settings.state_statistics = StateStatistics::levels;
  const Model model = fit(train.data, settings);
  EXPECT_EQ(text_of(model.settings.latent), "alignment:2");
  EXPECT_EQ(model.labels.size(), 3U);
  EXPECT_GT(share_right(model, test.data.x, test.truth), 0.93);
  EXPECT_EQ(expected_alignment(model, test.data.x).size(), 90U);
  EXPECT_EQ(model_from_json(to_json(model), "m.json"), model);
}

// The paper's alternation knows two classes: more are as many fits, each of one label against the others.
TEST(LatentClasses, LiteralFitsAreThoseOfEachClassAgainstTheOthers) {
  const Corners shifted = widths(24, 1), aligned = levels(18, 3), moved = corners(30, 30, 2);
  const std::string file = testing::TempDir() + "direction.csv";
  std::ofstream(file) << "0,0,1\n";
  for (const auto& [what, some] :
       {std::pair{std::string("shifts:2"), &shifted}, {"alignment:2", &aligned}, {"translation:" + file, &moved}}) {
    Settings settings = classes_latent(what, "literal");
    settings.tolerance = 1e-5;
    settings.prior_variance = 0.2;
    const Model all = fit(some->data, settings);
    EXPECT_EQ(all.report.status, Status::converged) << what << ": " << all.report.message;
    const std::vector<std::vector<double>> scores = scores_by_class(all, some->data.x);
    const std::vector<Prediction> predicted = all.predict(some->data.x);
    double primal = 0, last = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      settings.positive = fmt::format("{}", k);
      const Model one = fit(some->data, settings);
      primal += one.report.primal, last += one.latent->kl.back();
      const std::vector<Prediction> alone = one.predict(some->data.x);
      for (std::size_t t = 0; t < alone.size(); ++t) EXPECT_NEAR(scores[t][k], alone[t].score, 1e-12) << what;
    }
    EXPECT_NEAR(all.report.primal, primal, 1e-12 * primal);
    EXPECT_NEAR(all.latent->kl.back(), last, 1e-12 * last);
    for (std::size_t r = 1; r < all.latent->kl.size(); ++r) {
      EXPECT_LE(all.latent->kl[r], all.latent->kl[r - 1] * (1 + 1e-12));
    }
    for (std::size_t t = 0; t < predicted.size(); ++t) {
      const auto best = std::max_element(scores[t].begin(), scores[t].end());
      EXPECT_EQ(predicted[t].label, best - scores[t].begin());
      EXPECT_DOUBLE_EQ(predicted[t].score, *best);
      double sum = 0;
      for (const double score : scores[t]) sum += std::exp(score - *best);
      EXPECT_NEAR(predicted[t].probability, 1 / sum, 1e-14);
    }
    EXPECT_EQ(model_from_json(to_json(all), "m.json"), all);
  }
}

TEST(LatentClasses, Refuse) {
  Corners some = corners(30, 9, 4);
  Settings settings = classes_latent("labels");
  settings.balance = {BalanceKind::share, 0.4};
  expect_option_error(some.data, settings,
                      "balance = 0.4 is the share of one class, but there are 3; use auto or none");
  Corners uncounted = corners(30, 30, 4);
  for (const double y : uncounted.truth) uncounted.data.weights.push_back(y == 2 ? 0 : 1);
  expect_data_error(uncounted.data, classes_latent("shifts:1", "literal"),
                    "no example of the label '2' counts: its flat bias would be unbounded; add examples of it, or use "
                    "--bias VARIANCE");
}

}  // namespace
}  // namespace medlar::test
