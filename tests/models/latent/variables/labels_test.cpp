// Latent labels inside: the alternation lowers the total KL, descent meets the certified fits of known labels, and the
// balance constraint holds.
#include "medlar/models/latent/variables/labels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/coefficients/groups.hpp"
#include "medlar/priors/coefficients/switches.hpp"
#include "medlar/priors/margins/margin.hpp"
#include "medlar/problem/constraints.hpp"
#include "medlar/solvers/choose.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

struct Drawn {
  Matrix x;
  std::vector<double> belief;
  std::vector<bool> unlabelled;
};

// Two classes; the first `labelled` examples have labels that are right with probability `sure`.
Drawn drawn(std::size_t examples, std::size_t features, std::size_t labelled, double sure, unsigned seed) {
  const Sample data = sample(true, examples, features, seed);
  Drawn out{dense(data.x), {}, std::vector<bool>(examples, false)};
  for (std::size_t t = 0; t < examples; ++t) {
    out.unlabelled[t] = t >= labelled;
    const double y = t == 0 ? 1 : t == 1 ? -1 : data.y[t];  // both classes, whatever was drawn
    out.belief.push_back(t >= labelled ? 0.5 : y > 0 ? sure : 1 - sure);
  }
  return out;
}

LabelProblem problem_of(const Drawn& drawn, const Margin& psi, const PriorView& prior, BiasPrior bias = {}) {
  return {&drawn.x, &psi, &prior, bias, drawn.belief, std::vector<double>(drawn.belief.size(), 1.0), drawn.unlabelled};
}

TEST(LatentLabels, TotalDivergenceNeverRises) {
  std::mt19937_64 random(7);
  int certified = 0;
  for (unsigned k = 0; k < 200; ++k) {
    const auto n = static_cast<std::size_t>(1 + random() % 6), examples = static_cast<std::size_t>(6 + random() % 20);
    const Drawn data = drawn(examples, n, 3 + random() % 4, k % 3 == 0 ? 1.0 : 0.85, k + 1);
    const Margin exponential(ExponentialMargin{2.0 + static_cast<double>(k % 5), 1});
    const Margin laplace(LaplaceMargin{2, 1});
    const Margin& psi = k % 4 == 0 ? laplace : exponential;
    const GaussianPartition gaussian(static_cast<Index>(n), 1.5);
    const SwitchPartition switches(static_cast<Index>(n), 0.2, 2);
    const PriorViewOf<GaussianPartition> plain(gaussian);
    const PriorViewOf<SwitchPartition> selecting(switches);
    const PriorView& prior = k % 2 == 0 ? static_cast<const PriorView&>(plain) : selecting;
    const BiasPrior bias = k % 5 == 0 ? BiasPrior{BiasPrior::Kind::gaussian, 2} : BiasPrior{};
    for (const bool literal : {true, false}) {
      LabelPlan plan;
      plan.literal = literal;
      const LabelSolution fitted = fit_labels(problem_of(data, psi, prior, bias), plan, {1e-5, 1500}, nullptr);
      const std::vector<double>& kl = fitted.latent.kl;
      ASSERT_FALSE(kl.empty());
      for (std::size_t r = 1; r < kl.size(); ++r) {
        EXPECT_LE(kl[r], kl[r - 1] + 1e-12 * std::abs(kl[r - 1]))
            << "seed " << k << ", round " << r << (literal ? ", literal" : "");
      }
      // Without a balance the bias may run away for ever; what is converged is certified.
      const bool converged = fitted.latent.report.status == Status::converged;
      certified += converged;
      if (converged) {
        EXPECT_LE(fitted.latent.report.relative_gap, 1e-5) << "seed " << k;
      }
    }
  }
  EXPECT_GT(certified, 200) << "of 400";
}

