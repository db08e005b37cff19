// Clusters of near-duplicates, curves from score to probability, and that a model file keeps all of it.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "medlar/error.hpp"
#include "medlar/metrics.hpp"
#include "medlar/selection.hpp"
#include "medlar/tune.hpp"
#include "models/fit_data.hpp"

namespace medlar {
namespace {

// Features 0, 3 and 5 are nearly the same (5 turned about), 1 and 4 correlate by about 0.9, the others not at all.
Dataset with_twins(unsigned seed, int examples = 200) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  test::Rows x;
  std::vector<double> y;
  for (int t = 0; t < examples; ++t) {
    std::vector<double> row(7);
    for (double& each : row) each = normal(random);
    row[3] = 5 * row[0] + 0.3 * normal(random);
    row[5] = -row[0] + 0.03 * normal(random);
    row[4] = row[1] + 0.5 * normal(random);
    y.push_back(row[0] + 0.5 * row[1] + normal(random) > 0 ? 1 : -1);
    x.push_back(std::move(row));
  }
  return test::dataset(x, std::move(y));
}

TEST(Clusters, AreOfNearDuplicatesEitherWay) {
  const Dataset data = with_twins(1);
  const Model model = fit(data, {});
  const Clusters found = find_clusters(model, data, 0.95);
  ASSERT_EQ(found.list.size(), 1u);
  const Cluster& cluster = found.list[0];
  std::vector<Index> members = cluster.members;
  std::sort(members.begin(), members.end());
  EXPECT_EQ(members, (std::vector<Index>{0, 3, 5}));
  double none = 1, coefficient = 0, largest = 0;
  for (const Index i : members) {
    const Feature& feature = model.features[static_cast<std::size_t>(i)];
    none *= 1 - feature.inclusion;
    largest = std::max(largest, feature.inclusion);
    coefficient += (i == 5 ? -1 : 1) * feature.coefficient;
  }
  EXPECT_NEAR(cluster.inclusion, 1 - none, 1e-12);
  EXPECT_NEAR(std::abs(cluster.coefficient), std::abs(coefficient), 1e-12);
  EXPECT_EQ(model.features[static_cast<std::size_t>(cluster.members[0])].inclusion, largest);
  EXPECT_EQ(find_clusters(model, data, 0.8).list.size(), 2u);
  EXPECT_TRUE(find_clusters(model, data, 0.9999).list.empty());
  EXPECT_THROW(find_clusters(model, data, 0), OptionError);
  EXPECT_THROW(find_clusters(model, data, 1.5), OptionError);
}

// Levels of one category have one switch, which counts once.
TEST(Clusters, CountASharedSwitchOnce) {
  test::Rows x;
  std::vector<double> y;
  for (int t = 0; t < 40; ++t) {
    const double a = t % 2;
    x.push_back({a, 1 - a, static_cast<double>(t % 5)});
    y.push_back(t % 3 == 0 ? 1 - 2 * a : 2 * a - 1);
  }
  Dataset data = test::dataset(x, std::move(y));
  data.group_of = {0, 0, 1};
  data.group_names = {"kind", "f2"};
  const Model model = fit(data, {});
  ASSERT_EQ(model.features[0].group, model.features[1].group);
  const Clusters found = find_clusters(model, data, 0.99);
  ASSERT_EQ(found.list.size(), 1u);
  EXPECT_NEAR(found.list[0].inclusion, model.features[0].inclusion, 1e-12);
}

FitPart fit_with(const Settings& settings) {
  return [settings](const Dataset& part, Observer* observer) { return fit(part, settings, observer); };
}

// Labels are drawn from a known logistic curve; the model's own probabilities are far too sure at c = 50.
TEST(Recalibration, BringsProbabilitiesNearTheTruth) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  test::Rows x;
  std::vector<double> y, truth;
  for (int t = 0; t < 1600; ++t) {
    std::vector<double> row(10);
    for (double& each : row) each = normal(random);
    truth.push_back(1 / (1 + std::exp(-row[0] + row[1])));
    y.push_back(uniform(random) < truth.back() ? 1 : -1);
    x.push_back(std::move(row));
  }
  const Dataset all = test::dataset(x, y);
  std::vector<Index> first(800), second(800);
  for (Index t = 0; t < 800; ++t) first[static_cast<std::size_t>(t)] = t, second[static_cast<std::size_t>(t)] = 800 + t;
  const Dataset data = subset(all, first), others = subset(all, second);
  Settings settings;
  settings.p0 = 1;
  settings.margin = MarginKind::exponential;  // its scores are no log odds
  Model model = fit(data, settings);
  const auto error_of = [&] {
    double sum = 0;
    const auto predicted = model.predict(others.x);
    for (std::size_t t = 0; t < 800; ++t) sum += std::abs(predicted[t].probability - truth[800 + t]);
    return sum / 800;
  };
  const double own = error_of();
  const auto scores = model.predict(others.x);
  for (const CurveKind kind : {CurveKind::platt, CurveKind::isotonic}) {
    model.recalibration = recalibrate(model, data, kind, 5, fit_with(settings));
    ASSERT_TRUE(model.recalibration);
    const Recalibration& curve = *model.recalibration;
    EXPECT_LT(error_of(), 0.06) << word_of(kind);  // of 800 examples a share has a standard error of about 0.03
    EXPECT_LT(error_of(), 0.5 * own) << word_of(kind);
    EXPECT_LT(curve.after.brier, curve.before.brier) << word_of(kind);
    EXPECT_LT(curve.after.error, curve.before.error) << word_of(kind);
    double examples = 0;
    for (const CalibrationBin& bin : curve.after.bins) examples += static_cast<double>(bin.examples);
    EXPECT_EQ(examples, 800);
    const auto now = model.predict(others.x);
    for (std::size_t t = 0; t < 800; ++t) EXPECT_EQ(now[t].score, scores[t].score);
    for (std::size_t s = 0; s + 1 < 800; ++s) {  // never falls with the score
      const std::size_t low = scores[s].score < scores[s + 1].score ? s : s + 1, high = s + (s + 1) - low;
      EXPECT_LE(now[low].probability, now[high].probability);
    }
    EXPECT_EQ(model_from_json(to_json(model), "here"), model);
  }
  model.recalibration.reset();
  settings.task = Task::regress;
  EXPECT_THROW(recalibrate(fit(data, settings), data, CurveKind::platt, 5, fit_with(settings)), OptionError);
}

