// Squared losses, the gaussian margin of numbers: closed forms of ridge regression, a coordinate descent that is
// written here, and every way to fit it.
#include <gtest/gtest.h>

#include <cmath>

#include "medlar/io.hpp"
#include "models/fit_data.hpp"
#include "models/kernel/naive_kernel.hpp"
#include "reference/plain_maximiser.hpp"
#include "refusals/refusal.hpp"

namespace medlar::test {
namespace {

// (X^T W X + D) w = X^T W y with a column of ones for the bias, D = 1/(v c^2) for a coefficient and 1/(sigma2 c^2) for
// the bias, 0 where it is flat.
Reals ridge(const Sample& s, const std::vector<double>& weights, double c, double v, const std::string& bias) {
  const std::size_t n = s.x[0].size(), size = n + (bias == "none" ? 0 : 1);
  std::vector<Reals> a(size, Reals(size, 0));
  Reals r(size, 0);
  for (std::size_t t = 0; t < s.x.size(); ++t) {
    std::vector<double> row = s.x[t];
    row.push_back(1);
    for (std::size_t i = 0; i < size; ++i) {
      r[i] += Real(weights[t]) * row[i] * s.y[t];
      for (std::size_t j = 0; j < size; ++j) a[i][j] += Real(weights[t]) * row[i] * row[j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) a[i][i] += 1 / (Real(v) * c * c);
  if (size > n && bias != "flat") a[n][n] += 1 / (Real(std::stod(bias)) * c * c);
  Reals w = eliminate(a, r);
  w.resize(n + 1, 0);
  return w;
}

TEST(SquaredLoss, WithoutSwitchesIsRidgeRegression) {
  for (const std::size_t features : {4u, 60u}) {
    const Sample s = sample(false, 40, features, 5);
    for (const bool weighted : {false, true}) {
      const std::vector<double> weights = weighted ? uneven_weights(40) : std::vector<double>(40, 1.0);
      for (const char* bias : {"flat", "none", "0.4"}) {
        for (const double c : {0.1, 1.3, 20.0}) {
          SCOPED_TRACE(fmt::format("{} features, weighted {}, bias {}, c {}", features, weighted, bias, c));
          const Reals w = ridge(s, weights, c, 0.7, bias);
          const Dataset data = weighted ? dataset(s.x, s.y, weights) : dataset(s.x, s.y);
          for (const char* solver : {"auto", "newton", "ascent", "primal-newton", "smo"}) {
            SCOPED_TRACE(solver);
            Settings settings = unscaled("squared", 1, bias, c, 0.7);
            set_option(settings, "solver", solver);
            if (settings.solver != SolverKind::automatic) settings.tolerance = 1e-8;
            const Model model = fit(data, settings);
            ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
            const double accuracy = settings.solver == SolverKind::automatic ? 2e-5 : 2e-4;
            for (std::size_t i = 0; i < features; ++i)
              EXPECT_NEAR(model.features[i].coefficient, static_cast<double>(w[i]), accuracy);
            EXPECT_NEAR(model.bias, static_cast<double>(w[features]), accuracy);
          }
        }
      }
    }
  }
}

// Its first step is the last: a parabola without a kink at 0.
TEST(SquaredLoss, RidgeRegressionIsOneLinearSolve) {
  const Sample s = sample(false, 400, 30, 8);
  const Model model = fit(dataset(s.x, s.y), with("squared", 1, 1e-12));
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  EXPECT_LE(model.report.iterations, 2);
  EXPECT_EQ(model.support.size(), 400u);
}

// Coordinate descent on F(w, b) = A*(w) + c^2/2 sum_t (w.x_t + b - y_t)^2: the least along w_i is where V + M w = g, M
// = c^2 |x_i|^2, with w = A'(V) = P v V, found by bisection on V; the flat bias is the mean residual.
TEST(SquaredLoss, WithSwitchesIsWhatCoordinateDescentFinds) {
  const std::size_t T = 60, n = 12;
  const double c = 1.5, v = 0.8;
  for (const double p : {0.3, 1e-3}) {
    const Sample s = sample(false, T, n, 21);
    std::vector<double> w(n, 0.0), V(n, 0.0), rest = s.y;
    double b = 0;
    const auto mean_at = [&](double at) { return v * at / (1 + (1 - p) / p * std::exp(-0.5 * v * at * at)); };
    for (int sweep = 0; sweep < 3000; ++sweep) {
      double mean = 0;
      for (const double each : rest) mean += each / static_cast<double>(T);
      b += mean;
      for (double& each : rest) each -= mean;
      for (std::size_t i = 0; i < n; ++i) {
        double square = 0, product = 0;
        for (std::size_t t = 0; t < T; ++t) square += s.x[t][i] * s.x[t][i], product += s.x[t][i] * rest[t];
        const double M = c * c * square, g = c * c * product + M * w[i];
        double low = -std::abs(g) - 1, high = std::abs(g) + 1;
        for (int step = 0; step < 200; ++step) {
          const double middle = 0.5 * (low + high);
          (middle + M * mean_at(middle) < g ? low : high) = middle;
        }
        V[i] = low;
        const double change = mean_at(low) - w[i];
        w[i] += change;
        for (std::size_t t = 0; t < T; ++t) rest[t] -= change * s.x[t][i];
      }
    }
    const Model model = fit(dataset(s.x, s.y), unscaled("squared", p, "flat", c, v));
    ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
    EXPECT_NEAR(model.bias, b, 1e-4);
    double value = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double h = 0.5 * v * V[i] * V[i];
      value += w[i] * V[i] - h - std::log(p + (1 - p) * std::exp(-h));
      EXPECT_NEAR(model.features[i].coefficient, w[i], 1e-4) << i;
      EXPECT_NEAR(model.features[i].inclusion, 1 / (1 + (1 - p) / p * std::exp(-h)), 1e-3) << i;
    }
    for (const double each : rest) value += 0.5 * c * c * each * each;
    EXPECT_NEAR(model.report.primal, value, 1e-8 * value);
    EXPECT_NEAR(model.report.objective, value, 1e-8 * value);
  }
}

// f = K beta v with (v K + 1/c^2) beta + b = y, sum beta = 0.
TEST(SquaredLoss, ByAKernelIsKernelRidgeRegression) {
  const Sample s = sample(false, 50, 3, 31), fresh = sample(false, 10, 3, 32);
  const Kernel kernel{Kernel::Kind::rbf, 0.4, 0, 3};
  const double c = 2.5, v = 1.7;
  for (const bool flat : {true, false}) {
    std::vector<Reals> a(51, Reals(51, 0));
    Reals r(51, 0);
    for (std::size_t t = 0; t < 50; ++t) {
      r[t] = s.y[t];
      a[t][50] = a[50][t] = flat ? 1 : 0;
      for (std::size_t u = 0; u < 50; ++u) a[t][u] = v * naive_kernel(kernel, s.x[t], s.x[u]);
      a[t][t] += 1 / (c * c);
    }
    if (!flat) a[50][50] = 1;
    const Reals beta = eliminate(a, r);
    for (const char* solver : {"auto", "newton", "smo"}) {
      SCOPED_TRACE(fmt::format("flat {}, {}", flat, solver));
      Settings settings = unscaled("squared", 1, flat ? "flat" : "none", c, v);
      settings.tolerance = 1e-9;
      settings.model = ModelKind::kernel;
      settings.p0 = Settings{}.p0;
      settings.kernel = KernelKind::rbf;
      settings.gamma = 0.4;
      set_option(settings, "solver", solver);
      const Model model = fit(dataset(s.x, s.y), settings);
      ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
      const auto predictions = model.predict(dense(fresh.x));
      for (std::size_t t = 0; t < 10; ++t) {
        Real f = flat ? beta[50] : 0;
        for (std::size_t u = 0; u < 50; ++u) f += v * beta[u] * naive_kernel(kernel, fresh.x[t], s.x[u]);
        EXPECT_NEAR(predictions[t].score, static_cast<double>(f), 1e-4);
      }
    }
  }
}

TEST(SquaredLoss, GroupsAndSparseRowsGiveTheSameEverywhere) {
  const Sample s = sample(false, 80, 10, 41, 0.6);
  Settings settings = unscaled("squared", 0.05, "flat", 1, 1);
  settings.tolerance = 1e-9;
  const Model model = fit(dataset(s.x, s.y), settings), packed = fit(dataset(sparse(s.x), s.y), settings);
  expect_same_fit(model, packed, dense(s.x));
  settings.groups = GroupsKind::file;
  for (int i = 0; i < 10; ++i)
    settings.feature_group.entries.emplace_back(fmt::format("f{}", i), fmt::format("g{}", i));
  expect_same_fit(model, fit(dataset(s.x, s.y), settings), dense(s.x));
  for (auto& [name, group] : settings.feature_group.entries) group = name < "f5" ? "a" : "b";
  const Model grouped = fit(dataset(s.x, s.y), settings);
  settings.solver = SolverKind::newton;
  expect_same_fit(grouped, fit(dataset(s.x, s.y), settings), dense(s.x));
}

// Targets that are all alike at the start, where no side of an example has a slope of its own.
TEST(SquaredLoss, ResidualsOfExactlyZeroAreNoObstacle) {
  const Rows x{{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, -1}};
  for (const std::vector<double>& y :
       {std::vector<double>{0, 0, 0, 0, 0, 0}, {5, 5, 5, 5, 5, 5}, {0, 0, 0, 0, 2, -2}}) {
    for (const double p0 : {1.0, 1e-3}) {
      const Model model = fit(dataset(x, y), with("squared", p0));
      EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
      EXPECT_NEAR(model.bias, y[0], 1e-6);
    }
  }
}

TEST(SquaredLoss, TakesItsScaleFromTheTargetAndNoEpsilon) {
  const Sample s = sample(false, 50, 3, 51);
  const Dataset data = dataset(s.x, s.y);
  Settings settings = with("squared", 1e-2);
  const Model model = fit(data, settings);
  double mean = 0, square = 0;
  for (const double y : s.y) mean += y / 50;
  for (const double y : s.y) square += (y - mean) * (y - mean) / 50;
  EXPECT_NEAR(*model.settings.c * *model.settings.c, 10 / square, 1e-9);
  EXPECT_FALSE(model.settings.epsilon.has_value());
  settings.epsilon = 0.2;
  expect_option_error(data, settings,
                      "epsilon = 0.2, but a regression with margin = gaussian has no use for it; leave it out");
}

TEST(SquaredLoss, TheModelFileKeepsIt) {
  const Sample s = sample(false, 50, 3, 61);
  for (const ModelKind kind : {ModelKind::linear, ModelKind::kernel}) {
    Settings settings = with("squared", Settings{}.p0);
    settings.model = kind;
    const Model model = fit(dataset(s.x, s.y), settings), back = model_from_json(to_json(model), "m.json");
    EXPECT_EQ(back, model);
    EXPECT_EQ(back.settings.margin, MarginKind::gaussian);
    const auto a = model.predict(dense(s.x)), b = back.predict(dense(s.x));
    for (std::size_t t = 0; t < a.size(); ++t) EXPECT_EQ(a[t].score, b[t].score);
  }
}

}  // namespace
}  // namespace medlar::test
