// --max-seconds for many fits together: what is finished by then counts, and nothing else does.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "medlar/metrics.hpp"
#include "medlar/selection.hpp"
#include "medlar/tune.hpp"
#include "models/fit_data.hpp"

namespace medlar {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

Dataset forty(unsigned seed) {
  const test::Sample made = test::sample(true, 60, 10, seed);
  return test::dataset(made.x, made.y);
}

double seconds_since(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

TEST(Deadline, EndsATuneWithWhatIsFinished) {
  Settings settings;
  settings.threads = 1;
  std::vector<TuneCandidate> candidates;
  for (int k = 0; k < 400; ++k) candidates.push_back({0.5, 3 + 0.001 * k, {}, {}});
  TuneOptions how;
  how.folds = 3;
  how.exhaustive = true;
  const Measure slow = [](const Model& model, const Dataset& left_out) {
    std::this_thread::sleep_for(milliseconds(5));
    return held_out_score(model, left_out);
  };
  settings.max_seconds = 0.4;  // all would take six seconds at least
  const auto start = steady_clock::now();
  const Tuning cut = tune(forty(1), settings, candidates, how, slow);
  EXPECT_LT(seconds_since(start), 3);
  EXPECT_TRUE(cut.interrupted);
  EXPECT_TRUE(cut.out_of_time);
  ASSERT_FALSE(cut.scores.empty());
  EXPECT_LT(cut.scores.size(), candidates.size());
  settings.max_seconds = HUGE_VAL;
  const Tuning whole = tune(forty(1), settings, std::span(candidates).first(cut.scores.size()), how, slow);
  EXPECT_FALSE(whole.interrupted);
  EXPECT_EQ(whole.scores, cut.scores);  // no fold was measured on a fit that was cut short
}

TEST(Deadline, CountsTheRefitsThatWereDone) {
  struct Slow : Observer {
    void on_iteration(const TracePoint&) override { std::this_thread::sleep_for(milliseconds(10)); }
  } observer;
  Settings settings;
  settings.threads = 1;
  settings.max_seconds = 0.4;
  StabilityOptions how;
  how.refits = 2000;  // ten milliseconds each
  const auto start = steady_clock::now();
  const auto some = measure_stability(forty(2), settings, how, &observer);
  EXPECT_LT(seconds_since(start), 3);
  ASSERT_TRUE(some);
  EXPECT_EQ(some->refits % 2, 0);
  EXPECT_GE(some->refits, 2);
  EXPECT_LT(some->refits, how.refits);
  settings.max_seconds = HUGE_VAL;
  how.refits = some->refits;
  EXPECT_EQ(measure_stability(forty(2), settings, how), some);
}

TEST(Deadline, IsSharedByAllThatStabilityMeasures) {
  Settings settings;
  settings.max_seconds = 1e-9;
  TrustOptions how;
  EXPECT_FALSE(fit_with_trust(forty(3), settings, how));
  settings.max_seconds = HUGE_VAL;
  how.stability.refits = 4;
  how.knockoffs.emplace().fdr = 0.5;
  how.correlation = 0.95;
  const auto all = fit_with_trust(forty(3), settings, how);
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->complete);
  EXPECT_EQ(all->model.stability, measure_stability(forty(3), settings, how.stability));
  EXPECT_EQ(all->model.discoveries->statistic, discover(forty(3), settings, *how.knockoffs)->statistic);
}

}  // namespace
}  // namespace medlar
