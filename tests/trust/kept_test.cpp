// Covariates that stay in, where features are chosen: refits, knockoffs, refits of few features, folds.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "medlar/fit.hpp"
#include "medlar/folds.hpp"
#include "medlar/selection.hpp"
#include "medlar/trust/copies.hpp"
#include "medlar/tune.hpp"
#include "models/fit_data.hpp"

namespace medlar {
namespace {

using test::dataset;
using test::Rows;

constexpr std::size_t kAge = 7;

// f7 is a covariate: it decides the label together with f0 and f1, and f2 to f6 are f7 with noise. The rest is noise.
Dataset confounded(std::size_t examples, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Rows x;
  std::vector<double> y;
  for (std::size_t t = 0; t < examples; ++t) {
    std::vector<double> row(24);
    for (double& each : row) each = normal(random);
    for (std::size_t i = 2; i < kAge; ++i) row[i] = 1.5 * row[kAge] + row[i];
    y.push_back(2 * row[kAge] + row[0] - row[1] + 0.8 * normal(random) > 0 ? 1 : -1);
    x.push_back(std::move(row));
  }
  return dataset(x, std::move(y));
}

Settings keeping() {
  Settings settings;
  settings.keep = {"f7"};
  return settings;
}

TEST(KeptInStability, IsNeverChosen) {
  const Dataset data = confounded(160, 2);
  StabilityOptions how;
  how.refits = 20;
  const auto without = measure_stability(data, {}, how), with = measure_stability(data, keeping(), how);
  ASSERT_TRUE(without && with);
  EXPECT_GT(without->fraction[kAge], 0.7);
  EXPECT_EQ(with->fraction[kAge], 0);
  EXPECT_EQ(with->different, 23);
  double sum = 0;
  for (const double each : with->fraction) sum += each;
  EXPECT_NEAR(sum, with->chosen, 1e-9);
  for (const std::size_t i : {0, 1}) EXPECT_GE(with->fraction[i], with->threshold);
}

// A twin of a kept column says nothing beside it, and stands for itself.
TEST(KeptInStability, ATwinOfItIsAFeatureLikeOthers) {
  Dataset data = confounded(120, 3);
  std::vector<double> values;
  for (Index t = 0; t < data.examples(); ++t) {
    const std::size_t begin = values.size();
    for_each(data.x.row(t), [&](Index, double value) { values.push_back(value); });
    values.push_back(-2 * values[begin + kAge] + 1);
  }
  data.x = Matrix::dense(data.examples(), 25, std::move(values));
  data.names.push_back("f24"), data.schema.columns.push_back({"f24", {}, {}}), data.schema.features = 25;
  StabilityOptions how;
  how.refits = 10;
  const auto found = measure_stability(data, keeping(), how);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->fraction[kAge], 0);
  EXPECT_EQ(found->different, 24);
  const Model model = fit(data, keeping());
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  EXPECT_LT(std::abs(model.features[24].coefficient), 1e-3);
}

// Copies given a column relate to it as the features do, and to the features only through it where these do.
TEST(KeptInKnockoffs, CopiesAreMadeGivenIt) {
  const Dataset data = confounded(4000, 4);
  const std::vector<Index> kept{kAge};
  const Copies copies = gaussian_copies_given(data.x, kept, false);
  const std::vector<double> copy = copies.draw(1).copy;
  std::vector<std::vector<double>> x(24), c(24);
  for (Index t = 0; t < data.examples(); ++t) {
    for_each(data.x.row(t), [&](Index i, double value) { x[static_cast<std::size_t>(i)].push_back(value); });
    for (std::size_t i = 0; i < 24; ++i) c[i].push_back(copy[static_cast<std::size_t>(t) * 24 + i]);
  }
  const auto covariance = [](const std::vector<double>& a, const std::vector<double>& b) {
    double ab = 0, ma = 0, mb = 0;
    for (std::size_t t = 0; t < a.size(); ++t) ab += a[t] * b[t], ma += a[t], mb += b[t];
    const auto T = static_cast<double>(a.size());
    return ab / T - ma * mb / (T * T);
  };
  const double wrong = 8 / std::sqrt(4000.0);  // variances are up to 3.25, and err by 1.4 of themselves / sqrt(T)
  for (const std::size_t i : {0, 2, 3, 6, 9}) {
    EXPECT_NEAR(covariance(c[i], x[kAge]), covariance(x[i], x[kAge]), wrong) << i;
    EXPECT_NEAR(covariance(c[i], c[i]), covariance(x[i], x[i]), wrong) << i;
  }
  EXPECT_NEAR(covariance(c[2], x[3]), covariance(x[2], x[3]), wrong);  // both by f7
  EXPECT_LT(covariance(c[2], x[2]), 2.25 + 0.2);                       // what is its own is drawn anew
  EXPECT_EQ(copies.draw(1).copy, copy);
}

TEST(KeptInKnockoffs, OnlyOthersAreDiscovered) {
  const Dataset data = confounded(400, 5);
  DiscoveryOptions how;
  how.fdr = 0.5;
  how.draws = 1;
  const auto found = discover(data, keeping(), how);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->construction, KnockoffKind::gaussian);
  EXPECT_EQ(found->statistic[kAge], 0);
  EXPECT_EQ(found->probability[kAge], 0);
  EXPECT_EQ(found->units, 23);
  EXPECT_GT(found->statistic[0], 0);
  EXPECT_GT(found->statistic[1], 0);
  EXPECT_GE(found->statistic[0], found->threshold);
}

TEST(KeptInRefits, IsNeverDroppedNorCounted) {
  const Dataset data = confounded(150, 6);
  const Model ranking = fit(data, keeping());
  for (const Index count : {1, 2, 5}) {
    SCOPED_TRACE(count);
    const Model model = relaxed_refit(data, keeping(), ranking, count, nullptr);
    EXPECT_TRUE(model.features[kAge].kept);
    Index in = 0;
    for (const Feature& feature : model.features) in += feature.inclusion > 0 && !feature.kept ? 1 : 0;
    EXPECT_EQ(in, count);
    EXPECT_EQ(model.selected(), count);
    EXPECT_NE(model.features[kAge].coefficient, 0);
  }
}

// What is left out of a fold has no say in its fit: the folds' scores are those of fits to their parts alone.
TEST(KeptInFolds, SeesNothingThatIsLeftOut) {
  Dataset data = confounded(90, 7);
  Fold fold;
  for (Index t = 0; t < 90; ++t) (t % 3 == 0 ? fold.left_out : fold.fitted).push_back(t);
  Settings settings = keeping();
  settings.seed = 1;
  const auto coefficients = [&](const Dataset& of) {
    const Model model = fit(fitted_part(of, fold.fitted), settings);
    std::vector<double> all;
    for (const Feature& feature : model.features) all.push_back(feature.coefficient);
    return all;
  };
  const std::vector<double> before = coefficients(data);
  std::vector<double> values;
  for (Index t = 0; t < 90; ++t) {
    for_each(data.x.row(t), [&](Index, double value) { values.push_back(t % 3 == 0 ? 100 - value : value); });
  }
  data.x = Matrix::dense(90, 24, std::move(values));
  EXPECT_EQ(coefficients(data), before);
}

}  // namespace
}  // namespace medlar
