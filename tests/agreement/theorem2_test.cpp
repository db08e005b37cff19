// Claims of the theory that a fit must bear out: Theorem 2, the transition of a switch, and which multipliers are 0.
#include <gtest/gtest.h>

#include "agreement/peers.hpp"
#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/coefficients/switches.hpp"
#include "medlar/priors/margins/exponential.hpp"
#include "medlar/priors/margins/tube.hpp"
#include "medlar/solvers/choose.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

Settings unscaled(const std::string& margin, double p0, double tolerance = 1e-9) {
  Settings settings = with(margin, p0, tolerance);
  settings.scale = ScaleKind::none;
  return settings;
}

// ---- Theorem 2: as c grows the exponential margin prior becomes the constraint of the hard-margin SVM.

TEST(Theorem2, LargeCMeetsTheHardMarginSvm) {
  const Sample s = sample(true, 20, 40, 1);                         // separable: more features than examples
  const PeerFit hard = libsvm_classification(s.x, s.y, /*C=*/1e5);  // no multiplier comes near 1e5
  double last = HUGE_VAL;
  for (const double c : {10.0, 100.0, 1e3, 1e4, 1e5}) {
    Settings settings = unscaled("exponential", 1);
    settings.c = c;
    const Model model = fit(dataset(s.x, s.y), settings);
    ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
    double distance = std::abs(model.bias - hard.b);
    for (std::size_t i = 0; i < hard.w.size(); ++i) {
      distance = std::max(distance, std::abs(model.features[i].coefficient - hard.w[i]));
    }
    EXPECT_LT(distance, last) << "c = " << c;
    EXPECT_LT(distance, 2 / c + 1e-5) << "c = " << c;  // the prior mean margin is 1 - 1/c
    last = distance;
    for (const double beta : model.multipliers) EXPECT_LT(std::abs(beta), c);
  }
}

// ---- p0 = 1 is the Gaussian prior, bit for bit.

template <class Partition>
Solution solved(const Partition& partition, const Constraints& constraints) {
  const Problem problem{ExponentialMargin{5, 1}, partition, constraints, BiasPrior{BiasPrior::Kind::flat, 0}};
  return maximise(problem, Limits{.tolerance = 1e-9}, nullptr, SolverKind::newton);
}

TEST(CertainSwitches, AreTheGaussianPriorBitForBit) {
  for (const std::size_t features : {4u, 50u}) {
    const Sample s = sample(true, 30, features, 2);
    const Matrix x = dense(s.x);
    const std::vector<int> y(s.y.begin(), s.y.end());
    const Constraints constraints = classification_constraints(x, y, {});
    const auto n = static_cast<Index>(features);
    const Solution a = solved(GaussianPartition(n, 0.7), constraints);
    const Solution b = solved(SwitchPartition(n, 1.0, 0.7), constraints);
    EXPECT_EQ(a.report.status, Status::converged);
    EXPECT_EQ(a.report.objective, b.report.objective);
    EXPECT_EQ(a.report.primal, b.report.primal);
    EXPECT_EQ(a.report.iterations, b.report.iterations);
    EXPECT_EQ(a.dual.lambda, b.dual.lambda);
    EXPECT_EQ(a.primal.v, b.primal.v);
    EXPECT_EQ(a.primal.w, b.primal.w);
    EXPECT_EQ(a.primal.bias, b.primal.bias);
  }
}

TEST(CertainSwitches, MayBeGivenFeatureByFeature) {
  const Sample s = sample(true, 30, 4, 3);
  Settings named = with("exponential", 1e-3);
  for (int i = 0; i < 4; ++i) named.feature_p0.entries.emplace_back(fmt::format("f{}", i), 1.0);
  const Model a = fit(dataset(s.x, s.y), with("exponential", 1)), b = fit(dataset(s.x, s.y), named);
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(a.bias, b.bias);
  EXPECT_EQ(a.multipliers, b.multipliers);
  for (const Feature& feature : a.features) EXPECT_EQ(feature.inclusion, 1);
}

// ---- The transition of one feature: P = 1/2 at |V| = tau = sqrt((2/v) log((1-p)/p)), where |w| = v tau / 2.

TEST(Transition, OneFeatureTurnsOnWhereTheTheorySays) {
  const Sample s = sample(true, 30, 1, 4);
  const double v = 0.5;
  const auto fitted = [&](double log_p0) {
    Settings settings = unscaled("exponential", std::exp(log_p0), 1e-12);
    settings.prior_variance = v;
    return fit(dataset(s.x, s.y), settings);
  };
  double off = std::log(1e-12), on = std::log(0.4);
  ASSERT_LT(fitted(off).features[0].inclusion, 0.5);
  ASSERT_GT(fitted(on).features[0].inclusion, 0.5);
  for (int step = 0; step < 40; ++step) {
    const double middle = (off + on) / 2;
    (fitted(middle).features[0].inclusion > 0.5 ? on : off) = middle;
  }
  const Model model = fitted((off + on) / 2);
  ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
  const double p = model.settings.p0, tau = std::sqrt(2 / v * (std::log1p(-p) - std::log(p)));
  EXPECT_NEAR(model.features[0].inclusion, 0.5, 1e-6);
  double V = 0;
  for (std::size_t j = 0; j < model.support.size(); ++j) {
    V += model.multipliers[j] * s.x[static_cast<std::size_t>(model.support[j])][0];
  }
  EXPECT_NEAR(std::abs(V), tau, 1e-4 * tau);
  EXPECT_NEAR(std::abs(model.features[0].coefficient), v * tau / 2, 1e-5 * v * tau);
  EXPECT_NEAR(model.features[0].sd, std::sqrt(v / 2 + v * v * tau * tau / 4), 1e-4);
}