TEST(Trust, IsKeptByAModelFile) {
  const Dataset data = with_twins(2, 80);
  StabilityOptions how;
  how.refits = 4;
  Model model = fit(data, {});
  model.stability = measure_stability(data, {}, how);
  model.discoveries = discover(data, {}, {0.5});
  model.clusters = find_clusters(model, data);
  model.tuning = tune(data, {}, usual_candidates(data, {}, true), {}, held_out_score);
  model.tuning->chosen = model.tuning->one_se;
  ASSERT_TRUE(model.stability && model.discoveries && !model.clusters->list.empty());
  const std::string text = to_json(model);
  EXPECT_EQ(model_from_json(text, "here"), model);
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t place = changed.find(from);
    ASSERT_NE(place, std::string::npos) << from;
    changed.replace(place, from.size(), to);
    EXPECT_THROW(model_from_json(changed, "here"), DataError) << to;
  };
  refused("\"fraction\": [", "\"fraction\": [0.5, ");
  refused("\"statistic\": [", "\"statistic\": [0.5, ");
  refused("\"probability\": [", "\"probability\": [0.5, ");
  refused("\"members\": [", "\"members\": [99, ");
  refused("\"chosen\": ", "\"chosen\": 99");
}

}  // namespace
}  // namespace medlar
