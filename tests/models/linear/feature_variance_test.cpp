// A prior variance of each feature: what the prior's integrals say of the fit, the same features in other units, and
// all solvers.
#include "medlar/error.hpp"
#include "medlar/io.hpp"
#include "medlar/path.hpp"
#include "models/fit_data.hpp"
#include "support/quadrature.hpp"

namespace medlar::test {
namespace {

const std::vector<double> kVariances{0.2, 3, 1, 0.05, 1, 40};
const std::vector<Index> kPairs{0, 1, 0, 1, 2, 2};

ByFeature<double> named(const std::vector<double>& values) {
  ByFeature<double> given;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 1) given.entries.emplace_back(fmt::format("f{}", i), values[i]);
  }
  return given;
}

Settings with_variances(const std::string& margin, double p0, double tolerance = 1e-9) {
  Settings settings = with(margin, p0, tolerance);
  settings.scale = ScaleKind::none;
  settings.prior_variance = 1;
  settings.feature_prior_variance = named(kVariances);
  return settings;
}

void pair_up(Settings& settings) {
  settings.groups = GroupsKind::file;
  for (std::size_t i = 0; i < kPairs.size(); ++i) {
    settings.feature_group.entries.emplace_back(fmt::format("f{}", i), fmt::format("g{}", kPairs[i]));
  }
}

// E0[ g(theta) e^{V theta} ] for theta ~ N(0, v).
template <class G>
double tilted(double v, double V, G g) {
  return integrate_line(
      [&](double x) { return weighted([&](double y) { return g(y); }, x, V * x + log_normal_density(x, 0, v)); }, v * V,
      std::sqrt(v));
}

std::vector<double> statistics_of(const Model& model, const Rows& x) {
  std::vector<double> V(x.front().size(), 0.0);
  for (std::size_t j = 0; j < model.support.size(); ++j) {
    for (std::size_t i = 0; i < V.size(); ++i) {
      V[i] += model.multipliers[j] * x[static_cast<std::size_t>(model.support[j])][i];
    }
  }
  return V;
}

// J by the integrals of the prior, from the multipliers of the model alone; and its coefficients.
TEST(FeatureVariances, FollowTheIntegralsOfThePrior) {
  const Sample s = sample(true, 60, 6, 11);
  for (const bool grouped : {false, true}) {
    for (const double p : {1.0, 0.05}) {
      SCOPED_TRACE(fmt::format("p0 = {}{}", p, grouped ? ", in pairs" : ""));
      Settings settings = with_variances("exponential", p, 1e-12);
      settings.c = 3;
      if (grouped) pair_up(settings);
      const Model model = fit(dataset(s.x, s.y), settings);
      ASSERT_LE(model.report.relative_gap, 1e-10) << model.report.message;
      const std::vector<double> V = statistics_of(model, s.x);
      double J = 0;
      for (const double beta : model.multipliers) J += std::abs(beta) + std::log(1 - std::abs(beta) / 3);
      const auto one = [](double) { return 1.0; };
      std::vector<double> on(6, 1.0);  // of each group: E0[ e^{V theta} ] of its features
      for (std::size_t i = 0; i < 6; ++i)
        on[static_cast<std::size_t>(grouped ? kPairs[i] : Index(i))] *= tilted(kVariances[i], V[i], one);
      for (std::size_t g = 0; g < (grouped ? 3u : 6u); ++g) J -= std::log(1 - p + p * on[g]);
      EXPECT_NEAR(model.report.objective, J, 1e-9 * std::abs(J));
      for (std::size_t i = 0; i < 6; ++i) {
        SCOPED_TRACE(i);
        const double v = kVariances[i], all = on[static_cast<std::size_t>(grouped ? kPairs[i] : Index(i))];
        const double inclusion = p * all / (1 - p + p * all), alone = tilted(v, V[i], one);
        const double mean = inclusion * tilted(v, V[i], [](double x) { return x; }) / alone;
        const double square = inclusion * tilted(v, V[i], [](double x) { return x * x; }) / alone;
        EXPECT_NEAR(model.features[i].inclusion, inclusion, 1e-4);
        EXPECT_NEAR(model.features[i].coefficient, mean, 1e-4 * (1 + std::abs(mean)));
        EXPECT_NEAR(model.features[i].sd, std::sqrt(square - mean * mean), 1e-4);
      }
    }
  }
}

