// Several classes by a kernel: every two of them as the model of those two alone, and the winner from their scores.
#include <gtest/gtest.h>

#include "medlar/io.hpp"
#include "models/fit_data.hpp"
#include "models/kernel/clouds.hpp"
#include "models/kernel/naive_kernel.hpp"
#include "refusals/refusal.hpp"

namespace medlar::test {
namespace {

Settings pair_settings(const std::string& margin, const std::string& kernel) {
  Settings settings = with(margin, 1, 1e-8);
  settings.model = ModelKind::kernel;
  settings.task = Task::classify;
  set_option(settings, "kernel", kernel);
  settings.scale = ScaleKind::none;
  settings.threads = 1;
  if (kernel == "rbf") settings.gamma = 0.4;
  return settings;
}

TEST(KernelPairs, EachPairIsTheModelOfItsTwoClasses) {
  const Sample s = three_clouds(90, 4), fresh = three_clouds(30, 5);
  for (const std::string& margin : kClassifiers) {
    SCOPED_TRACE(margin);
    const Settings settings = pair_settings(margin, "rbf");
    const Model model = fit(dataset(s.x, s.y), settings);
    EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
    EXPECT_LE(model.report.relative_gap, 1e-8);
    EXPECT_EQ(model.labels, (std::vector<std::string>{"0", "1", "2"}));
    std::vector<std::vector<double>> against(3, std::vector<double>(fresh.x.size(), HUGE_VAL));
    double objective = 0;
    for (int a = 0; a < 3; ++a) {
      for (int b = a + 1; b < 3; ++b) {
        Sample two;
        for (std::size_t t = 0; t < s.x.size(); ++t) {
          if (s.y[t] != a && s.y[t] != b) continue;
          two.x.push_back(s.x[t]);
          two.y.push_back(s.y[t] == a ? 1 : -1);
        }
        const Model alone = fit(dataset(two.x, two.y), settings);
        objective += alone.report.objective;
        const std::vector<Prediction> scores = alone.predict(dense(fresh.x));
        for (std::size_t t = 0; t < fresh.x.size(); ++t) {
          auto& left = against[static_cast<std::size_t>(a)][t];
          auto& right = against[static_cast<std::size_t>(b)][t];
          left = std::min(left, scores[t].score);
          right = std::min(right, -scores[t].score);
        }
      }
    }
    EXPECT_NEAR(model.report.objective, objective, 1e-7 * objective);
    const std::vector<Prediction> found = model.predict(dense(fresh.x));
    for (std::size_t t = 0; t < fresh.x.size(); ++t) {
      const std::vector<double> least{against[0][t], against[1][t], against[2][t]};
      const auto best = std::max_element(least.begin(), least.end()) - least.begin();
      EXPECT_EQ(found[t].label, best);
      EXPECT_NEAR(found[t].score, least[static_cast<std::size_t>(best)], 1e-3);
      ASSERT_EQ(found[t].probabilities.size(), 3u);
      EXPECT_NEAR(found[t].probabilities[0] + found[t].probabilities[1] + found[t].probabilities[2], 1, 1e-12);
      EXPECT_EQ(std::max_element(found[t].probabilities.begin(), found[t].probabilities.end()) -
                    found[t].probabilities.begin(),
                best);
    }
  }
}

TEST(KernelPairs, PrecomputedIsComputedAndReadsBackBitForBit) {
  const Sample s = three_clouds(60, 7);
  const Settings settings = pair_settings("hinge", "rbf");
  const Model computed = fit(dataset(s.x, s.y), settings);
  Rows gram(s.x.size(), std::vector<double>(s.x.size()));
  for (std::size_t t = 0; t < s.x.size(); ++t) {
    for (std::size_t u = 0; u < s.x.size(); ++u) {
      double distance = 0;
      for (std::size_t i = 0; i < 2; ++i) distance += (s.x[t][i] - s.x[u][i]) * (s.x[t][i] - s.x[u][i]);
      gram[t][u] = std::exp(-0.4 * distance);
    }
  }
  const Model given = fit(dataset(gram, s.y), pair_settings("hinge", "precomputed"));
  const auto a = computed.predict(dense(s.x)), b = given.predict(dense(gram));
  for (std::size_t t = 0; t < a.size(); ++t) {
    EXPECT_EQ(a[t].label, b[t].label);
    EXPECT_NEAR(a[t].score, b[t].score, 1e-3);
  }
  const Model again = model_from_json(to_json(computed), "memory");
  const auto c = again.predict(dense(s.x));
  for (std::size_t t = 0; t < a.size(); ++t) EXPECT_EQ(a[t].score, c[t].score);
}

TEST(KernelPairs, AWeightOfTwoIsTheRowTwice) {
  const Sample s = three_clouds(45, 9);
  std::vector<double> weights(s.x.size(), 1.0), y = s.y;
  Rows x = s.x;
  for (const std::size_t t : {2u, 10u, 21u}) x.push_back(s.x[t]), y.push_back(s.y[t]), weights[t] = 2;
  const Settings settings = pair_settings("exponential", "rbf");
  const auto a = fit(dataset(s.x, s.y, weights), settings).predict(dense(s.x));
  const auto b = fit(dataset(x, y), settings).predict(dense(s.x));
  for (std::size_t t = 0; t < a.size(); ++t) EXPECT_NEAR(a[t].score, b[t].score, 1e-4);
}

TEST(KernelPairs, ALabelWithoutExamplesIsRefused) {
  const Sample s = three_clouds(30, 11);
  std::vector<double> weights(s.x.size(), 1.0);
  for (std::size_t t = 0; t < s.x.size(); ++t) weights[t] = s.y[t] == 2 ? 0 : 1;
  expect_data_error(dataset(s.x, s.y, weights), pair_settings("hinge", "rbf"),
                    "no example of the label '2' counts, so that its flat bias would be unbounded; add examples of it, "
                    "or leave it out");
}

}  // namespace
}  // namespace medlar::test
