// The logistic margin: L2 logistic regression by a Newton method that is written here, a coordinate descent with
// switches, kernels, several classes.
#include <gtest/gtest.h>

#include <cmath>

#include "medlar/io.hpp"
#include "models/fit_data.hpp"
#include "models/kernel/naive_kernel.hpp"
#include "reference/plain_maximiser.hpp"
#include "refusals/refusal.hpp"

namespace medlar::test {
namespace {

Real logistic_share(Real x) {
  return 1 / (1 + std::exp(-x));
}

// The least of 1/2 w.D w + c sum_t omega_t log(1 + e^{-y_t w.x_t}), damped Newton; features have the constant last.
Reals logistic_regression(const Rows& x, const std::vector<double>& y, const std::vector<double>& weights, double c,
                          const Reals& precision) {
  const std::size_t size = precision.size();
  Reals w(size, 0);
  const auto value = [&](const Reals& at) {
    Real sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += precision[i] * at[i] * at[i] / 2;
    for (std::size_t t = 0; t < x.size(); ++t) {
      Real f = 0;
      for (std::size_t i = 0; i < size; ++i) f += at[i] * x[t][i];
      sum += Real(c) * weights[t] * std::log1p(std::exp(-y[t] * f));
    }
    return sum;
  };
  for (int step = 0; step < 60; ++step) {
    std::vector<Reals> h(size, Reals(size, 0));
    Reals g(size, 0);
    for (std::size_t i = 0; i < size; ++i) g[i] = precision[i] * w[i], h[i][i] = precision[i];
    for (std::size_t t = 0; t < x.size(); ++t) {
      Real f = 0;
      for (std::size_t i = 0; i < size; ++i) f += w[i] * x[t][i];
      const Real p = logistic_share(-y[t] * f), factor = Real(c) * weights[t];
      for (std::size_t i = 0; i < size; ++i) {
        g[i] -= factor * p * y[t] * x[t][i];
        for (std::size_t j = 0; j < size; ++j) h[i][j] += factor * p * (1 - p) * x[t][i] * x[t][j];
      }
    }
    const Reals d = eliminate(h, g);
    for (Real length = 1; length > 1e-12L; length /= 2) {
      Reals to = w;
      for (std::size_t i = 0; i < size; ++i) to[i] -= length * d[i];
      if (!(value(to) <= value(w))) continue;
      w = to;
      break;
    }
  }
  return w;
}

TEST(Logistic, WithoutSwitchesIsLogisticRegression) {
  for (const std::size_t features : {4u, 50u}) {
    const Sample s = sample(true, 40, features, 6);
    Rows with_constant = s.x;
    for (auto& row : with_constant) row.push_back(1);
    for (const bool weighted : {false, true}) {
      const std::vector<double> weights = weighted ? uneven_weights(40) : std::vector<double>(40, 1.0);
      for (const char* bias : {"flat", "none", "0.4"}) {
        for (const double c : {0.1, 1.0, 20.0}) {
          SCOPED_TRACE(fmt::format("{} features, weighted {}, bias {}, c {}", features, weighted, bias, c));
          Reals precision(features, 1 / 0.7L);
          if (std::string(bias) != "none") precision.push_back(std::string(bias) == "flat" ? 0 : 1 / Real(0.4));
          Reals w = logistic_regression(with_constant, s.y, weights, c, precision);
          w.resize(features + 1, 0);
          const Dataset data = weighted ? dataset(s.x, s.y, weights) : dataset(s.x, s.y);
          for (const char* solver : {"auto", "newton", "ascent", "primal-newton", "smo", "coordinate"}) {
            SCOPED_TRACE(solver);
            Settings settings = unscaled("logistic", 1, bias, c, 0.7);
            set_option(settings, "solver", solver);
            if (settings.solver != SolverKind::automatic) settings.tolerance = 1e-8;
            const Model model = fit(data, settings);
            ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
            const double accuracy = settings.solver == SolverKind::automatic ? 5e-5 : 5e-4;
            for (std::size_t i = 0; i < features; ++i)
              EXPECT_NEAR(model.features[i].coefficient, static_cast<double>(w[i]), accuracy);
            EXPECT_NEAR(model.bias, static_cast<double>(w[features]), accuracy * (1 + std::abs(model.bias)));
            EXPECT_EQ(model.support.size(), 40u);
          }
        }
      }
    }
  }
}

// F is lowered along one coefficient at a time, whose V solves V = sum_t c x_ti y_t sigmoid(-m_t) at w = A'(V).
TEST(Logistic, WithSwitchesIsWhatCoordinateDescentFinds) {
  const std::size_t T = 80, n = 8;
  const double c = 1.5, v = 2;
  for (const double p : {0.3, 1e-2}) {
    const Sample s = sample(true, T, n, 22);
    std::vector<double> w(n, 0.0), V(n, 0.0), f(T, 0.0);
    const auto mean_at = [&](double at) { return v * at / (1 + (1 - p) / p * std::exp(-0.5 * v * at * at)); };
    const auto pull = [&](std::size_t i, double change) {  // -d losses / d w_i
      double sum = 0;
      for (std::size_t t = 0; t < T; ++t) {
        const double x = i < n ? s.x[t][i] : 1;
        sum += c * x * s.y[t] / (1 + std::exp(s.y[t] * (f[t] + change * x)));
      }
      return sum;
    };
    double b = 0;
    for (int sweep = 0; sweep < 400; ++sweep) {
      double low = -5, high = 5;
      for (int step = 0; step < 60; ++step) {
        const double middle = 0.5 * (low + high);
        (pull(n, middle) > 0 ? low : high) = middle;
      }
      b += low;
      for (double& each : f) each += low;
      for (std::size_t i = 0; i < n; ++i) {
        low = -c * T * 5, high = c * T * 5;
        for (int step = 0; step < 80; ++step) {
          const double middle = 0.5 * (low + high);
          (middle < pull(i, mean_at(middle) - w[i]) ? low : high) = middle;
        }
        V[i] = low;
        const double change = mean_at(low) - w[i];
        w[i] += change;
        for (std::size_t t = 0; t < T; ++t) f[t] += change * s.x[t][i];
      }
    }
    double value = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double h = 0.5 * v * V[i] * V[i];
      value += w[i] * V[i] - h - std::log(p + (1 - p) * std::exp(-h));
    }
    for (std::size_t t = 0; t < T; ++t) value += c * std::log1p(std::exp(-s.y[t] * f[t]));
    for (const char* solver : {"auto", "newton", "ascent", "primal-newton", "coordinate"}) {
      SCOPED_TRACE(solver);
      Settings settings = unscaled("logistic", p, "flat", c, v);
      set_option(settings, "solver", solver);
      settings.tolerance = 1e-9;
      const Model model = fit(dataset(s.x, s.y), settings);
      ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
      EXPECT_NEAR(model.bias, b, 1e-3);
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(model.features[i].coefficient, w[i], 1e-3) << i;
      EXPECT_NEAR(model.report.primal, value, 1e-8 * value);
      EXPECT_NEAR(model.report.objective, value, 1e-8 * value);
    }
  }
}

// Without a bias, f = v K (y lambda) with lambda_t = c / (1 + e^{m_t}): Newton over beta = y lambda of T equations.
TEST(Logistic, ByAKernelItsMultipliersAreThoseOfItsMargins) {
  const Sample s = sample(true, 60, 3, 33);
  const Kernel kernel{Kernel::Kind::rbf, 0.4, 0, 3};
  for (const char* bias : {"flat", "none", "0.5"}) {
    for (const char* solver : {"auto", "newton", "smo"}) {
      SCOPED_TRACE(fmt::format("bias {}, {}", bias, solver));
      Settings settings = unscaled("logistic", Settings{}.p0, bias, 2, 3);
      settings.model = ModelKind::kernel;
      settings.kernel = KernelKind::rbf;
      settings.gamma = 0.4;
      settings.tolerance = 1e-10;
      set_option(settings, "solver", solver);
      const Model model = fit(dataset(s.x, s.y), settings);
      ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
      ASSERT_EQ(model.support.size(), 60u);
      double sum = 0;
      for (std::size_t t = 0; t < 60; ++t) {
        double f = model.bias;
        for (std::size_t u = 0; u < 60; ++u) f += 3 * model.multipliers[u] * naive_kernel(kernel, s.x[t], s.x[u]);
        EXPECT_NEAR(model.multipliers[t], s.y[t] * 2 / (1 + std::exp(s.y[t] * f)), 1e-4);
        sum += model.multipliers[t];
      }
      if (settings.bias == BiasKind::flat) {
        EXPECT_NEAR(sum, 0, 1e-10);
      } else {
        EXPECT_NEAR(model.bias, settings.bias == BiasKind::none ? 0 : 0.5 * sum, 1e-4);
      }
    }
  }
}

// A flat bias gives probabilities that are right on average, which is the score equation of the bias.
TEST(Logistic, ProbabilitiesAreThoseOfTheLogOdds) {
  const Sample s = sample(true, 200, 6, 46);
  const Model model = fit(dataset(s.x, s.y), with("logistic", 0.1, 1e-10));
  double sum = 0, positive = 0;
  const auto predictions = model.predict(dense(s.x));
  for (std::size_t t = 0; t < 200; ++t) {
    EXPECT_NEAR(predictions[t].probability, 1 / (1 + std::exp(-predictions[t].score)), 1e-15);
    sum += predictions[t].probability, positive += s.y[t] > 0 ? 1 : 0;
  }
  EXPECT_NEAR(sum, positive, 1e-3);
  EXPECT_EQ(*model.settings.c, 1);
  const Model back = model_from_json(to_json(model), "m.json");
  EXPECT_EQ(back, model);
  EXPECT_EQ(back.settings.margin, MarginKind::logistic);
  Settings settings = with("logistic", 0.1);
  settings.model = ModelKind::kernel;
  settings.p0 = Settings{}.p0;
  for (const Prediction& each : fit(dataset(s.x, s.y), settings).predict(dense(s.x)))
    EXPECT_NEAR(each.probability, 1 / (1 + std::exp(-each.score)), 1e-15);
}

// Three classes: every solver between classes, with and without a shared switch, at the same optimum; the losses of the
// rivals of an example are added (docs/theory.md#logistic-loss).
TEST(Logistic, SeveralClassesAddTheLossesOfTheRivals) {
  Sample s = sample(false, 90, 4, 47);
  std::vector<double> y(90);
  for (std::size_t t = 0; t < 90; ++t) y[t] = s.y[t] < -1 ? 0 : s.y[t] < 1 ? 1 : 2;
  for (const double p0 : {1.0, 0.1}) {
    Settings settings = unscaled("logistic", p0, "flat", 1.3, 0.8);
    settings.tolerance = 1e-9;
    const Model model = fit(dataset(s.x, y), settings);
    ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
    for (const char* solver : {"newton", "ascent", "primal-newton"}) {
      SCOPED_TRACE(solver);
      Settings other = settings;
      set_option(other, "solver", solver);
      expect_same_fit(model, fit(dataset(s.x, y), other), dense(s.x));
    }
    if (p0 < 1) continue;
    // F by its definition.
    double value = 0;
    for (const double w : model.multiclass->coefficient) value += 0.5 * w * w / 0.8;
    for (std::size_t t = 0; t < 90; ++t) {
      const auto score = [&](std::size_t k) {
        double f = model.multiclass->class_bias[k];
        for (std::size_t i = 0; i < 4; ++i) f += model.multiclass->coefficient[i * 3 + k] * s.x[t][i];
        return f;
      };
      const auto own = static_cast<std::size_t>(y[t]);
      for (std::size_t k = 0; k < 3; ++k) {
        if (k != own) value += 1.3 * std::log1p(std::exp(score(k) - score(own)));
      }
    }
    EXPECT_NEAR(model.report.primal, value, 1e-9 * value);
  }
}

TEST(Logistic, RefusesWhatItHasNoUseFor) {
  const Dataset data = classes();
  Settings settings = with("logistic", 0.1);
  settings.margin_location = 2;
  expect_option_error(data, settings, "margin-location = 2, but margin = logistic has no use for it; leave it out");
  settings.margin_location.reset();
  settings.solver = SolverKind::bounded_qp;
  expect_option_error(data, settings,
                      "solver = bounded-qp needs a built-in margin that is a quadratic program without its logarithm; "
                      "use coordinate");
}

}  // namespace
}  // namespace medlar::test
