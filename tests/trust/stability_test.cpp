// Stability: what a refit sees, the fractions, the bound, and that neither threads nor the order of examples decide.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <random>
#include <set>

#include "medlar/error.hpp"
#include "medlar/selection.hpp"
#include "medlar/trust/parts.hpp"
#include "medlar/trust/refits.hpp"
#include "models/fit_data.hpp"
#include "support/refused.hpp"

namespace medlar {
namespace {

using test::dataset;
using test::Rows;

// 80 examples, 40 features; the first three decide the label, with noise.
Dataset three_of_forty(unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Rows x;
  std::vector<double> y;
  for (int t = 0; t < 80; ++t) {
    std::vector<double> row(40);
    for (double& each : row) each = normal(random);
    y.push_back(row[0] - row[1] + row[2] + 0.3 * normal(random) > 0 ? 1 : -1);
    x.push_back(std::move(row));
  }
  return dataset(x, std::move(y));
}

TEST(Stability, FindsWhatDecidesAndBoundsTheRest) {
  const Dataset data = three_of_forty(5);
  StabilityOptions how;
  how.refits = 40;
  const auto found = measure_stability(data, {}, how);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->top, 5);  // floor(sqrt(0.8 * 40))
  EXPECT_DOUBLE_EQ(found->threshold, 0.5 * (1 + 25.0 / 40));
  EXPECT_DOUBLE_EQ(*found->false_bound, 1);
  double sum = 0;
  for (const double each : found->fraction) sum += each;
  EXPECT_NEAR(sum, found->chosen, 1e-9);  // every choice is counted once
  for (std::size_t i = 0; i < 3; ++i) EXPECT_GE(found->fraction[i], found->threshold) << i;
  EXPECT_LE(found->stable(), 5);
}

// Feature t is the label on example t and 0 elsewhere, so that a fit chooses exactly the features of the examples it
// sees. A half and its complement see each example once.
TEST(Stability, AHalfAndItsComplementMissNoExample) {
  Rows x;
  std::vector<double> y;
  for (std::size_t t = 0; t < 24; ++t) {
    std::vector<double> row(24, 0.0);
    row[t] = t % 2 == 0 ? 1 : -1;
    x.push_back(std::move(row));
    y.push_back(t % 2 == 0 ? 1 : -1);
  }
  StabilityOptions how;
  how.refits = 2;
  how.top = 24;
  Settings settings;
  settings.p0 = 1;
  settings.scale = ScaleKind::none;
  const auto found = measure_stability(dataset(x, std::move(y)), settings, how);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->chosen, 12);
  for (const double each : found->fraction) EXPECT_EQ(each, 0.5);
}

TEST(Stability, DoesNotDependOnThreads) {
  const Dataset data = three_of_forty(7);
  StabilityOptions how;
  how.refits = 12;
  how.share = 0.63;
  Settings one, three;
  one.threads = 1;
  three.threads = 3;
  const auto a = measure_stability(data, one, how), b = measure_stability(data, three, how);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->fraction, b->fraction);
  EXPECT_FALSE(a->false_bound);  // parts of 63 % overlap: no bound is known
  Settings other = one;
  other.seed = 2;
  EXPECT_NE(measure_stability(data, other, how)->fraction, a->fraction);
}

// Labels by chance: the bound holds on average. 12 draws of at most 1 expected false feature; more than 24 in all would
// have probability < 1e-3 if their number were Poisson with mean 12.
TEST(Stability, BoundHoldsWithoutASignal) {
  Index stable = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    Dataset data = three_of_forty(100 + seed);
    std::mt19937_64 random(seed);
    for (double& y : data.target.values) y = random() % 2 == 0 ? 1 : -1;
    StabilityOptions how;
    how.refits = 20;
    stable += measure_stability(data, {}, how)->stable();
  }
  EXPECT_LE(stable, 24);
}

