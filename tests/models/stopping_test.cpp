// However a fit is ended, the pair that it leaves is certified: J lies below the optimum and F above it. And it is
// asked often whether it should end.
#include "medlar/problem/run.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "medlar/linalg/give_up.hpp"
#include "medlar/models/generative/detector.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

// Says stop from the given question on.
class AtQuestion : public Observer {
 public:
  explicit AtQuestion(int question) : question_(question) {}
  bool stop_requested() override { return ++asked > question_; }
  void on_iteration(const TracePoint&) override {
    ++certificates;
    if (asked > question_) ++certificates_after;
  }
  int asked = 0, certificates = 0, certificates_after = 0;

 private:
  int question_;
};

constexpr int kNever = 1 << 30;

struct Ended {
  std::string name;
  Dataset data;
  Settings settings;
};

Settings of_model(const std::string& model) {
  Settings settings;
  set_option(settings, "model", model);
  settings.tolerance = 1e-7;
  if (model == "generative") settings.calibration = CalibrationScores::left_out;
  settings.threads = 1;
  return settings;
}

Settings of_classes(const std::string& model) {
  Settings settings = of_model(model);
  settings.task = Task::classify;
  return settings;
}

// Of examples that most often lie where their label is the largest of the first features.
Dataset of_classes(const Sample& s, Index classes) {
  Dataset data = dataset(s.x, s.y);
  for (std::size_t t = 0; t < s.y.size(); ++t) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < static_cast<std::size_t>(classes); ++k) {
      if (s.x[t][k] > s.x[t][best]) best = k;
    }
    data.target.values[t] = static_cast<double>(t % 7 == 0 ? t % static_cast<std::size_t>(classes) : best);
  }
  return data;
}

std::vector<Ended> ended_fits() {
  std::vector<Ended> all;
  const Sample wide = sample(true, 80, 400, 3), tall = sample(true, 900, 12, 4), real = sample(false, 300, 20, 5);
  const auto add = [&](const std::string& name, const Dataset& data, Settings settings) -> Settings& {
    all.push_back({name, data, std::move(settings)});
    return all.back().settings;
  };
  for (const double p0 : {1.0, 0.01}) add("wide", dataset(wide.x, wide.y), of_model("linear")).p0 = p0;
  add("tall", dataset(tall.x, tall.y), of_model("linear")).p0 = 0.1;
  add("regression", dataset(real.x, real.y), of_model("linear")).p0 = 0.1;
  for (const std::string solver : {"newton", "coordinate", "bounded-qp"}) {
    add(solver, dataset(tall.x, tall.y), of_model("linear")).solver = *read_word<SolverKind>(solver);
  }
  add("four classes", of_classes(tall, 4), of_classes("linear")).p0 = 0.1;
  for (const std::string margin : {"exponential", "hinge"}) {
    add("kernel " + margin, dataset(tall.x, tall.y), of_model("kernel")).margin = *read_word<MarginKind>(margin);
  }
  add("kernel regression", dataset(real.x, real.y), of_model("kernel"));
  add("kernel, four classes", of_classes(tall, 4), of_classes("kernel"));
  add("kernel, jointly", of_classes(tall, 4), of_classes("kernel")).multiclass = Multiclass::joint;
  add("generative", dataset(tall.x, tall.y), of_model("generative"));
  add("generative, four classes", of_classes(tall, 4), of_classes("generative"));
  return all;
}

TEST(Stopping, WhateverTheMomentThePairIsCertified) {
  for (const Ended& each : ended_fits()) {
    AtQuestion whole(kNever);
    const Report best = fit(each.data, each.settings, &whole).report;
    ASSERT_EQ(best.status, Status::converged) << each.name << ": " << best.message;
    for (const double part : {0.0, 0.05, 0.3, 0.6, 0.9}) {
      SCOPED_TRACE(fmt::format("{} after {} of {} questions", each.name, part, whole.asked));
      AtQuestion observer(static_cast<int>(part * whole.asked));
      const Model model = fit(each.data, each.settings, &observer);
      const Report& report = model.report;
      EXPECT_TRUE(report.status == Status::interrupted || report.status == Status::converged);
      EXPECT_TRUE(part > 0 || report.status == Status::interrupted) << report.message;
      EXPECT_LE(report.objective, best.primal * (1 + 1e-9));
      EXPECT_GE(report.primal, best.objective * (1 - 1e-9));
      EXPECT_NEAR(report.gap, std::max(0.0, report.primal - report.objective), 1e-9 * report.primal);
      EXPECT_LE(observer.certificates_after, 8);  // one for each pair of classes, or the last
      for (const Prediction& row : model.predict(each.data.x)) EXPECT_TRUE(std::isfinite(row.score));
    }
  }
}

// Descent never rises: the last certified point is the best, whatever its gap.
TEST(Stopping, ALatentFitLeavesTheLeastTotalOfAll) {
  const Sample s = sample(true, 300, 40, 17);
  Dataset data = dataset(s.x, s.y);
  for (std::size_t t = 0; t < s.y.size(); ++t) {
    if (t % 5 != 0) data.target.values[t] = NAN;
  }
  for (const std::string mode : {"anchored", "literal"}) {
    Settings settings = of_model("latent");
    settings.latent = LatentKind::labels;
    set_option(settings, "latent-mode", mode);
    settings.p0 = 1;
    AtQuestion whole(kNever);
    ASSERT_EQ(fit(data, settings, &whole).report.status, Status::converged);
    for (const double part : {0.5, 0.9, 0.97}) {
      SCOPED_TRACE(fmt::format("{} after {} of {} questions", mode, part, whole.asked));
      AtQuestion observer(static_cast<int>(part * whole.asked));
      const Model model = fit(data, settings, &observer);
      EXPECT_EQ(model.report.status, Status::interrupted) << model.report.message;
      const std::vector<double>& kl = model.latent->kl;
      EXPECT_EQ(kl.back(), *std::min_element(kl.begin(), kl.end()));
      EXPECT_TRUE(std::isfinite(model.report.gap));
    }
  }
}

