// The list beside the predictor, probabilities and intervals: against enumeration and brute force, and what a tune says
// of data whose truth is known.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "medlar/answer/judge.hpp"
#include "medlar/answer/projection.hpp"
#include "medlar/calibration/by_folds.hpp"
#include "medlar/fit.hpp"
#include "medlar/metrics.hpp"
#include "medlar/tune.hpp"
#include "models/fit_data.hpp"

namespace medlar {
namespace {

// `count` examples of `features` normal numbers, of which the first three matter.
Dataset three_matter(bool classify, int count, int features, unsigned seed, double strength = 1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  test::Rows x;
  std::vector<double> y;
  for (int t = 0; t < count; ++t) {
    std::vector<double> row(static_cast<std::size_t>(features));
    for (double& each : row) each = normal(random);
    const double f = strength * (2 * row[0] - 1.5 * row[1] + row[2]) + normal(random);
    y.push_back(classify ? (f > 0 ? 1 : -1) : f);
    x.push_back(std::move(row));
  }
  return test::dataset(x, y);
}

Model answered(const Dataset& data, Settings settings, Index repeats = 1) {
  TuneOptions how;
  how.repeats = repeats;
  const Tuning tuned = [&] {
    Tuning all = tune(data, settings, usual_candidates(data, settings), how, held_out_score);
    all.chosen = all.best;
    return all;
  }();
  return fit_answer(data, settings, tuned);
}

// The columns of the model's features, standardised.
Eigen::MatrixXd standardised(const Dataset& data) {
  Eigen::MatrixXd q(data.examples(), data.features());
  for (Index t = 0; t < data.examples(); ++t) {
    for_each(data.x.row(t), [&](Index i, double value) { q(t, i) = value; });
  }
  q.rowwise() -= q.colwise().mean().eval();
  for (Index i = 0; i < q.cols(); ++i) q.col(i) /= std::sqrt(q.col(i).squaredNorm() / static_cast<double>(q.rows()));
  return q;
}

TEST(Projection, IsRidgeRegressionOnTheScores) {
  const Dataset data = three_matter(false, 60, 8, 1);
  Settings settings;
  settings.p0 = 1;
  const Model model = fit(data, settings);
  const std::vector<Prediction> predicted = model.predict(data.x);
  const Eigen::MatrixXd q = standardised(data);
  for (const double share : {0.0, 0.5, 1.0}) {
    const ListSpec spec{0, ListOrder::size, 4, 0.3, share};
    const ProjectedList list = project(model, data, {&spec, 1}).front();
    ASSERT_EQ(list.features.size(), 4u);
    Eigen::MatrixXd chosen(60, 4);
    Eigen::VectorXd goal(60);
    for (Index t = 0; t < 60; ++t) {
      const auto at = static_cast<std::size_t>(t);
      goal[t] = (1 - share) * predicted[at].score + share * data.target.values[at];
    }
    for (Index j = 0; j < 4; ++j) chosen.col(j) = q.col(list.features[static_cast<std::size_t>(j)]);
    const double mean = goal.mean();
    const Eigen::MatrixXd system = chosen.transpose() * chosen + 0.3 * 60 * Eigen::MatrixXd::Identity(4, 4);
    const Eigen::VectorXd u =
        system.fullPivLu().solve(chosen.transpose() * (goal - Eigen::VectorXd::Constant(60, mean)));
    const Eigen::VectorXd expected = (chosen * u).array() + mean;
    const auto scores = scores_of(model, {&list, 1}, data.x).front();
    for (Index t = 0; t < 60; ++t) EXPECT_NEAR(scores[static_cast<std::size_t>(t)], expected[t], 1e-5);
  }
}

// Dropping one of all: the penalised squares rise least, as enumeration says.
TEST(Projection, EliminationDropsWhatCostsLeast) {
  const Dataset data = three_matter(false, 40, 6, 2);
  Settings settings;
  settings.p0 = 1;
  const Model model = fit(data, settings);
  const Eigen::MatrixXd q = standardised(data);
  Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(data.target.values.data(), 40);
  y.array() -= y.mean();
  const auto cost = [&](const std::vector<Index>& kept) {
    Eigen::MatrixXd part(40, static_cast<Index>(kept.size()));
    for (std::size_t j = 0; j < kept.size(); ++j) part.col(static_cast<Index>(j)) = q.col(kept[j]);
    const double ridge = 0.03 * 40;
    const Eigen::MatrixXd system =
        part.transpose() * part + ridge * Eigen::MatrixXd::Identity(part.cols(), part.cols());
    const Eigen::VectorXd u = system.fullPivLu().solve(part.transpose() * y);
    return (y - part * u).squaredNorm() + ridge * u.squaredNorm();
  };
  std::vector<Index> left{0, 1, 2, 3, 4, 5};
  for (Index keep = 5; keep >= 1; --keep) {
    double least = HUGE_VAL;
    std::vector<Index> best;
    for (std::size_t gone = 0; gone < left.size(); ++gone) {
      std::vector<Index> others = left;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(gone));
      if (cost(others) < least) least = cost(others), best = others;
    }
    left = best;
    const ListSpec spec{0, ListOrder::elimination, keep, 0.03, 1};
    std::vector<Index> chosen = project(model, data, {&spec, 1}).front().features;
    std::sort(chosen.begin(), chosen.end());
    EXPECT_EQ(chosen, left);
  }
}

TEST(MapPlatt, IsTheLeastOfAFineGrid) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const double truth : {0.0, 0.5, 6.0}) {
    std::vector<double> score, weight;
    std::vector<Index> y;
    for (int t = 0; t < 60; ++t) {
      score.push_back(normal(random));
      y.push_back(normal(random) < truth * score.back() + 0.4 ? 1 : 0);
      weight.push_back(t % 3 == 0 ? 0.5 : 1);
    }
    const auto value = [&](double log_slope, double b) {
      const double away = log_slope - std::log(4.0);
      double sum = 2 * std::log1p(away * away / 3) + b * b / 18;
      for (std::size_t t = 0; t < y.size(); ++t) {
        const double f = std::exp(log_slope) * score[t] + b;
        sum += weight[t] * std::log1p(std::exp(y[t] == 1 ? -f : f));
      }
      return sum;
    };
    const Recalibration curve = map_platt(score, y, weight, 60, 4);
    const double found = value(std::log(curve.slope), curve.intercept);
    for (double s = -8; s <= 4; s += 0.05) {
      for (double b = -4; b <= 4; b += 0.05) ASSERT_GE(value(s, b), found - 1e-6) << truth << " " << s << " " << b;
    }
    EXPECT_DOUBLE_EQ(curve.floor, 1.0 / 62);
    EXPECT_LE(curve.at(1e6), 1 - 1.0 / 62);
  }
}

