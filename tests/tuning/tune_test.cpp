// The choice of settings: the rules by a table made by hand, warm paths against cold fits, no leak between folds,
// refits of few features, and an early end.
#include "medlar/tune.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <random>

#include "medlar/error.hpp"
#include "medlar/metrics.hpp"
#include "models/fit_data.hpp"

namespace medlar {
namespace {

using test::dataset;
using test::Rows;

TuneScore score(double mean, double standard_error, double selected, double p0 = 1) {
  TuneScore made;
  made.mean = mean;
  made.standard_error = standard_error;
  made.selected = selected;
  made.candidate.p0 = p0;
  return made;
}

TEST(Tune, RulesByHand) {
  Tuning tuning;
  tuning.scores = {score(0.80, 0.01, 50), score(0.90, 0.03, 40), score(0.88, 0.01, 12), score(0.871, 0.01, 9),
                   score(0.869, 0.01, 3)};
  choose(tuning);
  EXPECT_EQ(tuning.best, 1u);
  EXPECT_EQ(tuning.one_se, 3u);     // 0.871 >= 0.90 - 0.03 > 0.869
  tuning.higher_is_better = false;  // as a loss: 0.80 + 0.01 is below all others
  choose(tuning);
  EXPECT_EQ(tuning.best, 0u);
  EXPECT_EQ(tuning.one_se, 0u);
  tuning.scores = {score(0.5, 0.1, 4, 1), score(0.5, 0.1, 4, 1e-3), score(0.5, 0.1, 2, 0.1)};
  choose(tuning);
  EXPECT_EQ(tuning.best, 2u);
  tuning.scores = {score(0.5 - 1e-16, 0.1, 4, 1), score(0.5, 0.1, 4, 1e-3), score(0.5, 0.1, 4, 0.1)};
  choose(tuning);  // of means that are equal up to rounding, and of as many features, the least p0
  EXPECT_EQ(tuning.best, 1u);
  tuning.scores = {score(1, 0, 40), score(1, 0, 1)};
  tuning.scores[1].candidate.ranking = Ranking{};
  choose(tuning);  // of equals the refit to few features is the simpler, and not the better
  EXPECT_EQ(tuning.best, 0u);
  EXPECT_EQ(tuning.one_se, 1u);
}

TEST(Tune, WhatWasDroppedIsNotChosen) {
  Tuning tuning;
  tuning.scores = {score(0.95, 0.01, 1), score(0.90, 0.03, 40), score(0.89, 0.01, 2)};
  tuning.scores[0].dropped = tuning.scores[2].dropped = true;
  choose(tuning);
  EXPECT_EQ(tuning.best, 1u);
  EXPECT_EQ(tuning.one_se, 1u);
}

// Every candidate on every fold.
TuneOptions whole(Index folds, Index repeats) {
  TuneOptions how;
  how.folds = folds;
  how.repeats = repeats;
  how.exhaustive = true;
  return how;
}

// 90 examples, 20 features; the first two decide.
Dataset two_of_twenty(bool classify, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Rows x;
  std::vector<double> y;
  for (int t = 0; t < 90; ++t) {
    std::vector<double> row(20);
    for (double& each : row) each = normal(random);
    const double f = row[0] - row[1] + 0.5 * normal(random);
    y.push_back(!classify ? f : f > 0 ? 1 : -1);
    x.push_back(std::move(row));
  }
  return dataset(x, std::move(y));
}

std::vector<TuneCandidate> three_by_two() {
  std::vector<TuneCandidate> grid;
  for (const double p0 : {1e-4, 1.0, 1e-2}) {
    for (const double c : {1.5, 4.0}) grid.push_back({p0, c, {}, {}});
  }
  return grid;
}

// Under a small p0 no inclusion may be above 1/2; features whose coefficients matter are in use all the same.
TEST(Tune, FeaturesOfSeveralClassesAreCountedByTheirCoefficients) {
  Dataset data = two_of_twenty(false, 3);
  for (double& each : data.target.values) each = each < -0.5 ? 0 : each < 0.5 ? 1 : 2;
  Settings settings;
  settings.task = Task::classify;
  const std::vector<TuneCandidate> grid{{1e-2, 3, {}, {}}, {1.0, 3, {}, {}}};
  const Tuning tuned = tune(data, settings, grid, whole(3, 1), held_out_score);
  EXPECT_GE(tuned.scores[0].selected, 2);
  EXPECT_EQ(tuned.scores[1].selected, 20);
}

// A warm path ends at the same optimum as a cold fit, up to the tolerance of each.
TEST(Tune, AgreesWithColdFits) {
  for (const bool classify : {true, false}) {
    const Dataset data = two_of_twenty(classify, 3);
    const auto grid = three_by_two();
    Settings settings;
    settings.tolerance = 1e-9;
    const Tuning warm = tune(data, settings, grid, whole(4, 1), held_out_score);
    const auto folds = folds_from(assign_folds(data.target, data.examples(), 4, settings.seed));
    ASSERT_EQ(warm.scores.size(), grid.size());
    EXPECT_EQ(warm.metric, classify ? "margin-loss" : "rmse");
    for (std::size_t k = 0; k < grid.size(); ++k) {
      EXPECT_EQ(warm.scores[k].candidate, grid[k]);
      Settings tried = settings;
      tried.p0 = grid[k].p0;
      tried.c = grid[k].c;
      for (std::size_t fold = 0; fold < 4; ++fold) {
        const Model cold = fit(subset(data, folds[fold].fitted), tried);
        const double value = held_out_score(cold, subset(data, folds[fold].left_out)).value;
        EXPECT_NEAR(warm.scores[k].folds[fold], value, 2e-3) << k << " " << fold;
      }
    }
  }
}

TEST(Tune, NeverShowsAFitTheExamplesItIsMeasuredOn) {
  std::atomic<Index> measured = 0;
  const std::vector<TuneCandidate> grid{{0.5, 3.0, {}, {}}};
  const Tuning tuned =
      tune(two_of_twenty(true, 2), {}, grid, whole(5, 1), [&](const Model& model, const Dataset& left_out) {
        EXPECT_EQ(model.examples, 72);
        measured += left_out.examples();
        return held_out_score(model, left_out);
      });
  EXPECT_EQ(measured, 90);
  EXPECT_EQ(tuned.scores[0].folds.size(), 5u);
}

TEST(Tune, StandardErrorIsThatOfTheMean) {
  std::atomic<int> next = 0;
  const std::vector<TuneCandidate> grid{{1, 3.0, {}, {}}};
  const Tuning tuned = tune(two_of_twenty(true, 2), {}, grid, whole(4, 1), [&](const Model&, const Dataset&) {
    return Measured{"made up", static_cast<double>(next++), true};  // 0, 1, 2, 3: mean 1.5, variance 5/3
  });
  EXPECT_DOUBLE_EQ(tuned.scores[0].mean, 1.5);
  EXPECT_DOUBLE_EQ(tuned.scores[0].standard_error, std::sqrt(5.0 / 3 / 4));
}

TEST(Tune, FoldsMayBeGiven) {
  const Dataset data = two_of_twenty(true, 2);
  const std::vector<TuneCandidate> grid{{1, 3.0, {}, {}}};
  TuneOptions how;
  how.given = folds_from(assign_folds(data.target, data.examples(), 5, Settings{}.seed));
  TuneOptions dealt;
  dealt.repeats = 1;
  EXPECT_EQ(tune(data, {}, grid, how, held_out_score), tune(data, {}, grid, dealt, held_out_score));
  how.given[0].fitted.push_back(90);
  EXPECT_THROW(tune(data, {}, grid, how, held_out_score), OptionError);
  how.given.resize(1);
  how.given[0] = {{0, 1, 2, 3}, {}};
  EXPECT_THROW(tune(data, {}, grid, how, held_out_score), OptionError);
  EXPECT_THROW(tune(data, {}, {}, {}, held_out_score), OptionError);
}

// Rows of one group are alike; folds that part them would measure on what was fitted.
TEST(Tune, GroupsAreNotParted) {
  Dataset data = two_of_twenty(true, 2);
  for (Index t = 0; t < 90; ++t) data.fold_group.push_back(t / 3);
  const std::vector<TuneCandidate> grid{{1, 3.0, {}, {}}};
  tune(data, {}, grid, whole(5, 1), [&](const Model& model, const Dataset& left_out) {
    for (const Index group : left_out.fold_group) {
      EXPECT_EQ(std::count(left_out.fold_group.begin(), left_out.fold_group.end(), group), 3);
    }
    return held_out_score(model, left_out);
  });
}

TEST(Tune, DoesNotDependOnThreads) {
  const Dataset data = two_of_twenty(true, 4);
  Settings one, three;
  one.threads = 1;
  three.threads = 3;
  const auto grid = three_by_two();
  const Tuning a = tune(data, one, grid, whole(5, 2), held_out_score),
               b = tune(data, three, grid, whole(5, 2), held_out_score);
  ASSERT_EQ(a.scores.size(), grid.size());
  for (std::size_t k = 0; k < grid.size(); ++k) {
    EXPECT_EQ(a.scores[k].folds, b.scores[k].folds);
    EXPECT_EQ(a.scores[k].folds.size(), 10u);
  }
  EXPECT_EQ(a.best, b.best);
}

// Repetitions cut the data differently, also where all targets differ.
TEST(Tune, RepetitionsOfARegressionDiffer) {
  const std::vector<TuneCandidate> one{{1e-2, {}, {}, {}}};
  const Tuning tuned = tune(two_of_twenty(false, 5), {}, one, whole(5, 3), held_out_score);
  const std::vector<double>& folds = tuned.scores[0].folds;
  ASSERT_EQ(folds.size(), 15u);
  for (std::size_t repeat = 0; repeat < 2; ++repeat) {
    const auto from = folds.begin() + static_cast<std::ptrdiff_t>(5 * repeat);
    EXPECT_NE(std::vector<double>(from, from + 5), std::vector<double>(from + 5, from + 10));
  }
}

// The label is a coin toss; one feature is the fold of its row. A fit on the other folds never saw that number, so the
// AUC of the folds stays near one half: 60 examples, whose mean AUC over 5 folds has sd 0.07; the bound is 4 of them.
TEST(Tune, TheFoldOfARowDoesNotHelp) {
  std::mt19937_64 random(8);
  std::vector<double> y;
  for (int t = 0; t < 60; ++t) y.push_back(t % 2 == 0 ? 1 : -1);
  Rows x(60, std::vector<double>(2));
  Dataset data = dataset(x, y);
  const std::vector<Index> fold_of = assign_folds(data.target, 60, 5, 1);
  std::normal_distribution<double> normal;
  for (std::size_t t = 0; t < 60; ++t) x[t] = {static_cast<double>(fold_of[t]), normal(random)};
  data.x = test::dense(x);
  const std::vector<TuneCandidate> grid{{1, {}, {}, {}}, {1e-3, {}, {}, {}}, {1, {}, {}, Ranking{}}};
  for (const TuneScore& each : tune(data, {}, grid, whole(5, 1), held_out_by("auc")).scores) EXPECT_LT(each.mean, 0.78);
}

// The refit is the fit to the kept columns alone, and knows the others as features that count for nothing.
// A fold without the one example of a rare value has two values left, and is a regression all the same.
TEST(Tune, TheTaskIsThatOfAllExamples) {
  Dataset data = two_of_twenty(false, 15);
  for (std::size_t t = 0; t < data.target.values.size(); ++t) {
    data.target.values[t] = t == 7 ? 2.5 : data.target.values[t] > 0 ? 1.5 : 0.5;
  }
  Settings numbers;
  numbers.task = Task::regress;
  const std::vector<TuneCandidate> grid{{1, {}, {}, {}}, {1e-3, {}, {}, {}}};
  const Tuning tuned = tune(data, {}, grid, whole(5, 1), held_out_score);
  const Tuning told = tune(data, numbers, grid, whole(5, 1), held_out_score);
  for (std::size_t k = 0; k < grid.size(); ++k) EXPECT_EQ(tuned.scores[k].folds, told.scores[k].folds);
  EXPECT_EQ(tuned.metric, told.metric);
}

TEST(RelaxedRefit, IsTheFitOfTheKeptColumns) {
  const Dataset data = two_of_twenty(true, 6);
  Settings settings;
  settings.p0 = 1e-5;
  settings.prior_variance = 0.3;
  const Model ranking = fit(data, settings), model = relaxed_refit(data, settings, ranking, 2);
  EXPECT_EQ(model.features.size(), 20u);
  EXPECT_EQ(model.selected(), 2);
  Rows narrow;
  for (Index t = 0; t < 90; ++t) narrow.push_back({data.x.row(t).values[0], data.x.row(t).values[1]});
  settings.p0 = 1;
  const Dataset of_two = dataset(narrow, data.target.values);
  const Model alone = fit(of_two, settings);
  const auto a = model.predict(data.x), b = alone.predict(of_two.x);
  for (std::size_t t = 0; t < a.size(); ++t) {
    EXPECT_NEAR(a[t].score, b[t].score, 1e-9);
    EXPECT_NEAR(a[t].sd, b[t].sd, 1e-9);
  }
  EXPECT_EQ(model_from_json(to_json(model), "here"), model);
  EXPECT_THROW(relaxed_refit(data, settings, ranking, 0), OptionError);
}

// These columns alone.
Model fit_of(const Dataset& data, const std::vector<std::size_t>& columns, const Settings& settings) {
  Rows narrow;
  for (Index t = 0; t < data.examples(); ++t) {
    narrow.emplace_back();
    for (const std::size_t i : columns) narrow.back().push_back(data.x.row(t).values[i]);
  }
  return fit(dataset(narrow, data.target.values), settings);
}

// |sum_t beta_t x_ti| / sd_i of the columns that a model does not have, the largest first.
std::vector<std::size_t> most_asked_for(const Dataset& data, const Model& model, const std::vector<std::size_t>& has) {
  std::vector<std::pair<double, std::size_t>> order;
  const auto T = static_cast<double>(data.examples());
  for (std::size_t i = 0; i < static_cast<std::size_t>(data.features()); ++i) {
    if (std::find(has.begin(), has.end(), i) != has.end()) continue;
    double v = 0, mean = 0, squares = 0;
    for (std::size_t k = 0; k < model.support.size(); ++k)
      v += model.multipliers[k] * data.x.row(model.support[k]).values[i];
    for (Index t = 0; t < data.examples(); ++t) mean += data.x.row(t).values[i] / T;
    for (Index t = 0; t < data.examples(); ++t) squares += std::pow(data.x.row(t).values[i] - mean, 2) / T;
    order.emplace_back(-std::abs(v) / std::sqrt(squares), i);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> columns;
  for (const auto& [size, i] : order) columns.push_back(i);
  return columns;
}

std::size_t weakest_of(const Model& model) {
  std::size_t weakest = 0;
  for (std::size_t k = 1; k < model.features.size(); ++k) {
    if (std::abs(model.features[k].coefficient) < std::abs(model.features[weakest].coefficient)) weakest = k;
  }
  return weakest;
}

// By hand: the fit to what is left, less those with the smallest |coefficient|; of sets of at most 16 the weakest gives
// way to one of the two that are most asked for, while F falls.
TEST(RelaxedRefit, DropsTheWeakestStepByStepAndExchanges) {
  int exchanges = 0;
  for (const unsigned seed : {12u, 13u, 14u}) {
    const Dataset data = two_of_twenty(true, seed);
    Settings settings;
    settings.p0 = 1e-5;
    const Model ranking = fit(data, settings);
    settings.prior_variance = 0.3;
    Settings without = settings;
    without.p0 = 1;
    std::vector<std::size_t> left(20);
    std::iota(left.begin(), left.end(), std::size_t{0});
    for (const std::size_t next : {16, 14, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3}) {
      Model alone = fit_of(data, left, without);
      bool better = left.size() <= 16;
      for (int exchange = 0; better && exchange < 3; ++exchange) {
        better = false;
        std::vector<std::size_t> others = left;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(weakest_of(alone)));
        std::vector<std::size_t> asked = most_asked_for(data, alone, left);
        asked.resize(2);
        std::sort(asked.begin(), asked.end());
        for (const std::size_t i : asked) {
          std::vector<std::size_t> tried = others;
          tried.insert(std::upper_bound(tried.begin(), tried.end(), i), i);
          const Model other = fit_of(data, tried, without);
          if (!(other.report.primal < alone.report.objective)) continue;
          alone = other;
          left = tried;
          better = true;
          ++exchanges;
          break;
        }
      }
      const Model model = relaxed_refit(data, settings, ranking, std::ssize(left));
      EXPECT_EQ(model.selected(), std::ssize(left));
      std::vector<std::pair<double, std::size_t>> order;
      for (std::size_t k = 0; k < left.size(); ++k) {
        const double w = alone.features[k].coefficient;
        EXPECT_NEAR(model.features[left[k]].coefficient, w, 1e-9);
        order.emplace_back(-std::abs(w), left[k]);
      }
      std::sort(order.begin(), order.end());
      left.clear();
      for (std::size_t k = 0; k < next; ++k) left.push_back(order[k].second);
      std::sort(left.begin(), left.end());
    }
  }
  EXPECT_GT(exchanges, 0);
}

// A fold measures refits on the few columns they have; it is what the model of all columns would have come to. And the
// candidates before and after a refit in its elimination do not matter.
TEST(RelaxedRefit, IsMeasuredAsTheModelOfAllColumnsWouldBe) {
  const Dataset data = two_of_twenty(false, 13);
  std::vector<TuneCandidate> grid;
  for (const double variance : {1.0, 0.1}) {
    for (const Index kept : {2, 18, 5}) grid.push_back({1, {}, variance, Ranking{1e-5, {}, kept}});
  }
  const TuneOptions how = whole(4, 1);
  const Tuning tuned = tune(data, {}, grid, how, held_out_score);
  const std::vector<Fold> folds = deal_folds(data, 4, 1, Settings{}.seed);
  for (const TuneScore& score : tuned.scores) {
    for (std::size_t f = 0; f < folds.size(); ++f) {
      const Model model = fit_candidate(subset(data, folds[f].fitted), {}, score.candidate);
      EXPECT_NEAR(score.folds[f], held_out_score(model, subset(data, folds[f].left_out)).value, 1e-9);
    }
  }
}

TEST(RelaxedRefit, RefusesWhatIsNoColumnOfTheFile) {
  const std::vector<TuneCandidate> grid{{1, {}, {}, Ranking{1e-3, {}, 2}}};
  Settings expanded, believed;
  expanded.expand = ExpansionKind::quadratic;
  believed.feature_p0.entries = {{"f0", 0.5}};
  for (const Settings& settings : {expanded, believed}) {
    EXPECT_THROW(tune(two_of_twenty(true, 3), settings, grid, whole(3, 1), held_out_score), OptionError);
  }
}

TEST(RelaxedRefit, IsChosenWhereFewFeaturesCount) {
  const Dataset data = two_of_twenty(false, 7);
  std::vector<TuneCandidate> grid{{1, {}, {}, {}}};
  for (const Index kept : {1, 2, 8}) grid.push_back({1, {}, {}, Ranking{1e-5, {}, kept}});
  const Tuning tuned = tune(data, {}, grid, whole(5, 2), held_out_score);
  ASSERT_EQ(tuned.scores.size(), 4u);
  EXPECT_EQ(tuned.best, 2u);
  EXPECT_EQ(tuned.scores[2].selected, 2);
  const Model model = fit_candidate(data, {}, tuned.scores[tuned.best].candidate);
  EXPECT_EQ(model.selected(), 2);
  EXPECT_GT(std::abs(model.features[0].coefficient), 0.5);
  EXPECT_GT(std::abs(model.features[1].coefficient), 0.5);
}

struct StopAfterPaths : Observer {
  int heard = 0;
  void on_iteration(const TracePoint&) override { ++heard; }
  bool stop_requested() override { return heard >= 6; }
};

TEST(Tune, AnEarlyEndKeepsWhatIsFinished) {
  StopAfterPaths observer;
  Settings settings;
  settings.threads = 1;
  const Tuning tuned = tune(two_of_twenty(true, 9), settings, three_by_two(), whole(5, 1), held_out_score, &observer);
  EXPECT_TRUE(tuned.interrupted);
  EXPECT_EQ(tuned.scores.size(), 3u);  // the first path of each fold: c = 1.5 with three p0
}

// With p0 = 1e-6 no inclusion of many weak features comes near 1/2, and yet all of them have their coefficient.
TEST(Tune, CountsFeaturesInUseByTheirCoefficients) {
  const test::Sample s = test::sample(true, 60, 12, 11);
  Settings settings;
  settings.c = 2;
  settings.p0 = 1e-6;
  const Dataset data = test::dataset(s.x, s.y);
  for (const Feature& feature : fit(data, settings).features) ASSERT_LT(feature.inclusion, 0.5);
  const Tuning tuned =
      tune(data, settings, std::vector<TuneCandidate>{{1e-6, {}, {}, {}}}, whole(3, 1), held_out_score);
  EXPECT_GT(tuned.scores[0].selected, 1);
}

}  // namespace
}  // namespace medlar