// Columns that never vary cannot be chosen, and copies of one are one: neither makes a short list surer.
TEST(Stability, CountsWhatVariesAndDiffers) {
  const Dataset data = three_of_forty(5);
  Dataset wide = data;
  std::vector<double> values;
  for (Index t = 0; t < 80; ++t) {
    const RowView row = data.x.row(t);
    for (Index i = 0; i < 40; ++i) values.push_back(row.values[static_cast<std::size_t>(i)]);
    for (Index i = 0; i < 100; ++i) values.push_back(3);
    for (Index i = 0; i < 60; ++i) values.push_back(1 - 2 * row.values[39]);
  }
  wide.x = Matrix::dense(80, 200, std::move(values));
  wide.names.clear();
  for (int i = 0; i < 200; ++i) wide.names.push_back("x" + std::to_string(i));
  wide.schema.features = 200;
  StabilityOptions how;
  how.refits = 40;
  Settings settings;
  settings.p0 = 1;  // sixty copies take the place of one, and move the others by little
  const auto narrow = measure_stability(data, settings, how), found = measure_stability(wide, settings, how);
  ASSERT_TRUE(narrow && found);
  EXPECT_EQ(found->different, 40);
  EXPECT_EQ(found->top, narrow->top);
  EXPECT_EQ(found->threshold, narrow->threshold);
  EXPECT_LE(found->chosen, 5);
  for (std::size_t i = 40; i < 140; ++i) EXPECT_EQ(found->fraction[i], 0);
  for (std::size_t i = 140; i < 200; ++i) EXPECT_EQ(found->fraction[i], found->fraction[39]);
  how.top = 41;
  EXPECT_NE(refused([&] { measure_stability(wide, settings, how); }).find("only 40 of 200 features vary"),
            std::string::npos);
}

// Five examples of each of 16 groups: no half parts a group, and the other half has the other groups.
TEST(Stability, HalvesDoNotPartGroups) {
  Dataset data = three_of_forty(6);
  data.fold_group.resize(80);
  for (std::size_t t = 0; t < 80; ++t) data.fold_group[t] = static_cast<Index>(t * 7 % 16);
  const Parts parts(data, {}, 0.5);
  for (Index k = 0; k < 10; ++k) {
    std::set<Index> groups[2];
    for (const Index half : {0, 1}) {
      const std::vector<Index> part = parts.of(2 * k + half);
      for (const Index t : part) groups[half].insert(data.fold_group[static_cast<std::size_t>(t)]);
      EXPECT_EQ(part.size(), 5 * groups[half].size());
    }
    EXPECT_EQ(groups[0].size() + groups[1].size(), 16u);
    for (const Index group : groups[0]) EXPECT_FALSE(groups[1].contains(group));
  }
  EXPECT_NE(parts.of(0), parts.of(2));
  StabilityOptions how;
  how.refits = 4;
  EXPECT_TRUE(measure_stability(data, {}, how));
  EXPECT_NE(refused([&] { discover(data, {}); }).find("independent of each other"), std::string::npos);
}

// Groups of both labels: each half has both. A label that only one group of its kind has may be missing in a half.
TEST(Stability, GroupsOfSeveralLabels) {
  Dataset data = three_of_forty(6);
  data.fold_group.resize(80);
  for (std::size_t t = 0; t < 80; ++t) {
    data.fold_group[t] = static_cast<Index>(t / 8);
    data.target.values[t] = t % 2 == 0 ? 1 : -1;
  }
  const Parts parts(data, {}, 0.5);
  for (Index k = 0; k < 10; ++k) {
    const std::vector<Index> part = parts.of(k);
    EXPECT_EQ(part.size(), 40u);
    EXPECT_TRUE(std::any_of(part.begin(), part.end(), [](Index t) { return t % 2 == 0; }));
    EXPECT_TRUE(std::any_of(part.begin(), part.end(), [](Index t) { return t % 2 == 1; }));
  }
  for (std::size_t t = 72; t < 80; ++t) data.target.values[t] = 3;  // all in the last group
  Settings settings;
  settings.task = Task::classify;
  EXPECT_NE(refused([&] { Parts(data, settings, 0.5); }).find("'3' has 1"), std::string::npos);
  data.fold_group.pop_back();
  EXPECT_NE(refused([&] { measure_stability(data, {}); }).find("groups of examples"), std::string::npos);
}