TEST(MapTemperature, OfTwoLabelsIsPlattWithoutAnIntercept) {
  const std::vector<double> scores{1, -1, 0.5, -0.5, -2, 2, -0.2, 0.2, 0.3, -0.3};
  const std::vector<Index> y{0, 0, 1, 0, 0};
  const Recalibration curve = map_temperature(scores, y, {}, 5, 4);
  const auto value = [&](double log_slope) {
    const double away = log_slope - std::log(4.0), slope = std::exp(log_slope);
    double sum = 2 * std::log1p(away * away / 3);
    for (std::size_t t = 0; t < y.size(); ++t) {
      const double margin = slope * (scores[2 * t] - scores[2 * t + 1]) * (y[t] == 0 ? 1 : -1);
      sum += std::log1p(std::exp(-margin));
    }
    return sum;
  };
  for (double s = -8; s <= 5; s += 0.001) ASSERT_GE(value(s), value(std::log(curve.slope)) - 1e-7) << s;
  const auto p = curve.among(std::vector<double>{1, 0});
  EXPECT_NEAR(p[0] + p[1], 1, 1e-15);
  EXPECT_GE(p[1], 1.0 / 12 - 1e-15);  // half of the weight 1/6 of equal shares
}

TEST(Answer, TheListHasWhatMattersAndLittleElse) {
  for (const bool classify : {true, false}) {
    const Model model = answered(three_matter(classify, 240, 60, 7), {});
    ASSERT_TRUE(model.list && model.answer);
    for (const Index i : {0, 1, 2}) EXPECT_TRUE(model.is_selected(static_cast<std::size_t>(i))) << classify << i;
    EXPECT_LE(model.selected(), 12);
    EXPECT_EQ(model.selected_by(), SelectedBy::list);
    EXPECT_LT(model.list->score.loss, model.answer->nothing.loss);
    EXPECT_EQ(verdict(model).size(), 2u);
    const Model narrow = list_model(model);
    for (std::size_t i = 0; i < narrow.features.size(); ++i) {
      EXPECT_EQ(narrow.features[i].coefficient != 0, model.is_selected(i));
    }
  }
}

TEST(Answer, NoiseHasAnEmptyListAndSaysWhatToDo) {
  std::mt19937_64 random(11);
  Dataset data = three_matter(true, 90, 200, 12);
  std::shuffle(data.target.values.begin(), data.target.values.end(), random);
  const Model model = answered(data, {});
  ASSERT_TRUE(model.list);
  EXPECT_TRUE(model.list->features.empty());
  EXPECT_EQ(model.selected(), 0);
  EXPECT_NE(verdict(model).back().find("the list is empty"), std::string::npos);
  for (const Prediction& each : list_model(model).predict(data.x)) EXPECT_NEAR(each.probability, 0.5, 0.1);
}

TEST(Answer, LabelsAreTheMostProbableOnes) {
  Dataset data = three_matter(true, 300, 5, 13, 0.4);
  for (std::size_t t = 0; t < 300; ++t) {
    if (t % 3 != 0) data.target.values[t] = -1;  // unequal classes: the curve shifts the border
  }
  const Model model = answered(data, {});
  for (const Prediction& each : model.predict(data.x)) EXPECT_EQ(each.label, each.probability > 0.5 ? 1 : 0);
  const auto& scores = *model.recalibration;
  EXPECT_LE(scores.after.log_loss, model.answer->nothing.loss + 0.01);
}

