// Levels of rows with gaps beside those of whole rows: the share that is odd is near alpha for both.
#include <gtest/gtest.h>

#include <cmath>

#include "medlar/anomaly.hpp"
#include "medlar/metrics.hpp"
#include "models/fit_data.hpp"
#include "models/generative/generative_settings.hpp"

namespace medlar::test {
namespace {

const double kGap = std::nan("");

// Columns that share most of what they say; each cell is missing with this chance.
Rows alike(std::size_t examples, std::size_t columns, double missing, unsigned seed, double noise = 0.03) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::bernoulli_distribution gone(missing);
  Rows x;
  for (std::size_t t = 0; t < examples; ++t) {
    const double shared = normal(random);
    std::vector<double> row;
    for (std::size_t i = 0; i < columns; ++i) row.push_back(shared + noise * normal(random));
    for (double& each : row) each = gone(random) ? kGap : each;
    x.push_back(row);
  }
  return x;
}

// Bits that mostly repeat the first.
Rows bits_alike(std::size_t examples, std::size_t columns, bool gaps, unsigned seed) {
  std::mt19937_64 random(seed);
  Rows x;
  for (std::size_t t = 0; t < examples; ++t) {
    std::vector<double> row{std::bernoulli_distribution(0.5)(random) ? 1.0 : 0.0};
    for (std::size_t i = 1; i < columns; ++i) {
      row.push_back(std::bernoulli_distribution(0.1)(random) ? 1 - row[0] : row[0]);
    }
    if (gaps) row[t % columns] = kGap;
    x.push_back(row);
  }
  return x;
}

Model detector(const Rows& x, const std::string& family, double alpha, const std::string& calibration = "folds") {
  Settings settings = generative(family);
  settings.task = Task::anomaly;
  settings.alpha = alpha;
  set_option(settings, "calibration", calibration);
  return fit(dataset(x, std::vector<double>(x.size(), 0.0)), settings);
}

double odd(const Model& model, const Rows& x) {
  double count = 0;
  for (const Prediction& each : model.predict(dense(x))) count += each.label == 1;
  return count / static_cast<double>(x.size());
}

TEST(AnomalyGaps, OfColumnsThatForetellEachOtherAreNoReasonToBeOdd) {
  const Model model = detector(alike(500, 4, 0, 1), "gaussian-full", 0.05);
  EXPECT_NEAR(odd(model, alike(4000, 4, 0, 2)), 0.05, 0.025);
  EXPECT_NEAR(odd(model, alike(4000, 4, 0.4, 3)), 0.05, 0.03);
}

// What evaluate ranks by is what labels and p-values go by.
TEST(AnomalyGaps, AreRankedByTheirLevels) {
  const Model model = detector(alike(500, 4, 0, 1), "gaussian-full", 0.05);
  const Rows x = alike(300, 4, 0.4, 8);
  std::vector<double> truth(x.size(), 0.0);
  truth[0] = 1;
  const Comparison told = compare(model, dataset(x, truth));
  ASSERT_EQ(told.predicted.size(), x.size());
  double least_odd = HUGE_VAL, most_normal = -HUGE_VAL;
  for (const Prediction& each : told.predicted) {
    (each.label == 1 ? least_odd : most_normal) =
        each.label == 1 ? std::min(least_odd, each.score) : std::max(most_normal, each.score);
  }
  EXPECT_GT(least_odd, most_normal);
}

// typical(all) - typical(S) against the means over examples themselves, where the pseudo-examples weigh little.
TEST(AnomalyGaps, CountAsTheMeanOfWhatIsLost) {
  for (const std::string family : {"gaussian-full", "tree"}) {
    const Rows whole = family == "tree" ? bits_alike(1000, 4, false, 4) : alike(1000, 4, 0, 4, 0.2);
    const Model model = detector(whole, family, 0.05, "left-out");
    Rows gaps = whole;
    for (auto& row : gaps) row[1] = row[3] = kGap;
    const auto all = model.predict(dense(whole)), some = model.predict(dense(gaps));
    double lost = 0;
    for (std::size_t t = 0; t < all.size(); ++t) lost += (all[t].score - some[t].score) / 1000;
    EXPECT_NEAR(typical_of_gaps(model, dense({gaps[0]}))[0], lost, 0.1) << family;
    EXPECT_EQ(typical_of_gaps(model, dense({whole[0]}))[0], 0) << family;
  }
}

TEST(AnomalyGaps, InTrainingLeaveTheLevelOfWholeRows) {
  std::mt19937_64 random(6);
  std::normal_distribution<double> normal;
  const auto rows = [&](std::size_t examples, bool gaps) {
    Rows x(examples, std::vector<double>(6));
    for (std::size_t t = 0; t < examples; ++t) {
      for (double& each : x[t]) each = gaps && t % 4 != 0 && random() % 3 != 0 ? kGap : normal(random);
    }
    return x;
  };
  const Rows x = rows(1200, true), fresh = rows(4000, false);
  for (const std::string calibration : {"folds", "left-out"}) {
    const Model model = detector(x, "gaussian-diagonal", 0.1, calibration);
    EXPECT_NEAR(odd(model, fresh), 0.1, 0.03) << calibration;
    EXPECT_EQ(model.report.message.find("the threshold is that of all rows"), std::string::npos);
  }
  const Model few = detector(Rows(x.begin(), x.begin() + 100), "gaussian-diagonal", 0.1);
  EXPECT_NE(few.report.message.find("the threshold is that of all rows, for only 25 miss nothing"), std::string::npos)
      << few.report.message;
}

TEST(AnomalyGaps, AClassWithoutAWholeRowIsTold) {
  Sample drawn = sample(true, 60, 3, 2);
  for (std::size_t t = 0; t < drawn.x.size(); ++t) {
    if (drawn.y[t] > 0) drawn.x[t][t % 3] = kGap;
  }
  const Model model = fit(dataset(drawn.x, drawn.y), generative("gaussian-full"));
  EXPECT_NE(model.report.message.find("no row of the label '1' has a value in all 3 columns that gaussian-full"),
            std::string::npos)
      << model.report.message;
}

}  // namespace
}  // namespace medlar::test
