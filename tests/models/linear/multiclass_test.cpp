// Linear models of several classes, fitted jointly: what they equal, what leaves them alone, and that two solvers
// agree.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "medlar/metrics.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

Dataset three_classes(std::size_t examples, std::size_t features, unsigned seed, double zeros = 0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::bernoulli_distribution zero(zeros);
  Rows x;
  std::vector<double> y;
  for (std::size_t t = 0; t < examples; ++t) {
    std::vector<double> row(features);
    for (double& each : row) each = zero(random) ? 0 : normal(random);
    const double a = row[0] + 0.5 * normal(random), b = row[1] + 0.5 * normal(random);
    x.push_back(row);
    y.push_back(a > 0.4 ? 2 : b > 0 ? 1 : 0);
  }
  return zeros > 0 ? dataset(sparse(x), y) : dataset(x, y);
}

Settings joint(double p0, const std::string& margin = "exponential") {
  Settings settings = with(margin, p0, 1e-8);
  return settings;
}

// Sweeps alone, sparse and dense, few and many examples, with weights: the optimum of the interior-point method.
TEST(Multiclass, SweepsReachTheOptimumOfTheInteriorPoint) {
  struct Shape {
    std::size_t examples, features;
    double zeros;
  };
  int swept = 0;
  for (const auto& [examples, features, zeros] : {Shape{40, 60, 0.8}, {120, 8, 0.5}, {30, 50, 0}}) {
    for (const std::string margin : {"exponential", "laplace", "gaussian"}) {
      for (const double p0 : {1.0, 0.05, 1e-4}) {
        for (const std::string bias : {"flat", "none", "0.7"}) {
          SCOPED_TRACE(fmt::format("{} x {}, {}, p0 = {}, bias {}", examples, features, margin, p0, bias));
          Settings settings = joint(p0, margin);
          set_option(settings, "bias", bias);
          settings.solver = SolverKind::ascent;
          Dataset data = three_classes(examples, features, 5, zeros);
          for (std::size_t t = 0; t < examples; ++t) data.weights.push_back(t % 3 == 0 ? 2.5 : 1);
          const Model a = fit(data, settings);
          settings.solver = SolverKind::newton;
          const Model b = fit(data, settings);
          EXPECT_EQ(a.report.status, Status::converged) << a.report.solver << ": " << a.report.message;
          EXPECT_NEAR(a.report.objective, b.report.objective, 2e-7 * a.report.primal) << a.report.solver;
          EXPECT_LE(a.report.gap, 1e-8 * a.report.primal);
          swept += a.report.solver == "ascent between classes" ? 1 : 0;
          for (std::size_t i = 1; i < a.report.trace.size(); ++i) {
            EXPECT_GE(a.report.trace[i].objective, a.report.trace[i - 1].objective);
            EXPECT_LE(a.report.trace[i].primal, a.report.trace[i - 1].primal);
          }
        }
      }
    }
  }
  EXPECT_GT(swept, 40) << "too many of these were left to Newton";
}

TEST(Multiclass, TwoSolversReachTheSameCertifiedOptimum) {
  for (const std::string margin : {"exponential", "laplace", "gaussian"}) {
    for (const double p0 : {1.0, 0.05}) {
      for (const std::string bias : {"flat", "none", "0.7"}) {
        Settings settings = joint(p0, margin);
        set_option(settings, "bias", bias);
        const Dataset data = three_classes(60, 6, 3);
        settings.solver = SolverKind::primal_newton;
        const Model a = fit(data, settings);
        settings.solver = SolverKind::newton;
        const Model b = fit(data, settings);
        EXPECT_EQ(a.report.status, Status::converged)
            << margin << " p0 = " << p0 << " bias " << bias << ": " << a.report.message;
        EXPECT_EQ(b.report.status, Status::converged)
            << margin << " p0 = " << p0 << " bias " << bias << ": " << b.report.message;
        EXPECT_NEAR(a.report.objective, b.report.objective, 2e-7 * a.report.primal);
        for (std::size_t i = 0; i < a.multiclass->coefficient.size(); ++i) {
          EXPECT_NEAR(a.multiclass->coefficient[i], b.multiclass->coefficient[i], 2e-3);
        }
      }
    }
  }
}

TEST(Multiclass, TheHingeIsCertifiedToo) {
  const Model model = fit(three_classes(50, 4, 6), joint(1, "hinge"));
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
}

TEST(Multiclass, ClassesWithoutRelationChangeNothingButTheirNames) {
  Dataset data = three_classes(60, 5, 9);
  const Model a = fit(data, joint(0.1));
  for (double& label : data.target.values) label = label == 0 ? 7 : label == 1 ? 3 : 5;  // 1 < 2 < 0 in the new order
  const Model b = fit(data, joint(0.1));
  EXPECT_EQ(b.labels, (std::vector<std::string>{"3", "5", "7"}));
  EXPECT_NEAR(a.report.objective, b.report.objective, 1e-7 * a.report.primal);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(a.features[i].inclusion, b.features[i].inclusion, 1e-3);
    EXPECT_NEAR(a.multiclass->coefficient[i * 3 + 0], b.multiclass->coefficient[i * 3 + 2], 2e-3);
  }
}