TEST(Answer, DoesNotDependOnThreadsAndIsKeptByTheModelFile) {
  for (const bool classify : {true, false}) {
    const Dataset data = three_matter(classify, 80, 100, 17);
    Settings one, four;
    one.threads = 1;
    four.threads = 4;
    const Model model = answered(data, one);
    EXPECT_EQ(answered(data, four).list, model.list);
    EXPECT_EQ(model_from_json(to_json(model), "here"), model);
  }
}

// Three labels, one of them with two examples: folds that leave both out cannot score its label, and are not counted as
// if they had been right.
TEST(Answer, FoldsWithoutALabelAreNotCounted) {
  Dataset data = three_matter(false, 90, 6, 23);
  for (std::size_t t = 0; t < 90; ++t) data.target.values[t] = t < 2 ? 2 : data.target.values[t] > 0 ? 1 : 0;
  Settings settings;
  settings.task = Task::classify;
  TuneOptions how;
  how.given.resize(3);
  for (Index t = 0; t < 90; ++t) {
    const Index mine = t < 2 ? 0 : t % 3;
    for (Index fold = 0; fold < 3; ++fold) {
      auto& part = how.given[static_cast<std::size_t>(fold)];
      (fold == mine ? part.left_out : part.fitted).push_back(t);
    }
  }
  Tuning tuned = tune(data, settings, std::vector<TuneCandidate>{{1, {}, 1.0, {}}}, how, held_out_score);
  const Model model = fit_answer(data, settings, tuned);
  ASSERT_TRUE(model.answer);
  EXPECT_EQ(model.answer->examples, std::ssize(how.given[1].left_out) + std::ssize(how.given[2].left_out));
  EXPECT_GT(model.answer->predictor.loss, 0.02);
  double gain = model.answer->nothing.loss - model.answer->predictor.loss;
  EXPECT_NEAR(model.answer->gain, gain, 1e-9);  // both over the same examples
}

// Targets of a fold change nothing in what that fold's lists predict.
TEST(Answer, ListsKnowNothingOfTheFoldThatTheyAreJudgedBy) {
  Dataset data = three_matter(false, 60, 20, 19);
  TuneOptions how;
  how.given = {{{}, {}}, {{}, {}}};
  for (Index t = 0; t < 60; ++t) {
    how.given[t % 2].left_out.push_back(t);
    how.given[1 - t % 2].fitted.push_back(t);
  }
  const std::vector<TuneCandidate> grid{{1, {}, 1.0, {}}};
  Settings settings;
  settings.c = 1;
  const auto before = tune(data, settings, grid, how, held_out_score).left_out.scores;
  for (std::size_t t = 0; t < 60; t += 2) data.target.values[t] *= -3;
  const auto after = tune(data, settings, grid, how, held_out_score).left_out.scores;
  ASSERT_FALSE(before->of_list.empty());
  for (std::size_t s = 0; s < before->of_list.size(); ++s) EXPECT_EQ(before->of_list[s][0], after->of_list[s][0]);
}

TEST(Intervals, CoverNewExamples) {
  double covered = 0, total = 0;
  for (unsigned draw = 0; draw < 12; ++draw) {
    const Dataset data = three_matter(false, 100, 10, 100 + draw), others = three_matter(false, 400, 10, 200 + draw);
    const Model model = answered(data, {});
    const double half = model.errors->half_width(0.9);
    const auto predicted = model.predict(others.x);
    for (std::size_t t = 0; t < 400; ++t) {
      covered += std::abs(predicted[t].score - others.target.values[t]) <= half ? 1 : 0;
      total += 1;
    }
  }
  EXPECT_NEAR(covered / total, 0.9, 0.03);
}

TEST(Intervals, AreTheRankedErrorOfTheLevel) {
  const LeftOutErrors errors{9, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
  EXPECT_EQ(errors.half_width(0.5), 5);
  EXPECT_EQ(errors.half_width(0.9), 9);
  EXPECT_EQ(errors.half_width(0.95), HUGE_VAL);
}

TEST(Evident, APerfectFeatureIsInAndNoiseIsOut) {
  for (const double p0 : {1.0, 0.5, 1e-3, 1e-7}) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    test::Rows x;
    std::vector<double> y;
    for (int t = 0; t < 60; ++t) {
      std::vector<double> row(12);
      for (double& each : row) each = normal(random);
      y.push_back(t % 2 == 0 ? 1 : -1);
      row[4] = y.back();
      x.push_back(std::move(row));
    }
    Settings settings;
    settings.p0 = p0;
    settings.task = Task::classify;
    EXPECT_EQ(fit(test::dataset(x, y), settings).evident, std::vector<Index>{4}) << p0;
    std::shuffle(y.begin(), y.end(), random);
    for (std::size_t t = 0; t < 60; ++t) x[t][4] = normal(random);
    EXPECT_EQ(fit(test::dataset(x, y), settings).selected(), 0) << p0;
  }
}

}  // namespace
}  // namespace medlar
