// Covariates that stay in: what leaves the fit alone, several classes, paths, categories, and what is refused.
#include "medlar/error.hpp"
#include "medlar/path.hpp"
#include "models/linear/kept.hpp"

namespace medlar::test {
namespace {

// Kept columns in other units, shifted and mixed, span the same: predictions and J stay.
TEST(Kept, MayBeMixedAndShifted) {
  for (const std::string margin : {"exponential", "tube"}) {
    const Covariates s = covariates(margin == "exponential", 80, 5);
    Rows mixed = s.x;
    for (auto& row : mixed) {
      const double a = row[0], b = row[1];
      row[0] = 1e3 * a + 40 * b - 7, row[1] = a - 2 * b + 100;
    }
    Settings settings = keeping(margin, 0.02, 1e-9);
    settings.scale = ScaleKind::none;
    const Model a = fit(dataset(s.x, s.y), settings), b = fit(dataset(mixed, s.y), settings);
    EXPECT_NEAR(a.report.objective, b.report.objective, 3e-9 * a.report.primal);
    const auto p = a.predict(dense(s.x)), q = b.predict(dense(mixed));
    for (std::size_t t = 0; t < p.size(); ++t) EXPECT_NEAR(p[t].score, q[t].score, 1e-3);
  }
}

// A column that is 1 in one example and kept fits that example alone: the others are as if it were not there.
TEST(Kept, ADummyOfOneExampleTakesItOut) {
  Covariates s = covariates(false, 50, 6);
  for (std::size_t t = 0; t < 50; ++t) s.x[t].push_back(t == 11 ? 1 : 0);
  Settings settings = keeping("tube", 0.05, 1e-9);
  settings.scale = ScaleKind::none;
  settings.c = 5, settings.epsilon = 0.1, settings.prior_variance = 1;
  settings.keep.push_back("f8");
  const Model with_dummy = fit(dataset(s.x, s.y), settings);
  for (auto& row : s.x) row.pop_back();
  s.x.erase(s.x.begin() + 11), s.y.erase(s.y.begin() + 11);
  settings.keep.pop_back();
  const Model without = fit(dataset(s.x, s.y), settings);
  EXPECT_NEAR(with_dummy.report.objective, without.report.objective, 3e-9 * without.report.primal);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(with_dummy.features[i].coefficient, without.features[i].coefficient, 1e-3);
  }
}

TEST(Kept, HaveACoefficientInEachClass) {
  for (const std::string margin : {"exponential", "gaussian"}) {
    for (const double p0 : {1.0, 0.02}) {
      SCOPED_TRACE(fmt::format("{}, p0 = {}", margin, p0));
      const Covariates s = covariates(true, 120, 8, 3);
      Settings settings = keeping(margin, p0, 1e-7);
      settings.scale = ScaleKind::none;
      const Model model = fit(dataset(s.x, s.y), settings);
      EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
      const Margin psi = margin_at(model.settings, 1);
      // F from the model alone.
      std::vector<Index> group_of;
      std::vector<double> w;
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t i = 2; i < 8; ++i) {
          group_of.push_back(static_cast<Index>(i) - 2);
          w.push_back(model.multiclass->coefficient[i * 3 + k]);
        }
      }
      const GroupPartition prior(group_of, std::vector<double>(6, p0), *model.settings.prior_variance);
      std::vector<double> v(w.size(), 0.0);
      prior.from_mean(w, v);
      double F = prior.conjugate_at(v);
      for (std::size_t t = 0; t < s.y.size(); ++t) {
        std::vector<double> f = model.multiclass->class_bias;
        for (std::size_t i = 0; i < 8; ++i) {
          for (std::size_t k = 0; k < 3; ++k) f[k] += model.multiclass->coefficient[i * 3 + k] * s.x[t][i];
        }
        const auto own = static_cast<std::size_t>(s.y[t]);
        for (std::size_t k = 0; k < 3; ++k) {
          if (k != own) F += psi.loss(f[own] - f[k]);
        }
      }
      EXPECT_NEAR(F, model.report.primal, 1e-6 * F);
      for (std::size_t i = 0; i < 2; ++i) {
        const double* u = model.multiclass->coefficient.data() + i * 3;
        EXPECT_NEAR(u[0] + u[1] + u[2], 0, 1e-3);
      }
      // The limit of wide priors.
      settings.keep = {};
      settings.feature_prior_variance.entries = {{"f0", 1e4}, {"f1", 1e4}};
      settings.feature_p0.entries = {{"f0", 1.0}, {"f1", 1.0}};
      const Model limit = fit(dataset(s.x, s.y), settings);
      EXPECT_LE(model.report.objective, limit.report.primal);
      EXPECT_NEAR(model.report.objective, limit.report.objective, 1e-3 * limit.report.primal);
      for (std::size_t j = 0; j < 24; ++j) {
        EXPECT_NEAR(model.multiclass->coefficient[j], limit.multiclass->coefficient[j], 2e-2);
      }
    }
  }
}

