// Folds with their share of each class, subsets that keep what belongs together, and the choice of the best candidate.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "medlar/error.hpp"
#include "medlar/metrics.hpp"

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

TEST(CrossValidation, NeverShowsAFitTheExamplesItIsMeasuredOn) {
  const Dataset data = small_set();
  int measured = 0;
  const std::vector<Candidate> grid{{0.5, 3.0}};
  const auto result = cross_validate(data, {}, grid, 5, [&](const Model& model, const Dataset& left_out) {
    EXPECT_EQ(model.examples + left_out.examples(), 60);
    EXPECT_EQ(model.examples, 48);
    measured += static_cast<int>(left_out.examples());
    return held_out_score(model, left_out);
  });
  EXPECT_EQ(measured, 60);
  EXPECT_EQ(result.metric, "auc");
  EXPECT_EQ(result.scores[0].folds.size(), 5u);
  EXPECT_GT(result.scores[0].mean, 0.8);
}

TEST(CrossValidation, PicksTheBestMeanAndOfEqualsTheSmallestP0) {
  const Dataset data = small_set();
  const std::vector<Candidate> grid{{1, 3.0}, {0.1, 3.0}, {0.5, 3.0}, {0.2, 3.0}};
  const auto best_by = [&](bool higher, auto value) {
    return cross_validate(data, {}, grid, 2,
                          [&](const Model& model, const Dataset&) {
                            return Measured{"made up", value(model.settings.p0), higher};
                          })
        .best;
  };
  EXPECT_EQ(best_by(true, [](double p0) { return p0; }), 0u);
  EXPECT_EQ(best_by(false, [](double p0) { return p0; }), 1u);
  EXPECT_EQ(best_by(true, [](double) { return 0.5; }), 1u);
  EXPECT_EQ(best_by(true, [](double p0) { return p0 == 0.1 ? 0.0 : 0.5; }), 3u);
}

TEST(CrossValidation, StandardErrorIsThatOfTheMean) {
  const Dataset data = small_set();
  double next = 0;
  const std::vector<Candidate> grid{{1, 3.0}};
  const auto result = cross_validate(data, {}, grid, 4, [&](const Model&, const Dataset&) {
    return Measured{"made up", next++, true};  // 0, 1, 2, 3: mean 1.5, variance 5/3
  });
  EXPECT_DOUBLE_EQ(result.scores[0].mean, 1.5);
  EXPECT_DOUBLE_EQ(result.scores[0].standard_error, std::sqrt(5.0 / 3 / 4));
}

TEST(CrossValidation, FoldsMayBeGiven) {
  const Dataset data = small_set();
  const std::vector<Candidate> grid{{1, 3.0}};
  const auto assigned = assign_folds(data.target, data.examples(), 4, Settings{}.seed);
  const auto given = cross_validate(data, {}, grid, std::span<const Index>(assigned), held_out_score);
  EXPECT_EQ(given.scores[0].folds, cross_validate(data, {}, grid, 4, held_out_score).scores[0].folds);
  for (const Index odd : {Index{-1}, Index{6}, Index{1} << 60}) {
    std::vector<Index> broken = assigned;
    broken[0] = odd;
    EXPECT_THROW(cross_validate(data, {}, grid, std::span<const Index>(broken), held_out_score), OptionError);
  }
  EXPECT_THROW(cross_validate(data, {}, grid, std::span<const Index>(assigned).first(3), held_out_score), OptionError);
}

TEST(CrossValidation, EndsWhenAsked) {
  struct Impatient : Observer {
    bool stop_requested() override { return true; }
  } impatient;
  const std::vector<Candidate> grid{{1, 3.0}};
  EXPECT_TRUE(cross_validate(small_set(), {}, grid, 4, held_out_score, &impatient).interrupted);
  EXPECT_THROW(cross_validate(small_set(), {}, {}, 4, held_out_score), OptionError);
}

}  // namespace
}  // namespace medlar