// Known labels: the same optimum as the certified solvers find, for every prior and both flat and Gaussian bias.
template <class A>
void expect_supervised_fit(const A& partition, BiasPrior bias) {
  Drawn data = drawn(40, 6, 40, 1.0, 3);
  const Margin psi = ExponentialMargin{3, 1};
  std::vector<int> y;
  for (const double belief : data.belief) y.push_back(belief > 0.5 ? 1 : -1);
  const Constraints constraints = classification_constraints(data.x, y, {});
  const Solution wanted = maximise(Problem{psi, partition, constraints, bias}, {1e-10}, nullptr);
  ASSERT_EQ(wanted.report.status, Status::converged);
  for (const bool literal : {false, true}) {
    LabelPlan plan;
    plan.literal = literal;
    const LabelSolution fitted =
        fit_labels(problem_of(data, psi, PriorViewOf(partition), bias), plan, {1e-10, 100000}, nullptr);
    EXPECT_EQ(fitted.latent.report.status, Status::converged) << fitted.latent.report.message;
    EXPECT_NEAR(fitted.latent.report.objective, wanted.report.objective, 1e-8 * wanted.report.objective);
    EXPECT_NEAR(fitted.latent.report.primal, wanted.report.primal, 1e-8 * wanted.report.primal);
    EXPECT_NEAR(fitted.bias, wanted.primal.bias[0], 1e-4);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(fitted.latent.point.w[i], wanted.primal.w[i], 1e-4);
    for (std::size_t t = 0; t < 40; ++t) EXPECT_NEAR(fitted.multipliers[t], wanted.dual.beta[t], 1e-3);
  }
}

TEST(LatentLabels, KnownLabelsGiveTheSupervisedFit) {
  for (const BiasPrior bias :
       {BiasPrior{}, BiasPrior{BiasPrior::Kind::gaussian, 0.5}, BiasPrior{BiasPrior::Kind::none, 0}}) {
    expect_supervised_fit(GaussianPartition(6, 1), bias);
    expect_supervised_fit(SwitchPartition(6, 0.05, 1), bias);
    expect_supervised_fit(GroupPartition({0, 0, 1, 1, 1, 2}, {0.1, 0.1, 0.3}, 1), bias);
  }
}

TEST(LatentLabels, TheMeanScoreOfTheUnlabelledIsWhatBalanceAsks) {
  const Drawn data = drawn(60, 5, 12, 1.0, 11);
  const Margin psi(ExponentialMargin{3, 1});
  const GaussianPartition gaussian(5, 0.5);
  const PriorViewOf prior(gaussian);
  for (const double share : {0.2, 0.5, 0.7}) {
    LabelPlan plan;
    plan.positive_share = share;
    const LabelSolution fitted = fit_labels(problem_of(data, psi, prior), plan, {1e-8, 100000}, nullptr);
    EXPECT_EQ(fitted.latent.report.status, Status::converged) << fitted.latent.report.message;
    const std::vector<double> f = scores(data.x, fitted.latent.point.w);
    const double mean = std::accumulate(f.begin() + 12, f.end(), 0.0) / 48 + fitted.bias;
    EXPECT_NEAR(mean, 2 * share - 1, 1e-10);
  }
}

// The slope that L-BFGS uses, V - V_lambda in the metric A'', is that of the total.
TEST(Descent, SlopeIsTheDerivativeOfTheTotal) {
  const Drawn data = drawn(25, 4, 8, 0.8, 5);
  const Margin psi(GaussianMargin{1.5, 1});
  const SwitchPartition switches(4, 0.1, 1);
  const PriorViewOf prior(switches);
  LabelTerms terms;
  terms.rows.x = data.x;
  terms.psi = &psi;
  terms.belief = data.belief;
  terms.weight.assign(25, 0.7);
  terms.rows.centre = {0.1, -0.2, 0.3, 0};
  const Descent descent(prior, terms, BiasPrior{});
  const std::vector<double> v{1.5, -2, 0.3, 2.5};
  const LatentPoint point = descent.at(v, 0.4);
  std::vector<double> d(4);
  prior.curvature(v, d, {});
  const double h = 1e-5;
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<double> up = v, down = v;
    up[i] += h, down[i] -= h;
    const double slope = (descent.at(up, 0.4).value - descent.at(down, 0.4).value) / (2 * h);
    EXPECT_NEAR(slope, d[i] * (v[i] - point.terms.v[i]), 1e-5 * (1 + std::abs(slope)));
  }
  const double slope = (descent.at(v, 0.4 + h).value - descent.at(v, 0.4 - h).value) / (2 * h);
  EXPECT_NEAR(slope, -point.terms.s, 1e-5 * (1 + std::abs(slope)));
}

}  // namespace
}  // namespace medlar::test