// x_i with variance v_i is sqrt(v_i) x_i with variance 1.
TEST(FeatureVariances, AreUnitsOfFeatures) {
  for (const std::string margin : {"exponential", "laplace", "gaussian", "hinge", "tube", "svr"}) {
    for (const double p0 : {1.0, 0.02}) {
      for (const bool few : {false, true}) {
        SCOPED_TRACE(fmt::format("{}, p0 = {}{}", margin, p0, few ? ", sparse" : ""));
        const Sample s = sample(margin != "tube" && margin != "svr", 50, 6, 4, few ? 0.6 : 0);
        Rows scaled = s.x;
        for (auto& row : scaled) {
          for (std::size_t i = 0; i < row.size(); ++i) row[i] *= std::sqrt(kVariances[i]);
        }
        Settings settings = with_variances(margin, p0);
        const Model a = fit(dataset(few ? sparse(s.x) : dense(s.x), s.y), settings);
        settings.feature_prior_variance = {};
        const Model b = fit(dataset(few ? sparse(scaled) : dense(scaled), s.y), settings);
        EXPECT_EQ(a.report.status, Status::converged) << a.report.message;
        EXPECT_NEAR(a.report.objective, b.report.objective, 3e-9 * b.report.primal);
        EXPECT_NEAR(a.bias, b.bias, 1e-3);
        for (std::size_t i = 0; i < 6; ++i) {
          const double r = std::sqrt(kVariances[i]);
          EXPECT_NEAR(a.features[i].coefficient, r * b.features[i].coefficient, 1e-3 * (1 + r));
          EXPECT_NEAR(a.features[i].sd, r * b.features[i].sd, 1e-3 * (1 + r));
          EXPECT_NEAR(a.features[i].inclusion, b.features[i].inclusion, 2e-3);
        }
      }
    }
  }
}

TEST(FeatureVariances, AreServedByAllSolvers) {
  const Sample s = sample(true, 60, 6, 21);
  for (const double p0 : {1.0, 0.02}) {
    const Model usual = fit(dataset(s.x, s.y), with_variances("exponential", p0, 1e-8));
    for (const char* solver : {"ascent", "newton", "primal-newton", "coordinate", "bounded-qp", "smo"}) {
      if (p0 < 1 && std::string_view(solver) == "smo") continue;
      SCOPED_TRACE(fmt::format("{}, p0 = {}", solver, p0));
      Settings settings = with_variances("exponential", p0, 1e-8);
      set_option(settings, "solver", solver);
      const Model model = fit(dataset(s.x, s.y), settings);
      EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
      EXPECT_NEAR(model.report.objective, usual.report.objective, 2e-8 * usual.report.primal);
      for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_NEAR(model.features[i].coefficient, usual.features[i].coefficient, 1e-3);
      }
    }
  }
}

TEST(FeatureVariances, HoldInAllClasses) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  Rows x, scaled;
  std::vector<double> y;
  for (int t = 0; t < 90; ++t) {
    std::vector<double> row(6);
    for (double& each : row) each = normal(random);
    y.push_back(row[0] + 0.5 * normal(random) > 0.4 ? 2 : row[1] > 0 ? 1 : 0);
    x.push_back(row);
    for (std::size_t i = 0; i < 6; ++i) row[i] *= std::sqrt(kVariances[i]);
    scaled.push_back(row);
  }
  for (const double p0 : {1.0, 0.02}) {
    Settings settings = with_variances("exponential", p0, 1e-8);
    const Model a = fit(dataset(x, y), settings);
    settings.feature_prior_variance = {};
    const Model b = fit(dataset(scaled, y), settings);
    EXPECT_EQ(a.report.status, Status::converged) << a.report.message;
    EXPECT_NEAR(a.report.objective, b.report.objective, 3e-8 * b.report.primal);
    for (std::size_t j = 0; j < 18; ++j) {
      const double r = std::sqrt(kVariances[j / 3]);
      EXPECT_NEAR(a.multiclass->coefficient[j], r * b.multiclass->coefficient[j], 2e-3 * (1 + r));
    }
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(a.features[i].inclusion, b.features[i].inclusion, 2e-3);
  }
}