// ---- Complementarity: psi'(lambda) is the margin where lambda > 0, and lambda is exactly 0 beyond psi'(0).

std::vector<double> multipliers_by_example(const Model& model) {
  std::vector<double> beta(static_cast<std::size_t>(model.examples), 0.0);
  for (std::size_t j = 0; j < model.support.size(); ++j) {
    beta[static_cast<std::size_t>(model.support[j])] = model.multipliers[j];
  }
  return beta;
}

TEST(Complementarity, OfClassification) {
  for (const double c : {2.0, 20.0}) {
    for (const double p0 : {1.0, 1e-3}) {
      const Sample s = sample(true, 60, 5, 5);
      Settings settings = with("exponential", p0, 1e-11);
      settings.c = c;
      const Model model = fit(dataset(s.x, s.y), settings);
      ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
      const std::vector<double> beta = multipliers_by_example(model);
      const auto predicted = model.predict(dense(s.x));
      const ExponentialMargin psi{c, 1};
      std::size_t idle = 0;
      for (std::size_t t = 0; t < 60; ++t) {
        const double margin = s.y[t] * predicted[t].score, lambda = s.y[t] * beta[t];
        EXPECT_GE(lambda, 0);
        if (margin > psi.slope(0) + 1e-4) {
          EXPECT_EQ(lambda, 0);
        }
        if (margin < psi.slope(0) - 1e-4) {
          EXPECT_GT(lambda, 0);
        }
        if (lambda > 0) {
          EXPECT_NEAR(psi.multiplier(margin), lambda, 1e-3 * c);
        }
        idle += lambda == 0;
      }
      EXPECT_GT(idle, 5u);
      EXPECT_EQ(model.support.size(), 60 - idle);
    }
  }
}

// beta_t = 0 exactly when |y_t - f(x_t)| <= E0[gamma], which is eps/2 for large c and 1/c for a narrow tube.
TEST(Complementarity, TheDeadZoneOfTheTube) {
  for (const double c : {3.0, 30.0, 300.0}) {
    for (const double epsilon : {0.0, 0.02, 0.8}) {
      const Sample s = sample(false, 60, 5, 6);
      Settings settings = with("tube", 1e-2, 1e-10);
      settings.c = c;
      settings.epsilon = epsilon;
      const Model model = fit(dataset(s.x, s.y), settings);
      ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
      const double zone = (epsilon * epsilon / 2 + epsilon / c + 1 / (c * c)) / (epsilon + 1 / c);
      if (c * epsilon > 200) {
        EXPECT_NEAR(zone, epsilon / 2, 0.01 * epsilon);
      }
      if (epsilon == 0) {
        EXPECT_NEAR(zone, 1 / c, 1e-15);
      }
      const std::vector<double> beta = multipliers_by_example(model);
      const auto predicted = model.predict(dense(s.x));
      const TubeMargin psi{c, epsilon};
      for (std::size_t t = 0; t < 60; ++t) {
        const double residual = s.y[t] - predicted[t].score;
        if (std::abs(residual) < zone - 1e-4) {
          EXPECT_EQ(beta[t], 0) << c << " " << epsilon << " " << t;
        }
        if (std::abs(residual) > zone + 1e-4) {
          EXPECT_GT(beta[t] * residual, 0) << c << " " << epsilon << " " << t;
        }
        if (beta[t] != 0) {
          EXPECT_NEAR(psi.multiplier(-std::abs(residual)), std::abs(beta[t]), 1e-2 * c);
        }
      }
    }
  }
}

TEST(Complementarity, AtMostOneSideOfARegressionExampleIsPositive) {
  const Sample s = sample(false, 40, 4, 7);
  const Matrix x = dense(s.x);
  const Constraints constraints = regression_constraints(x, s.y, {});
  const SwitchPartition partition(4, 1e-2, 1.0);
  const Problem problem{TubeMargin{5, 0.1}, partition, constraints, BiasPrior{BiasPrior::Kind::flat, 0}};
  const Solution solution = maximise(problem, Limits{}, nullptr);
  ASSERT_EQ(solution.report.status, Status::converged);
  for (std::size_t t = 0; t < 40; ++t) {
    EXPECT_EQ(std::min(solution.dual.lambda[2 * t], solution.dual.lambda[2 * t + 1]), 0);
    EXPECT_EQ(solution.dual.beta[t], solution.dual.lambda[2 * t] - solution.dual.lambda[2 * t + 1]);
  }
}

}  // namespace
}  // namespace medlar::test
