// Missing cells of generative models: the row is scored over the columns that are there, at training and at prediction.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "medlar/anomaly.hpp"
#include "medlar/error.hpp"
#include "medlar/explain.hpp"
#include "medlar/priors/families/families.hpp"
#include "models/fit_data.hpp"
#include "models/generative/generative_settings.hpp"

namespace medlar::test {
namespace {

const double kNone = std::nan("");

// Whole numbers 0 and 1 where `bits`, else counts; every family takes one or the other.
Dataset counts(bool bits, int K, std::size_t examples, std::size_t features, unsigned seed) {
  std::mt19937_64 random(seed);
  Rows x;
  std::vector<double> y;
  for (std::size_t t = 0; t < examples; ++t) {
    const auto k = t % static_cast<std::size_t>(K);
    std::vector<double> row;
    for (std::size_t i = 0; i < features; ++i) {
      const double level = 1 + static_cast<double>((k + i) % static_cast<std::size_t>(K));
      row.push_back(bits ? (std::bernoulli_distribution(0.25 * level)(random) ? 1 : 0)
                         : std::poisson_distribution<int>(2 * level)(random));
    }
    x.push_back(row);
    y.push_back(static_cast<double>(k));
  }
  return dataset(x, y);
}

// E[log p] of some columns under one class, from the numbers of the model file alone.
double by_hand(const Model& model, const std::vector<double>& x, std::size_t k) {
  double sum = model.generative->class_bias[k];
  for (const GenerativeMember& member : model.generative->members) {
    std::vector<double> values, chi;
    std::vector<std::size_t> there;
    for (std::size_t i = 0; i < member.columns.size(); ++i) {
      const double value = x[static_cast<std::size_t>(member.columns[i])];
      if (std::isnan(value)) continue;
      there.push_back(i);
      values.push_back(value);
    }
    if (there.empty()) continue;
    const auto family = find_family(member.family)->make(std::ssize(there));
    const std::size_t d = member.columns.size();
    if (d == 1) {
      chi = member.chi[k];
    } else {
      for (const std::size_t i : there) chi.push_back(member.chi[k][i]);
      if (member.family == FamilyKind::gaussian_full) {
        for (const std::size_t i : there) {
          for (const std::size_t j : there) chi.push_back(member.chi[k][d + i * d + j]);
        }
        chi.push_back(member.chi[k].back());
      }
    }
    std::vector<double> u(chi.size());
    family->statistics_of(values, u);
    if (family->count() >= 0) u.back() = 1;
    sum += family->score(chi, u) + family->base_measure(values);
  }
  return sum;
}

TEST(MissingCells, AModelOfWholeRowsScoresTheColumnsThatAreThere) {
  for (const std::string& family : kFamilies) {
    for (const int K : {2, 3}) {
      const Dataset data = counts(numbers_for(family) == "bernoulli", K, 60, 4, 3);
      Settings settings = generative(family);
      settings.scale = ScaleKind::none;
      const Model model = fit(data, settings);
      for (const std::vector<double>& row :
           {std::vector<double>{1, kNone, 0, 1}, {kNone, 1, kNone, 0}, {kNone, kNone, kNone, 1}}) {
        const Prediction predicted = model.predict(dense({row}))[0];
        const auto k = static_cast<std::size_t>(predicted.label);
        const double wanted = K == 2 ? by_hand(model, row, 1) - by_hand(model, row, 0) : by_hand(model, row, k);
        EXPECT_NEAR(predicted.score, wanted, 1e-10 * (1 + std::abs(wanted))) << family << K;
        EXPECT_TRUE(std::isfinite(predicted.sd) && predicted.sd >= 0) << family;
        for (const Explanation& each : explain(model, dense({row}), 10)) {
          double sum = each.bias + each.added_by_others;
          for (const Contribution& one : each.largest) {
            sum += one.added;
            EXPECT_FALSE(std::isnan(one.value)) << family;  // a cell that is not there is no reason
          }
          const auto rival = static_cast<std::size_t>(each.rival);
          EXPECT_NEAR(sum, K == 2 ? wanted : wanted - by_hand(model, row, rival), 1e-9 * (1 + std::abs(wanted)))
              << family << K;
        }
      }
    }
  }
}

// c so small that the multipliers are as good as 0: chi is the prior and the statistics of the cells that are there.
TEST(MissingCells, HaveNoStatisticInTraining) {
  for (const std::string family : {"gaussian", "gaussian-diagonal", "bernoulli", "poisson", "exponential"}) {
    Dataset data = counts(family == "bernoulli", 2, 40, 2, 8);
    Rows x;
    double there = 0, sum = 0;
    for (Index t = 0; t < 40; ++t) {
      const NumbersView row = data.x.row(t).values;
      x.push_back({t % 3 == 0 ? kNone : row[0], row[1]});
      if (t % 3 == 0 || t % 2 == 0) continue;
      there += 1;
      sum += row[0];
    }
    Settings settings = generative(family);
    settings.scale = ScaleKind::none;
    settings.c = 1e-9;
    settings.margin_location = 1;
    const Model a = fit(dataset(x, data.target.values), settings);
    settings.prior_strength = 2;
    const Model b = fit(dataset(x, data.target.values), settings);
    EXPECT_EQ(a.report.status, Status::converged) << family << a.report.message;
    const std::vector<double>& once = a.generative->members[0].chi[1];
    const std::vector<double>& twice = b.generative->members[0].chi[1];
    // chi = strength p + u: the strengths 1 and 2 tell both.
    EXPECT_NEAR(2 * once.back() - twice.back(), there, 1e-6) << family;
    EXPECT_NEAR(2 * once[0] - twice[0], sum, 1e-6) << family;
  }
}

// Columns that are taken together: such a row moves no law, but its margin is that of the columns that are there.
TEST(MissingCells, OfColumnsTakenTogetherLeaveTheRowItsMargin) {
  for (const std::string family : {"gaussian-full", "multinomial"}) {
    const Dataset data = counts(false, 2, 60, 4, 5);
    Rows x;
    for (Index t = 0; t < 60; ++t) {
      const NumbersView row = data.x.row(t).values;
      x.push_back({row[0], t % 7 == 0 ? kNone : row[1], row[2], row[3]});
    }
    Settings settings = generative(family);
    const Model model = fit(dataset(x, data.target.values), settings);
    EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
    // Without these rows the laws are the same at multipliers of 0.
    settings.c = 1e-9;
    settings.margin_location = 1;
    Rows whole;
    std::vector<double> y;
    for (std::size_t t = 0; t < 60; ++t) {
      if (t % 7 == 0) continue;
      whole.push_back(x[t]);
      y.push_back(data.target.values[t]);
    }
    const Model a = fit(dataset(x, data.target.values), settings), b = fit(dataset(whole, y), settings);
    const std::vector<double>& with = a.generative->members[0].chi[0];
    const std::vector<double>& without = b.generative->members[0].chi[0];
    if (family == "multinomial") {
      for (std::size_t i = 0; i < with.size(); ++i) EXPECT_NEAR(with[i], without[i], 1e-6);
    } else {  // the prior's mean is that of all cells
      EXPECT_NEAR(with.back(), without.back(), 1e-6);
    }
    double right = 0;
    const auto predicted = model.predict(dense(x));
    for (std::size_t t = 0; t < 60; t += 7) right += predicted[t].label == static_cast<Index>(data.target.values[t]);
    EXPECT_GE(right, 7) << family;  // of 9
  }
}

TEST(MissingCells, AreLeftOutOfTheScale) {
  Dataset data = counts(false, 2, 40, 2, 4);
  Rows x;
  double sum = 0, squares = 0;
  for (Index t = 0; t < 40; ++t) {
    const NumbersView row = data.x.row(t).values;
    x.push_back({t < 20 ? row[0] : kNone, row[1]});
    if (t < 20) sum += row[0], squares += row[0] * row[0];
  }
  const Model model = fit(dataset(x, data.target.values), generative("gaussian"));
  EXPECT_EQ(model.report.status, Status::converged);
  EXPECT_NEAR(model.transforms[0].shift[0], sum / 20, 1e-12);
  EXPECT_NEAR(1 / model.transforms[0].factor[0], std::sqrt(squares / 20 - sum * sum / 400), 1e-12);
  EXPECT_TRUE(std::isfinite(model.predict(dense({{kNone, 2.0}}))[0].score));
}

TEST(MissingCells, InEveryRowOfColumnsTakenTogetherAreRefused) {
  EXPECT_THROW(
      fit(dataset({{1, kNone}, {kNone, 3}, {2, kNone}, {1, kNone}}, {0, 1, 0, 1}), generative("gaussian-full")),
      DataError);
  EXPECT_NO_THROW(
      fit(dataset({{1, kNone}, {kNone, 3}, {2, kNone}, {1, kNone}}, {0, 1, 0, 1}), generative("gaussian-diagonal")));
}

TEST(MissingCells, OfAnExpansionAreRefused) {
  Settings settings = generative("gaussian-diagonal");
  settings.expand = ExpansionKind::quadratic;
  EXPECT_THROW(fit(dataset({{1, 2}, {kNone, 3}, {2, 1}, {1, 1}}, {0, 1, 0, 1}), settings), OptionError);
}

// A column of small variance adds many nats; without it a row scores less, and is no odder for that.
TEST(MissingCells, AreNoReasonToBeOdd) {
  for (const std::string family : {"gaussian-diagonal", "gaussian-full"}) {
    std::mt19937_64 random(2);
    std::normal_distribution<double> normal(0, 1);
    Rows x;
    for (int t = 0; t < 200; ++t) x.push_back({normal(random), 1e-4 * normal(random), 5 + normal(random)});
    Settings settings = generative(family);
    settings.task = Task::anomaly;
    Dataset data = dataset(x, std::vector<double>(200, 0.0));
    data.target = {};
    const Model model = fit(data, settings);
    const Matrix rows = dense({{0.1, 1e-5, 5.1}, {0.1, kNone, 5.1}, {9.0, kNone, 5.1}});
    const auto judged = model.predict(rows);
    EXPECT_LT(judged[1].score, judged[0].score - 5) << family;
    EXPECT_NEAR(judged[1].score, by_hand(model, {0.1, kNone, 5.1}, 0), 1e-9);
    EXPECT_EQ(judged[0].label + judged[1].label, 0) << family;
    EXPECT_EQ(judged[2].label, 1) << family;
    EXPECT_EQ(contributions(model, rows)[1][1], 0);
    for (std::size_t t = 0; t < 200; t += 4) x[t][1] = kNone;  // rows with gaps among those of training
    data.x = dense(x);
    const Model holed = fit(data, settings);
    EXPECT_EQ(holed.report.status, Status::converged) << family << holed.report.message;
    Index odd = 0;
    const auto again = holed.predict(data.x);
    for (std::size_t t = 0; t < 200; t += 4) odd += again[t].label;
    EXPECT_LE(odd, 8) << family;  // of 50, alpha being 0.05
    EXPECT_EQ(holed.predict(rows)[1].label, 0) << family;
  }
}

// More columns than examples: kept in the directions of the examples, and read back as it was.
TEST(MissingCells, OfMoreColumnsThanExamples) {
  const Dataset data = counts(false, 2, 12, 20, 6);
  const Model model = fit(data, generative("gaussian-full"));
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  EXPECT_FALSE(model.generative->members[0].shape.empty());
  const Model again = model_from_json(to_json(model), "memory");
  EXPECT_EQ(again, model);
  std::vector<double> row;
  for (const NumbersView values = data.x.row(1).values; row.size() < 20;) row.push_back(values[row.size()]);
  EXPECT_EQ(again.predict(dense({row}))[0].score, model.predict(dense({row}))[0].score);
  row[3] = row[9] = kNone;
  EXPECT_TRUE(std::isfinite(model.predict(dense({row}))[0].score));
}

}  // namespace
}  // namespace medlar::test