// The mean of a prior is that of the coefficient, whatever its variance.
TEST(FeatureVariances, LeavePriorMeansWhereTheyAre) {
  const Sample s = sample(true, 40, 6, 8);
  Settings settings = with_variances("exponential", 1);
  settings.prior_mean.entries = {{"f0", 2.0}, {"f5", -1.0}};
  for (auto& [name, value] : settings.feature_prior_variance.entries) value *= 1e-8;
  settings.prior_variance = 1e-8;
  const Model model = fit(dataset(s.x, s.y), settings);
  EXPECT_NEAR(model.features[0].coefficient, 2, 1e-4);
  EXPECT_NEAR(model.features[5].coefficient, -1, 1e-4);
  EXPECT_NEAR(model.features[1].coefficient, 0, 1e-4);
}

TEST(FeatureVariances, HoldAlongPaths) {
  const Sample s = sample(true, 60, 6, 9);
  for (const Swept over : {Swept::p0, Swept::c, Swept::prior_variance}) {
    const std::vector<double> values = over == Swept::p0 ? std::vector{0.5, 0.1, 0.01} : std::vector{4.0, 2.0, 1.5};
    Settings settings = with_variances("exponential", 0.05);
    const Path path = fit_path(dataset(s.x, s.y), settings, over, values);
    for (std::size_t k = 0; k < values.size(); ++k) {
      SCOPED_TRACE(fmt::format("{} = {}", word_of(over), values[k]));
      set_option(settings, word_of(over), fmt::format("{}", values[k]));
      const Model cold = fit(dataset(s.x, s.y), settings);
      EXPECT_EQ(path.steps[k].report.status, Status::converged) << path.steps[k].report.message;
      EXPECT_NEAR(path.steps[k].report.objective, cold.report.objective, 2e-9 * cold.report.primal);
      for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_NEAR(path.steps[k].coefficient[i], cold.features[i].coefficient, 1e-3);
      }
    }
  }
}

TEST(FeatureVariances, AreKeptInTheModelFile) {
  const Sample s = sample(true, 30, 6, 2);
  const Model model = fit(dataset(s.x, s.y), with_variances("exponential", 0.5));
  const Model back = model_from_json(to_json(model), "memory");
  EXPECT_EQ(back.settings.feature_prior_variance, model.settings.feature_prior_variance);
  EXPECT_EQ(back, model);
}

TEST(FeatureVariances, AreRefusedWhereTheyMeanNothing) {
  const Sample s = sample(true, 30, 6, 2);
  const auto said = [&](Settings settings) -> std::string {
    try {
      fit(dataset(s.x, s.y), settings);
    } catch (const OptionError& error) {
      return error.what();
    }
    return "";
  };
  Settings settings = with("exponential", 1);
  settings.feature_prior_variance.entries = {{"f1", 0.0}};
  EXPECT_EQ(said(settings), "feature-prior-variance gives 'f1' the value 0, but it must be a finite number above 0");
  settings.feature_prior_variance.entries = {{"size", 1.0}};
  EXPECT_EQ(said(settings),
            "feature-prior-variance names 'size', which is no feature of the model; the first feature is 'f0'");
  settings.feature_prior_variance.entries = {{"f1", 2.0}};
  settings.model = ModelKind::kernel;
  EXPECT_EQ(said(settings), "feature-prior-variance is for linear models, but model = kernel; leave it out");
}

}  // namespace
}  // namespace medlar::test
