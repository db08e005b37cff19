// Trees over categories: certified fits, and a dependence that independent columns cannot see.
#include <gtest/gtest.h>

#include "model/fit_data.hpp"

namespace medlar::test {
namespace {

// Bits a, b and c: in class 1 b repeats a, in class 0 it contradicts it; each alone is a fair coin.
Dataset dependent(std::size_t examples, unsigned seed) {
  std::mt19937_64 random(seed);
  std::bernoulli_distribution coin(0.5), noise(0.1);
  Rows x;
  std::vector<double> y;
  for (std::size_t t = 0; t < examples; ++t) {
    const bool label = t % 2 == 1, a = coin(random), b = (a == label) != noise(random);
    x.push_back({a ? 1.0 : 0.0, b ? 1.0 : 0.0, coin(random) ? 1.0 : 0.0});
    y.push_back(label);
  }
  return dataset(x, y);
}

Settings tree() {
  Settings settings;
  settings.model = "generative";
  settings.family = "tree";
  settings.task = "classify";
  settings.calibration = "left-out";
  return settings;
}

double accuracy(const Model& model, const Dataset& data) {
  const auto predictions = model.predict(data.x);
  double right = 0;
  for (std::size_t t = 0; t < predictions.size(); ++t) {
    right += predictions[t].label == static_cast<Index>(data.target.values[t]);
  }
  return right / static_cast<double>(predictions.size());
}

TEST(TreeFit, SeesWhatIndependentColumnsCannot) {
  const Dataset train = dependent(200, 3), test = dependent(400, 4);
  const Model model = fit(train, tree());
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  EXPECT_GT(accuracy(model, test), 0.85);
  Settings apart = tree();
  apart.family = "bernoulli";
  EXPECT_LT(accuracy(fit(train, apart), test), 0.65);
  EXPECT_GT(model.predict(test.x)[0].sd, 0);
}

TEST(TreeFit, ReadsBackBitForBit) {
  const Dataset data = dependent(60, 5);
  const Model model = fit(data, tree());
  const Model again = model_from_json(to_json(model), "memory");
  EXPECT_EQ(again, model);
  EXPECT_EQ(again.predict(data.x)[3].score, model.predict(data.x)[3].score);
}

TEST(TreeFit, AMissingCellSaysNothing) {
  const Model model = fit(dependent(60, 6), tree());
  const double missing = std::nan("");
  EXPECT_NEAR(model.predict(dense({{missing, missing, missing}}))[0].score, model.bias, 1e-12);
}

}  // namespace
}  // namespace medlar::test