TEST(Kept, StayAlongPaths) {
  const Covariates s = covariates(true, 80, 9);
  for (const Swept over : {Swept::p0, Swept::c, Swept::prior_variance}) {
    const std::vector<double> values =
        over == Swept::p0 ? std::vector{0.5, 0.1, 0.01, 1e-4} : std::vector{4.0, 3.0, 2.0, 1.5};
    Settings settings = keeping("exponential", 0.05);
    const Path path = fit_path(dataset(s.x, s.y), settings, over, values);
    ASSERT_EQ(path.steps.size(), values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      SCOPED_TRACE(fmt::format("{} = {}", word_of(over), values[k]));
      set_option(settings, word_of(over), fmt::format("{}", values[k]));
      const Model cold = fit(dataset(s.x, s.y), settings);
      EXPECT_EQ(path.steps[k].report.status, Status::converged) << path.steps[k].report.message;
      EXPECT_NEAR(path.steps[k].report.objective, cold.report.objective, 2e-8 * cold.report.primal);
      EXPECT_EQ(path.steps[k].inclusion[0], 1);
      EXPECT_EQ(path.steps[k].selected, std::count_if(cold.features.begin(), cold.features.end(),
                                                      [](const Feature& f) { return f.inclusion > 0.5 && !f.kept; }));
      for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(path.steps[k].coefficient[i], cold.features[i].coefficient, 2e-3);
    }
  }
}

TEST(Kept, FitTheSameTwice) {
  const Covariates s = covariates(true, 80, 10);
  for (const Index threads : {1, 2}) {
    Settings settings = keeping("exponential", 0.01);
    settings.threads = threads;
    Model a = fit(dataset(s.x, s.y), settings), b = fit(dataset(s.x, s.y), settings);
    EXPECT_EQ(a.features, b.features);
    EXPECT_EQ(a.bias, b.bias);
    EXPECT_EQ(a.multipliers, b.multipliers);
    const Model back = model_from_json(to_json(a), "memory");
    EXPECT_EQ(back, a);
    EXPECT_TRUE(back.features[0].kept);
  }
}

// A category names its levels; one that the others and the bias say already has the coefficient 0.
TEST(Kept, ACategoryStaysInAsAWhole) {
  Covariates s = covariates(false, 60, 12);
  for (std::size_t t = 0; t < 60; ++t) {
    for (std::size_t level = 0; level < 3; ++level) s.x[t].push_back(t % 3 == level ? 1 : 0);
    s.y[t] += t % 3 == 0 ? 2 : 0;
  }
  Dataset data = dataset(s.x, s.y);
  for (Index i = 0; i < 8; ++i) data.group_of.push_back(i), data.group_names.push_back(fmt::format("f{}", i));
  data.group_of.insert(data.group_of.end(), {8, 8, 8});
  data.group_names.push_back("batch");
  data.names[8] = "batch=a", data.names[9] = "batch=b", data.names[10] = "batch=c";
  Settings settings = keeping("tube", 0.02, 1e-8);
  settings.keep = {"batch", "f0"};
  settings.scale = ScaleKind::none;
  const Model model = fit(data, settings);
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  expect_certificate(model, data);
  for (const std::size_t i : {0, 8, 9, 10}) EXPECT_TRUE(model.features[i].kept);
  EXPECT_FALSE(model.features[1].kept);
  EXPECT_EQ(model.features[10].coefficient, 0);
  EXPECT_GT(model.features[8].coefficient, 1);
}

TEST(Kept, AreRefusedWhereTheySayNothing) {
  Covariates s = covariates(true, 60, 14);
  for (std::size_t t = 0; t < 60; ++t) {
    s.x[t].push_back(3);                              // f8
    s.x[t].push_back(2 * s.x[t][0] - s.x[t][1] + 1);  // f9
    s.x[t].push_back(s.y[t] * 2 + 0.1 * s.x[t][4]);   // f10
  }
  const auto said = [&](Settings settings) -> std::string {
    try {
      fit(dataset(s.x, s.y), settings);
    } catch (const OptionError& error) {
      return error.what();
    }
    return "";
  };
  Settings settings = with("exponential", 0.1, 1e-6);
  settings.keep = {"f0", "ff1"};
  EXPECT_EQ(said(settings).substr(0, 62), "keep names 'ff1', which is no feature of the model; did you me");
  settings.keep = {"f0", "f0"};
  EXPECT_EQ(said(settings), "keep names 'f0' twice");
  settings.keep = {"f0", "f8"};
  EXPECT_EQ(
      said(settings),
      "keep names 'f8', which has the same value, so that the bias says it all, in all examples of the fit; leave "
      "it out");
  settings.keep = {"f0", "f1", "f3", "f9"};
  EXPECT_EQ(said(settings),
            "keep names 'f9', which is a sum of multiples of 'f0', 'f1' and a constant in the examples of the fit, so "
            "that its coefficient could be any; leave one of them out");
  settings.keep = {"f10"};
  EXPECT_EQ(said(settings).substr(0, 61), "the columns of keep separate the classes by themselves ('f10'");
  settings.keep = {"f0"};
  settings.feature_p0.entries = {{"f0", 0.5}};
  EXPECT_EQ(said(settings),
            "keep holds 'f0' in, without a prior, but feature-priors gives it one; leave one of the two out");
  settings.feature_p0 = {};
  settings.model = ModelKind::kernel;
  EXPECT_EQ(said(settings), "keep is for linear models, but model = kernel; leave it out");
}

TEST(Kept, ALimitOfTimeOrPassesIsTold) {
  const Covariates s = covariates(true, 200, 15);
  Settings settings = keeping("exponential", 0.01, 1e-12);
  settings.max_passes = 3;
  const Model model = fit(dataset(s.x, s.y), settings);
  EXPECT_EQ(model.report.status, Status::limit) << model.report.message;
  expect_certificate(model, dataset(s.x, s.y));
}

}  // namespace
}  // namespace medlar::test