TEST(Stability, RegressionAndSeveralClasses) {
  Dataset data = three_of_forty(8);
  StabilityOptions how;
  how.refits = 10;
  Settings settings;
  settings.task = Task::regress;
  for (std::size_t t = 0; t < 80; ++t) {
    data.target.values[t] = data.x.row(static_cast<Index>(t)).values[3] + 0.01 * static_cast<double>(t);
  }
  EXPECT_EQ(measure_stability(data, settings, how)->fraction[3], 1);
  settings.task = Task::classify;
  for (std::size_t t = 0; t < 80; ++t) {
    const double value = data.x.row(static_cast<Index>(t)).values[4];
    data.target.values[t] = value < -0.5 ? 0 : value < 0.5 ? 1 : 2;
  }
  EXPECT_GE(measure_stability(data, settings, how)->fraction[4], 0.9);
}

// A label of one example is no trouble where labels are put together.
TEST(Stability, CountsTheLabelsThatAreFitted) {
  Dataset data = three_of_forty(8);
  data.target.values[0] = 7;
  StabilityOptions how;
  how.refits = 10;
  Settings settings;
  settings.task = Task::classify;
  EXPECT_THROW(measure_stability(data, settings, how), OptionError);
  settings.positive = "1";
  EXPECT_GE(measure_stability(data, settings, how)->fraction[0], 0.8);
}

TEST(Stability, Refuses) {
  const Dataset data = three_of_forty(9);
  const auto refused = [&](auto change, Settings settings = {}) {
    StabilityOptions how;
    change(how);
    EXPECT_THROW(measure_stability(data, settings, how), OptionError);
  };
  refused([](StabilityOptions& how) { how.refits = 1; });
  refused([](StabilityOptions& how) { how.refits = 7; });
  refused([](StabilityOptions& how) { how.share = 1; });
  refused([](StabilityOptions& how) { how.share = std::nan(""); });
  refused([](StabilityOptions& how) { how.top = 0; });
  refused([](StabilityOptions& how) { how.threshold = 0.5; });
  Settings kernel;
  kernel.model = ModelKind::kernel;
  kernel.p0 = 1;
  refused([](StabilityOptions&) {}, kernel);
  const auto one = medlar::refused([] { measure_stability(dataset({{1, 2}}, {1}), {}); });
  EXPECT_EQ(one, "stability needs at least two examples, but memory has 1");
  Dataset lonely = data;
  std::fill(lonely.target.values.begin(), lonely.target.values.end(), 1.0);
  lonely.target.values[0] = -1;
  EXPECT_THROW(measure_stability(lonely, {}), OptionError);
}

struct StopAfter : Observer {
  int left;
  int heard = 0;
  explicit StopAfter(int calls) : left(calls) {}
  void on_iteration(const TracePoint&) override { ++heard; }
  bool stop_requested() override { return heard >= left; }
};

TEST(Stability, StopsWhenAsked) {
  Settings settings;
  settings.threads = 1;
  StopAfter first(1), third(3);
  EXPECT_FALSE(measure_stability(three_of_forty(10), settings, {}, &first));
  const auto pair = measure_stability(three_of_forty(10), settings, {}, &third);
  ASSERT_TRUE(pair);  // the third has no other half
  StabilityOptions two;
  two.refits = 2;
  EXPECT_EQ(pair, measure_stability(three_of_forty(10), settings, two));
}

TEST(Refits, DoEachOnceAndThrowWhatATaskThrows) {
  std::vector<std::atomic<int>> done(50);
  const auto note = [&](Index k, Observer*) { ++done[static_cast<std::size_t>(k)]; };
  EXPECT_TRUE(Refits(3, 50, "refit", nullptr).run(50, note));
  for (const auto& each : done) EXPECT_EQ(each, 1);
  const auto refuse = [](Index k, Observer*) {
    if (k == 20) throw OptionError("no");
  };
  EXPECT_THROW(Refits(3, 50, "refit", nullptr).run(50, refuse), OptionError);
}

}  // namespace
}  // namespace medlar