// A kernel fit of many rounds has certificates to fall back on, the first where twice its work has been done, later
// ones where ten times.
TEST(Stopping, LongKernelFitsAreCertifiedNowAndThen) {
  const Sample s = sample(true, 1500, 2, 9);
  Settings settings = of_model("kernel");
  settings.margin = MarginKind::hinge;
  settings.c = 1000;
  settings.solver = SolverKind::smo;
  AtQuestion whole(kNever);
  const Model best = fit(dataset(s.x, s.y), settings, &whole);
  EXPECT_GE(whole.certificates, 5);
  AtQuestion late(whole.asked / 2);
  const Model model = fit(dataset(s.x, s.y), settings, &late);
  ASSERT_EQ(model.report.status, Status::interrupted) << model.report.message;
  EXPECT_GT(model.report.objective, 0.5 * best.report.objective);
  EXPECT_FALSE(model.support.empty());
}

// Scores, statistics and margins are gone through with questions on the way: about one for each million of numbers.
TEST(Stopping, AsksOftenWithinAPass) {
  const Sample s = sample(true, 2000, 1500, 11);  // three million numbers
  Settings settings = of_model("linear");
  settings.scale = ScaleKind::none;
  settings.max_passes = 4;
  AtQuestion observer(kNever);
  const Model model = fit(dataset(s.x, s.y), settings, &observer);
  EXPECT_GE(observer.asked, 2 * model.report.passes);
}

// Neither folds nor further fits begin when the time of the first was up.
TEST(Stopping, FoldsOfACalibrationKeepToTheTime) {
  const Sample s = sample(true, 200, 5, 13);
  Settings settings = of_model("generative");
  settings.calibration = CalibrationScores::folds;
  AtQuestion usual(kNever), hurried(kNever);
  fit(dataset(s.x, s.y), settings, &usual);
  settings.max_seconds = 1e-9;
  EXPECT_EQ(fit(dataset(s.x, s.y), settings, &hurried).report.status, Status::limit);
  EXPECT_EQ(hurried.certificates, 1);
  EXPECT_GT(usual.certificates, 6);
}

// The prior of a detector is made once when the time is up, and again and again when there is enough.
TEST(Stopping, TheTrimmingOfADetectorKeepsToTheTime) {
  const std::vector<double> weights(50, 1.0);
  for (const double seconds : {1e-9, HUGE_VAL}) {
    Settings settings;
    settings.max_seconds = seconds;
    int rounds = 0;
    trimmed(weights, 0.2, FitTime(settings, nullptr), [&](const std::vector<double>& counted) {
      LevelsBefore levels{std::vector<double>(50), {}};
      ++rounds;
      for (std::size_t t = 0; t < 50; ++t) levels.level[t] = static_cast<double>(t) + (rounds > 1 ? counted[t] : 0.0);
      return levels;
    });
    EXPECT_EQ(rounds, seconds < 1 ? 1 : 2);
  }
}

TEST(Stopping, DetectorsKeepToTheTime) {
  const Sample s = sample(true, 200, 5, 13);
  for (const std::string family : {"gaussian", "gaussian-full"}) {
    Settings settings = of_model("generative");
    settings.task = Task::anomaly;
    settings.calibration = CalibrationScores::folds;
    set_option(settings, "family", family);
    settings.max_seconds = 1e-9;
    AtQuestion hurried(kNever);
    const Model model = fit(dataset(s.x, s.y), settings, &hurried);
    EXPECT_EQ(hurried.certificates, 1) << family;  // none of a fold
    EXPECT_EQ(model.generative->typical.size(), 5u);
    EXPECT_FALSE(model.generative->levels.empty());
  }
}

TEST(Stopping, WholeWorkEndsAtOnceAndGracedWorkAfterItsGrace) {
  AtQuestion observer(0);
  medlar::Run run({}, &observer);
  const auto seconds_of = [&](auto work) {
    const auto start = std::chrono::steady_clock::now();
    const auto spent = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    int blocks = 0;
    EXPECT_FALSE(work([&] {
      while (spent() < 60) ++blocks, pause();  // until it is given up
    }));
    EXPECT_LT(spent(), 60);
    return std::pair(spent(), blocks);
  };
  const auto whole = [&](auto work) { return run.whole(work); };
  const auto graced = [&](auto work) { return run.graced(work); };
  EXPECT_EQ(seconds_of(whole).second, 0);
  const auto [spent, blocks] = seconds_of(graced);
  EXPECT_GT(blocks, 0);
  EXPECT_GE(spent, 0.01);
  EXPECT_EQ(seconds_of(graced).second, 0);  // the grace is counted from when the end was asked for
  medlar::Run unasked({}, nullptr);
  EXPECT_TRUE(unasked.whole([] { pause(); }));
  EXPECT_TRUE(unasked.graced([] { pause(); }));
}

}  // namespace
}  // namespace medlar::test