// J of the joint problem at its own optimum, by the formulas of docs/theory.md#several-classes written out.
TEST(Multiclass, TheObjectiveIsThatOfTheTheory) {
  const Dataset data = three_classes(40, 3, 12);
  Settings settings = joint(1);
  settings.scale = ScaleKind::none;
  settings.bias = BiasKind::none;
  const Model model = fit(data, settings);
  // F(w) = |w|^2/2 + sum of losses at the model's own scores.
  double primal = 0;
  for (const double w : model.multiclass->coefficient) primal += 0.5 * w * w;
  for (std::size_t t = 0; t < 40; ++t) {
    const NumbersView x = data.x.row(static_cast<Index>(t)).values;
    const auto score = [&](std::size_t k) {
      double f = 0;
      for (std::size_t i = 0; i < 3; ++i) f += model.multiclass->coefficient[i * 3 + k] * x[i];
      return f;
    };
    const auto y = static_cast<std::size_t>(data.target.values[t]);
    for (std::size_t k = 0; k < 3; ++k) {
      const double d = 1 - (score(y) - score(k)), c = 3;
      if (k != y && d > 1 / c) primal += c * d - 1 - std::log(c * d);
    }
  }
  EXPECT_NEAR(model.report.primal, primal, 1e-9 * primal);
  EXPECT_NEAR(model.report.objective, primal, 1e-7 * primal);
}

TEST(Multiclass, SparseRowsAreTheDenseOnes) {
  const Dataset data = three_classes(50, 6, 15, 0.6);
  Rows x;
  for (Index t = 0; t < 50; ++t) {
    std::vector<double> row(6, 0.0);
    for_each(data.x.row(t), [&](Index i, double value) { row[static_cast<std::size_t>(i)] = value; });
    x.push_back(row);
  }
  Settings settings = joint(0.05);
  settings.scale = ScaleKind::maxabs;
  const Model a = fit(data, settings), b = fit(dataset(x, data.target.values), settings);
  EXPECT_NEAR(a.report.objective, b.report.objective, 1e-7 * a.report.primal);
}

TEST(Multiclass, SelectsTheFeaturesThatMatterInAnyClass) {
  const Model model = fit(three_classes(300, 10, 18), joint(1e-2));
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  for (std::size_t i = 2; i < 10; ++i) {
    EXPECT_LT(model.features[i].inclusion, model.features[0].inclusion);
    EXPECT_LT(model.features[i].inclusion, model.features[1].inclusion);
  }
}

TEST(Multiclass, PredictsAndReadsBackBitForBit) {
  const Dataset data = three_classes(120, 4, 20);
  const Model model = fit(data, joint(0.1));
  const Model again = model_from_json(to_json(model), "memory");
  EXPECT_EQ(again, model);
  const auto predictions = again.predict(data.x);
  Index right = 0;
  for (std::size_t t = 0; t < predictions.size(); ++t) {
    const Prediction& each = predictions[t];
    ASSERT_EQ(each.probabilities.size(), 3u);
    EXPECT_NEAR(std::accumulate(each.probabilities.begin(), each.probabilities.end(), 0.0), 1, 1e-12);
    EXPECT_EQ(each.probability, *std::max_element(each.probabilities.begin(), each.probabilities.end()));
    right += each.label == static_cast<Index>(data.target.values[t]);
  }
  EXPECT_GT(right, 80);
  const Comparison compared = compare(model, data);
  const MulticlassMetrics metrics = multiclass_metrics(compared.predicted, compared.y, 3);
  EXPECT_DOUBLE_EQ(metrics.accuracy, static_cast<double>(right) / 120);
  EXPECT_GT(metrics.auc, 0.8);
  Index all = 0;
  for (const auto& row : metrics.confusion) all += std::accumulate(row.begin(), row.end(), Index{0});
  EXPECT_EQ(all, 120);
  EXPECT_EQ(held_out_score(model, data).metric, "margin-loss");
}

TEST(Multiclass, ALargerExampleWeightIsTheRowRepeated) {
  Dataset once = three_classes(40, 3, 25);
  Settings settings = joint(0.1);
  settings.scale = ScaleKind::none;
  once.weights.assign(40, 1.0);
  once.weights[7] = 2;
  Rows x;
  std::vector<double> y = once.target.values;
  for (Index t = 0; t < 40; ++t) {
    const NumbersView row = once.x.row(t).values;
    x.push_back({row[0], row[1], row[2]});
  }
  x.push_back(x[7]);
  y.push_back(y[7]);
  EXPECT_NEAR(fit(once, settings).report.objective, fit(dataset(x, y), settings).report.objective, 1e-6);
}

}  // namespace
}  // namespace medlar::test
