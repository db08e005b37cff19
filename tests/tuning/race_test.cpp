// The race: who is dropped, by hand; that the choice is that of all folds; and that an interrupted tune goes on.
#include "medlar/tuning/race.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "medlar/error.hpp"
#include "medlar/metrics.hpp"
#include "medlar/tune.hpp"
#include "models/fit_data.hpp"

namespace medlar {
namespace {

TEST(Race, StagesCoverEveryFoldOnce) {
  EXPECT_EQ(race_stages(5, false), (std::vector<std::vector<std::size_t>>{{0, 1, 2}, {3, 4}}));
  EXPECT_EQ(race_stages(6, false), (std::vector<std::vector<std::size_t>>{{0, 1, 2}, {3, 4}, {5}}));
  EXPECT_EQ(race_stages(3, false).size(), 1u);
  EXPECT_EQ(race_stages(10, true).size(), 1u);
}

TEST(Race, DropsOnlyWhatIsSurelyBehind) {
  const std::vector<std::vector<double>> values{
      {0.90, 0.92, 0.91},  // the leader: standard error 0.0058, and 4.3 of them count with three folds
      {0.80, 0.82, 0.81},  // behind by 0.1 in every fold
      {0.88, 0.90, 0.89},  // behind by 0.02 in every fold, which is 3.5 standard errors
      {0.95, 0.60, 0.80},  // behind on average, but not fold by fold: t = 1.3
      {}};                 // out already
  EXPECT_EQ(still_racing(values, true), (std::vector<bool>{true, false, true, true, false}));
  // As losses the leader is the fourth, whose folds spread too much to drop anyone.
  EXPECT_EQ(still_racing(values, false), (std::vector<bool>{true, true, true, true, false}));
}

Dataset noisy(unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  test::Rows x;
  std::vector<double> y;
  for (int t = 0; t < 100; ++t) {
    std::vector<double> row(30);
    for (double& each : row) each = normal(random);
    y.push_back(row[0] - row[1] + normal(random) > 0 ? 1 : -1);
    x.push_back(std::move(row));
  }
  return test::dataset(x, std::move(y));
}

std::vector<TuneCandidate> good_and_bad() {
  std::vector<TuneCandidate> grid;
  for (const double p0 : {1.0, 1e-2, 1e-4, 1e-40, 1e-80}) {
    for (const double v : {1e-6, 0.1, 1.0}) grid.push_back({p0, {}, v, {}});
  }
  return grid;
}

// Over ten data sets the race chooses what all folds would choose, by both rules, and measures less.
TEST(Race, ChoosesWhatAllFoldsWouldChoose) {
  std::size_t measured = 0, all = 0;
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Dataset data = noisy(seed);
    TuneOptions how;
    how.repeats = 2;
    const Tuning raced = tune(data, {}, good_and_bad(), how, held_out_score);
    how.exhaustive = true;
    const Tuning whole = tune(data, {}, good_and_bad(), how, held_out_score);
    EXPECT_EQ(raced.scores[raced.best].candidate, whole.scores[whole.best].candidate) << "seed " << seed;
    EXPECT_EQ(raced.scores[raced.one_se].candidate, whole.scores[whole.one_se].candidate) << "seed " << seed;
    ASSERT_EQ(raced.scores.size(), whole.scores.size());
    for (const TuneScore& score : raced.scores) measured += score.folds.size();
    for (const TuneScore& score : whole.scores) all += score.folds.size();
  }
  EXPECT_EQ(all, 1500u);
  EXPECT_LT(measured, 1400u);
}

class TemporaryFile {
 public:
  TemporaryFile() : path_(std::filesystem::temp_directory_path() / fmt::format("medlar-tune-{}", ::getpid())) {}
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct StopSoon : Observer {
  explicit StopSoon(int paths) : left(paths) {}
  int left;
  void on_iteration(const TracePoint&) override { --left; }
  bool stop_requested() override { return left <= 0; }
};

// What was finished is not measured again, and the end is that of a tune without interruption.
TEST(Checkpoint, AnInterruptedTuneGoesOn) {
  const Dataset data = noisy(11);
  const TemporaryFile file;
  TuneOptions how;
  how.checkpoint = file.path();
  Settings settings;
  settings.threads = 1;
  std::atomic<int> measured = 0;
  const Measure counted = [&](const Model& model, const Dataset& left_out) {
    ++measured;
    return held_out_score(model, left_out);
  };
  StopSoon observer(5);
  const Tuning broken = tune(data, settings, good_and_bad(), how, counted, &observer);
  EXPECT_TRUE(broken.interrupted);
  EXPECT_EQ(measured, 25);  // five paths of five p0 each
  const Tuning resumed = tune(data, settings, good_and_bad(), how, counted);
  EXPECT_FALSE(resumed.interrupted);
  const int in_all = measured;
  how.checkpoint.clear();
  measured = 0;
  EXPECT_EQ(resumed, tune(data, settings, good_and_bad(), how, counted));
  EXPECT_EQ(measured, in_all);
  measured = 0;
  how.checkpoint = file.path();
  EXPECT_EQ(resumed, tune(data, settings, good_and_bad(), how, counted));
  EXPECT_EQ(measured, 0);
}

TEST(Checkpoint, OfAnotherTuneIsRefused) {
  const Dataset data = noisy(12);
  const TemporaryFile file;
  TuneOptions how;
  how.checkpoint = file.path();
  const std::vector<TuneCandidate> grid{{1, {}, {}, {}}};
  tune(data, {}, grid, how, held_out_score);
  const auto refused = [&](const Dataset& other, const Settings& settings, const std::vector<TuneCandidate>& list) {
    EXPECT_THROW(tune(other, settings, list, how, held_out_score), OptionError);
  };
  refused(noisy(13), {}, grid);
  Settings settings;
  settings.seed = 2;
  refused(data, settings, grid);
  refused(data, {}, {{0.5, {}, {}, {}}});
  how.measured_by = "brier";
  refused(data, {}, grid);
  how.measured_by.clear();
  settings = {};
  settings.threads = 2;
  EXPECT_NO_THROW(tune(data, settings, grid, how, held_out_score));
  std::ofstream(file.path()) << "{\"format\": \"medlar-model\"}";
  refused(data, {}, grid);
  std::ofstream(file.path()) << "no JSON";
  refused(data, {}, grid);
}

// No feature enters above the largest strength, some do below it: shares of it are what the usual candidates are made
// of. p0 = 1 with several variances is among them.
TEST(UsualCandidates, GoUpToWhereNothingEnters) {
  for (const bool classify : {true, false}) {
    Dataset data = noisy(14);
    if (!classify) {
      for (Index t = 0; t < 100; ++t) data.target.values[static_cast<std::size_t>(t)] += data.x.row(t).values[2];
    }
    Settings settings;
    settings.task = classify ? Task::classify : Task::regress;
    const auto list = usual_candidates(data, settings);
    Index without_switches = 0;
    double largest = 0;
    for (const TuneCandidate& each : list) {
      if (each.margin) continue;  // these have a scale of their own
      without_switches += each.p0 == 1 ? 1 : 0;
      EXPECT_GT(each.p0, 0);
      if (each.prior_variance && each.p0 < 1) {
        largest = std::max(largest, std::sqrt(2 / *each.prior_variance * std::log((1 - each.p0) / each.p0)));
      }
    }
    EXPECT_EQ(without_switches, 3);
    const auto coefficient_at = [&](double tau) {
      Settings tried = settings;
      tried.prior_variance = 1000 / (tau * tau);  // log odds of 500
      tried.p0 = std::exp(-500);
      double size = 0;
      for (const Feature& each : fit(data, tried).features) size = std::max(size, std::abs(each.coefficient));
      return size;
    };
    EXPECT_LT(coefficient_at(largest / 0.65 * 1.05), 1e-6);
    EXPECT_GT(coefficient_at(largest / 0.65 * 0.8), 1e-3);
  }
}

}  // namespace
}  // namespace medlar
