// Folds with their share of each class, groups that stay together, and subsets that keep what belongs together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "medlar/error.hpp"
#include "medlar/folds.hpp"

namespace medlar {
namespace {

// 60 examples; feature a tells the 20 positive ones apart, feature b is noise.
Dataset small_set() {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  Dataset data;
  std::vector<double> x;
  for (int t = 0; t < 60; ++t) {
    const bool positive = t % 3 == 0;
    x.push_back(normal(random) + (positive ? 2 : 0));
    x.push_back(normal(random));
    data.target.codes.push_back(positive ? 1 : 0);
    data.lines.push_back(t + 2);
    data.weights.push_back(1 + t % 2);
  }
  data.source = "small.csv";
  data.x = Matrix::dense(60, 2, x);
  data.names = {"a", "b"};
  data.group_of = {0, 1};
  data.group_names = {"a", "b"};
  data.target.present = true;
  data.target.labels = {"no", "yes"};
  data.schema.features = 2;
  return data;
}

TEST(Folds, HaveTheirShareOfEachClass) {
  const Dataset data = small_set();
  const auto fold_of = assign_folds(data.target, 60, 5, 1);
  for (Index fold = 0; fold < 5; ++fold) {
    int members = 0, positives = 0;
    for (std::size_t t = 0; t < 60; ++t) {
      members += fold_of[t] == fold;
      positives += fold_of[t] == fold && data.target.codes[t] == 1;
    }
    EXPECT_EQ(members, 12);
    EXPECT_EQ(positives, 4);
  }
}

TEST(Folds, DealOutExamplesWithoutATargetLikeAClass) {
  Target target;
  target.present = target.numeric = true;
  for (int t = 0; t < 60; ++t) target.values.push_back(t % 6 == 0 ? 1 : t % 6 == 3 ? -1 : NAN);
  const auto fold_of = assign_folds(target, 60, 5, 1);
  for (Index fold = 0; fold < 5; ++fold) {
    int positives = 0, negatives = 0;
    for (std::size_t t = 0; t < 60; ++t) {
      positives += fold_of[t] == fold && target.values[t] == 1;
      negatives += fold_of[t] == fold && target.values[t] == -1;
    }
    EXPECT_EQ(positives, 2);
    EXPECT_EQ(negatives, 2);
  }
}

TEST(Folds, HaveSmallAndLargeValues) {
  Target target{true, true, {}, {}, {}};
  for (int t = 0; t < 40; ++t) target.values.push_back(t * 13 % 40);
  const auto fold_of = assign_folds(target, 40, 4, 1);
  for (Index fold = 0; fold < 4; ++fold) {
    int small = 0;
    for (std::size_t t = 0; t < 40; ++t) small += fold_of[t] == fold && target.values[t] < 20;
    EXPECT_EQ(small, 5);
  }
}

TEST(Folds, DependOnTheSeedAlone) {
  const Target target = small_set().target;
  EXPECT_EQ(assign_folds(target, 60, 5, 3), assign_folds(target, 60, 5, 3));
  EXPECT_NE(assign_folds(target, 60, 5, 3), assign_folds(target, 60, 5, 4));
}

TEST(Folds, RefuseNumbersThatMakeNoFolds) {
  EXPECT_THROW(assign_folds({}, 10, 1, 1), OptionError);
  EXPECT_THROW(assign_folds({}, 10, 11, 1), OptionError);
}

TEST(Subset, KeepsWhatBelongsToItsExamples) {
  const Dataset data = small_set();
  const std::vector<Index> rows{5, 0, 59};
  const Dataset part = subset(data, rows);
  ASSERT_EQ(part.examples(), 3);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto t = static_cast<std::size_t>(rows[k]);
    EXPECT_EQ(part.x.row(static_cast<Index>(k)).values[1], data.x.row(rows[k]).values[1]);
    EXPECT_EQ(part.target.codes[k], data.target.codes[t]);
    EXPECT_EQ(part.weights[k], data.weights[t]);
    EXPECT_EQ(part.lines[k], data.lines[t]);
  }
  EXPECT_EQ(part.names, data.names);
  EXPECT_EQ(part.schema, data.schema);
}

TEST(Subset, OfSparseRowsIsSparse) {
  Dataset data = small_set();
  data.x = Matrix::sparse(3, 4, {0, 2, 2, 3}, {0, 3, 1}, {1, 2, 3});
  data.target = {};
  data.weights.clear();
  data.lines.clear();
  const Dataset part = subset(data, std::vector<Index>{2, 1, 0});
  EXPECT_TRUE(part.x.is_sparse());
  EXPECT_EQ(part.x.row(0).columns[0], 1);
  EXPECT_EQ(part.x.row(1).values.size(), 0u);
  EXPECT_EQ(part.x.row(2).values[1], 2);
}

// Numbers that all differ are dealt out anew by each seed, and every run of neighbours still gives one to each fold.
TEST(Folds, OfDistinctValuesDependOnTheSeedToo) {
  Target target{true, true, {}, {}, {}};
  for (int t = 0; t < 43; ++t) target.values.push_back(t);
  const auto one = assign_folds(target, 43, 5, 1), two = assign_folds(target, 43, 5, 2);
  EXPECT_NE(one, two);
  for (std::size_t from = 0; from + 5 <= 43; from += 5) {
    std::vector<Index> run(one.begin() + static_cast<std::ptrdiff_t>(from),
                           one.begin() + static_cast<std::ptrdiff_t>(from + 5));
    std::sort(run.begin(), run.end());
    EXPECT_EQ(run, (std::vector<Index>{0, 1, 2, 3, 4}));
  }
}

// 30 groups of 1 to 4 examples, each of one class: none is parted, and classes are spread.
TEST(GroupedFolds, KeepGroupsTogetherAndClassesApart) {
  Target target{true, true, {}, {}, {}};
  std::vector<Index> group_of;
  for (Index g = 0; g < 30; ++g) {
    for (Index k = 0; k <= g % 4; ++k) {
      group_of.push_back(1000 + g);
      target.values.push_back(g % 3 == 0 ? 1 : -1);
    }
  }
  const auto fold_of = assign_grouped_folds(target, group_of, 5, 1);
  std::vector<double> positives(5, 0), all(5, 0);
  for (std::size_t t = 0; t < fold_of.size(); ++t) {
    for (std::size_t u = 0; u < t; ++u) {
      EXPECT_TRUE(group_of[u] != group_of[t] || fold_of[u] == fold_of[t]);
    }
    ++all[static_cast<std::size_t>(fold_of[t])];
    positives[static_cast<std::size_t>(fold_of[t])] += target.values[t] > 0;
  }
  for (std::size_t k = 0; k < 5; ++k) {  // 25 positive of 73; a group has at most 4
    EXPECT_NEAR(positives[k], 5, 2);
    EXPECT_NEAR(all[k], 14.6, 3);
  }
  EXPECT_NE(fold_of, assign_grouped_folds(target, group_of, 5, 2));
  EXPECT_THROW(assign_grouped_folds(target, group_of, 31, 1), OptionError);
  for (const Fold& fold : folds_from(assign_grouped_folds(target, group_of, 30, 1))) {
    EXPECT_FALSE(fold.left_out.empty());
  }
}

TEST(DealFolds, LeaveOutExamplesThatDoNotCount) {
  Dataset data = small_set();
  for (std::size_t t = 0; t < 60; t += 4) data.weights[t] = 0;
  const auto folds = deal_folds(data, 5, 2, 3);
  ASSERT_EQ(folds.size(), 10u);
  for (const Fold& fold : folds) {
    EXPECT_EQ(fold.fitted.size() + fold.left_out.size(), 45u);
    EXPECT_EQ(fold.left_out.size(), 9u);
    for (const auto* rows : {&fold.fitted, &fold.left_out}) {
      for (const Index t : *rows) EXPECT_GT(data.weights[static_cast<std::size_t>(t)], 0);
    }
  }
  EXPECT_THROW(deal_folds(data, 5, 0, 3), OptionError);
}

TEST(FoldsFrom, LeaveEachOutInTurn) {
  const auto folds = folds_from(std::vector<Index>{1, 0, 1});
  ASSERT_EQ(folds.size(), 2u);
  EXPECT_EQ(folds[0].fitted, (std::vector<Index>{0, 2}));
  EXPECT_EQ(folds[0].left_out, (std::vector<Index>{1}));
  EXPECT_EQ(folds[1].fitted, (std::vector<Index>{1}));
  EXPECT_THROW(folds_from(std::vector<Index>{0, 0}), OptionError);
  EXPECT_THROW(folds_from(std::vector<Index>{0, -1, 1}), OptionError);
  EXPECT_THROW(folds_from(std::vector<Index>{0, 2}), OptionError);
  EXPECT_THROW(folds_from(std::vector<Index>{}), OptionError);
}

}  // namespace
}  // namespace medlar
