// Trees over categories: certified fits, and a dependence that independent columns cannot see.
#include <gtest/gtest.h>

#include <numeric>

#include "medlar/anomaly.hpp"
#include "medlar/error.hpp"
#include "medlar/explain.hpp"
#include "medlar/folds.hpp"
#include "medlar/models/generative/tree_tables.hpp"
#include "medlar/priors/families/tree_sums.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

// Bits a, b and c: in class 1 b repeats a, in class 0 it contradicts it; each alone is a fair coin.
Dataset dependent(std::size_t examples, unsigned seed) {
  std::mt19937_64 random(seed);
  std::bernoulli_distribution coin(0.5), noise(0.1);
  Rows x;
  std::vector<double> y;
  for (std::size_t t = 0; t < examples; ++t) {
    const bool label = t % 2 == 1, a = coin(random), b = (a == label) != noise(random);
    x.push_back({a ? 1.0 : 0.0, b ? 1.0 : 0.0, coin(random) ? 1.0 : 0.0});
    y.push_back(label);
  }
  return dataset(x, y);
}

Settings tree() {
  Settings settings;
  settings.model = ModelKind::generative;
  settings.family = FamilyKind::tree;
  settings.task = Task::classify;
  settings.calibration = CalibrationScores::left_out;
  return settings;
}

// Whatever was kept for a cell, the ratios are those of tables from which the example is gone.
TEST(TreeTables, LeftOutRatiosAreThoseOfTheOtherExamples) {
  const std::vector<std::vector<Index>> variables{{0}, {1, 2, 3}, {4}};
  std::mt19937_64 random(5);
  std::vector<std::vector<Index>> levels;
  std::vector<double> weights;
  for (std::size_t t = 0; t < 30; ++t) {
    const auto level = [&](std::uint64_t count) { return static_cast<Index>(random() % (count + 1)) - 1; };
    levels.push_back({level(2), level(3), level(2)});
    weights.push_back(t % 3 == 0 ? 1.0 : 0.25 * static_cast<double>(t % 7));  // more weights than are kept
  }
  PairCounts all(variables, 0.5);
  for (std::size_t t = 0; t < levels.size(); ++t) all.add(levels[t], weights[t]);
  LeftOutRatios left_out(all);
  std::vector<double> single(3), pair(3);
  for (std::size_t t = 0; t < levels.size(); ++t) {
    PairCounts others(variables, 0.5);
    for (std::size_t s = 0; s < levels.size(); ++s) {
      if (s != t) others.add(levels[s], weights[s]);
    }
    left_out.of(levels[t], weights[t], single, pair);
    for (Index v = 0; v < 3; ++v) {
      EXPECT_NEAR(single[static_cast<std::size_t>(v)], others.single(v, levels[t], 0), 1e-12) << t;
      for (Index u = 0; u < v; ++u) {
        EXPECT_NEAR(pair[static_cast<std::size_t>(v * (v - 1) / 2 + u)], others.pair(u, v, levels[t], 0), 1e-12) << t;
      }
    }
  }
}

double accuracy(const Model& model, const Dataset& data) {
  const auto predictions = model.predict(data.x);
  double right = 0;
  for (std::size_t t = 0; t < predictions.size(); ++t) {
    right += predictions[t].label == static_cast<Index>(data.target.values[t]);
  }
  return right / static_cast<double>(predictions.size());
}

TEST(TreeFit, SeesWhatIndependentColumnsCannot) {
  const Dataset train = dependent(200, 3), test = dependent(400, 4);
  const Model model = fit(train, tree());
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  EXPECT_GT(accuracy(model, test), 0.85);
  Settings apart = tree();
  apart.family = FamilyKind::bernoulli;
  EXPECT_LT(accuracy(fit(train, apart), test), 0.65);
  EXPECT_GT(model.predict(test.x)[0].sd, 0);
}

TEST(TreeFit, ReadsBackBitForBit) {
  const Dataset data = dependent(60, 5);
  const Model model = fit(data, tree());
  const Model again = model_from_json(to_json(model), "memory");
  EXPECT_EQ(again, model);
  EXPECT_EQ(again.predict(data.x)[3].score, model.predict(data.x)[3].score);
}

TEST(TreeFit, AMissingCellSaysNothing) {
  const Model model = fit(dependent(60, 6), tree());
  const double missing = std::nan("");
  EXPECT_NEAR(model.predict(dense({{missing, missing, missing}}))[0].score, model.bias, 1e-12);
  // Of the others: log p of each, and the log-ratio of an edge between two as far as that edge is probable.
  const std::vector<double> row{1, missing, 0};
  double wanted = model.bias;
  for (const std::size_t k : {0U, 1U}) {
    const GenerativeTree& tree = model.generative->trees[k];
    const double p = TreeSums(tree.weight, 3).edges()[1];  // the edge 0-2 comes after 0-1
    wanted += (k == 1 ? 1 : -1) * (tree.single[0][1] + tree.single[2][0] + p * tree.pair[1][2]);
  }
  EXPECT_NEAR(model.predict(dense({row}))[0].score, wanted, 1e-12);
}

// What is normal: b repeats a. A row where it does not is odd, though each of its bits is usual.
TEST(TreeAnomaly, FindsWhatIsOddInCompanyOnly) {
  Dataset normal = dependent(400, 7);
  std::vector<Index> repeats;
  for (Index t = 1; t < normal.examples(); t += 2) repeats.push_back(t);
  normal = subset(normal, repeats);
  normal.target = {}, normal.schema.target = "";
  Settings settings = tree();
  settings.task = Task::anomaly;
  settings.trim = 0;
  const Model model = fit(normal, settings);
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  const Matrix rows = dense({{1, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 1}});
  const auto predicted = model.predict(rows);
  for (std::size_t t = 0; t < 4; ++t) {
    EXPECT_EQ(predicted[t].score > predicted[2].score + 1, t < 2) << t;
    const auto parts = contributions(model, rows)[t];
    EXPECT_NEAR(std::accumulate(parts.begin(), parts.end(), 0.0), predicted[t].score, 1e-12);
    const Explanation why = explain(model, rows)[t];
    double sum = why.bias + why.added_by_others;
    for (const Contribution& each : why.largest) sum += each.added;
    EXPECT_NEAR(sum, predicted[t].score, 1e-12);
  }
  EXPECT_EQ(model_from_json(to_json(model), "memory"), model);
  // Under independent columns the two are alike.
  settings.family = FamilyKind::bernoulli;
  const auto apart = fit(normal, settings).predict(rows);
  EXPECT_NEAR(apart[0].score, apart[2].score, 0.5);
}

TEST(TreeAnomaly, IsRefusedWhatOnlyClassesHave) {
  Settings settings = tree();
  settings.task = Task::anomaly;
  settings.class_weight = ClassWeightKind::balanced;
  EXPECT_THROW(fit(dependent(40, 8), settings), OptionError);
}

TEST(TreeFit, LeadsOfTreesAreExplainedByColumns) {
  const Dataset data = dependent(60, 9);
  const Model model = fit(data, tree());
  const auto predicted = model.predict(data.x);
  const auto explained = explain(model, data.x);
  for (std::size_t t = 0; t < predicted.size(); ++t) {
    double score = explained[t].bias + explained[t].added_by_others;
    for (const Contribution& each : explained[t].largest) score += each.added;
    EXPECT_NEAR(score, predicted[t].score, 1e-12);
  }
}

}  // namespace
}  // namespace medlar::test
