// Margin priors that no file but this one knows, fitted by every kind of model that can serve them.
#include "medlar/core/margin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "models/fit_data.hpp"
#include "support/quadrature.hpp"

namespace medlar::test::own_margins {
namespace {

// The exponential margin prior under another name, number by number, by the plainest formulas.
struct Again {
  double c = 1, s = 1;

  Domain domain() const { return {c, false}; }
  double value(double lambda) const { return lambda < c ? s * lambda + std::log1p(-lambda / c) : -HUGE_VAL; }
  double slope(double lambda) const { return s - 1 / (c - lambda); }
  double curvature(double lambda) const { return -1 / ((c - lambda) * (c - lambda)); }
  double multiplier(double margin) const { return margin < s - 1 / c ? c - 1 / (s - margin) : 0.0; }
  double loss(double margin) const { return value(multiplier(margin)) - margin * multiplier(margin); }
  double proximal(double g, double q, double) const {
    if (!(slope(0) + g > 0)) return 0;
    const double b = s + g - q * c;  // of the room c - lambda = u: q u^2 + b u - 1 = 0
    const double root = std::sqrt(b * b + 4 * q);
    return std::max(0.0, c - (b > 0 ? 2 / (b + root) : (root - b) / (2 * q)));
  }
};
static_assert(MarginPotential<Again>);

// gamma = s - t with t ~ Gamma(2, c), which no built-in prior is:  psi(lambda) = s lambda + 2 log(1 - lambda / c)
struct SumOfTwo {
  double c = 1, s = 1;

  Domain domain() const { return {c, false}; }
  double value(double lambda) const { return lambda < c ? s * lambda + 2 * std::log1p(-lambda / c) : -HUGE_VAL; }
  double slope(double lambda) const { return s - 2 / (c - lambda); }
  double curvature(double lambda) const { return -2 / ((c - lambda) * (c - lambda)); }
  double multiplier(double margin) const { return margin < s - 2 / c ? c - 2 / (s - margin) : 0.0; }
  double loss(double margin) const { return value(multiplier(margin)) - margin * multiplier(margin); }
  double proximal(double g, double q, double) const {
    if (!(slope(0) + g > 0)) return 0;
    const double b = s + g - q * c;
    const double root = std::sqrt(b * b + 8 * q);
    return std::max(0.0, c - (b > 0 ? 4 / (b + root) : (root - b) / (2 * q)));
  }
};
static_assert(MarginPotential<SumOfTwo>);

// For numbers: the squared epsilon-insensitive loss, a max(0, -m - epsilon)^2 / 2.
struct SquaredTube {
  double a = 1, epsilon = 0;

  Domain domain() const { return {HUGE_VAL, false}; }
  double value(double lambda) const { return -epsilon * lambda - lambda * lambda / (2 * a); }
  double slope(double lambda) const { return -epsilon - lambda / a; }
  double curvature(double) const { return -1 / a; }
  double multiplier(double margin) const { return std::max(0.0, a * (-margin - epsilon)); }
  double loss(double margin) const { return multiplier(margin) * multiplier(margin) / (2 * a); }
  double proximal(double g, double q, double) const { return std::max(0.0, (g - epsilon) / (q + 1 / a)); }
};
static_assert(MarginPotential<SquaredTube>);

constexpr double kC = 3;

template <class Psi>
Settings own(Settings settings, Psi psi) {
  settings.margin = MarginKind::automatic;
  settings.c = {};
  settings.own_margin = own_margin(psi);
  return settings;
}

// The built-in exponential margin and its double make the same fit.
void expect_double(const Dataset& data, Settings settings) {
  settings.margin = MarginKind::exponential;
  settings.c = kC;
  settings.margin_location = 1;
  const Model built_in = fit(data, settings);
  settings.margin_location = {};
  const Model mine = fit(data, own(settings, Again{kC, 1}));
  EXPECT_EQ(mine.settings.margin, MarginKind::own);
  expect_same_fit(built_in, mine, data.x, 1e-4);
}

Dataset classes_of(std::size_t examples, std::size_t features, unsigned seed) {
  const Sample drawn = sample(true, examples, features, seed);
  return dataset(drawn.x, drawn.y);
}

// Three labels, by the sign of two features.
Dataset three_classes(std::size_t examples, unsigned seed) {
  Sample drawn = sample(true, examples, 4, seed);
  for (std::size_t t = 0; t < examples; ++t) drawn.y[t] = drawn.x[t][0] > 0.3 ? 2.0 : drawn.x[t][1] > 0 ? 1.0 : 0.0;
  return dataset(drawn.x, drawn.y);
}

TEST(OwnMargin, ANewOneIsTheIntegralThatDefinesIt) {
  const SumOfTwo psi{2.5, 0.8};
  for (const double lambda : {0.0, 0.4, 1.7, 2.3}) {
    const double direct = std::log(
        integrate_half_line([&](double t) { return psi.c * psi.c * t * std::exp(-psi.c * t - lambda * (psi.s - t)); }));
    EXPECT_NEAR(psi.value(lambda), -direct, 1e-12);
  }
  for (const double g : {-0.5, 0.3, 4.0}) {
    const double best = psi.proximal(g, 0.7, 0), slope = psi.slope(best) + g - 0.7 * best;
    EXPECT_NEAR(best > 0 ? slope : std::max(slope, 0.0), 0, 1e-9);
  }
}

TEST(OwnMargin, LinearModelsOfTwoClassesFitItByEverySolver) {
  for (const double p0 : {1.0, 0.2}) {
    for (const char* solver : {"auto", "ascent", "newton", "primal-newton", "coordinate"}) {
      Settings settings = with("exponential", p0, 1e-8);
      settings.solver = *read_word<SolverKind>(solver);
      expect_double(classes_of(60, 5, 1), settings);
      expect_double(classes_of(25, 40, 2), settings);
    }
  }
  Settings settings = with("exponential", 1, 1e-8);
  settings.solver = SolverKind::smo;
  expect_double(classes_of(60, 5, 1), settings);
}

// F and J of a linear model with a flat bias by their definitions: the gap that the report claims is theirs.
template <class Psi>
void expect_certified(const Dataset& data, const Psi& psi, const Model& model, bool regress) {
  const double v = *model.settings.prior_variance;
  const std::size_t n = model.features.size();
  std::vector<double> beta(static_cast<std::size_t>(data.examples()), 0.0), sum(n, 0.0);
  for (std::size_t k = 0; k < model.support.size(); ++k) {
    beta[static_cast<std::size_t>(model.support[k])] = model.multipliers[k];
  }
  double primal = 0, dual = 0, balance = 0;
  for (const Feature& feature : model.features) primal += feature.coefficient * feature.coefficient / (2 * v);
  for (std::size_t t = 0; t < beta.size(); ++t) {
    double f = model.bias;
    const double y = data.target.values[t];
    for_each(data.x.row(static_cast<Index>(t)), [&](Index i, double x) {
      f += x * model.features[static_cast<std::size_t>(i)].coefficient;
      sum[static_cast<std::size_t>(i)] += beta[t] * x;
    });
    primal += regress ? psi.loss(f - y) + psi.loss(y - f) : psi.loss(y * f);
    dual += psi.value(std::abs(beta[t])) + (regress ? beta[t] * y : 0.0);
    balance += beta[t];
    EXPECT_TRUE(regress || beta[t] * y >= 0) << t;
  }
  for (const double each : sum) dual -= v * each * each / 2;
  EXPECT_NEAR(balance, 0, 1e-9);
  EXPECT_NEAR(primal, model.report.primal, 1e-9 * primal);
  EXPECT_NEAR(dual, model.report.objective, 1e-9 * primal);
  EXPECT_LE(primal - dual, 1e-8 * primal);
}

TEST(OwnMargin, ANewOneIsCertified) {
  const SumOfTwo psi{4, 1.2};
  const Dataset data = classes_of(80, 6, 3);
  Settings settings = with("exponential", 1, 1e-8);
  settings.scale = ScaleKind::none;
  for (const char* solver : {"auto", "ascent", "newton", "primal-newton", "coordinate", "smo"}) {
    settings.solver = *read_word<SolverKind>(solver);
    const Model model = fit(data, own(settings, psi));
    EXPECT_EQ(model.report.status, Status::converged) << solver << ": " << model.report.message;
    expect_certified(data, psi, model, false);
  }
}

TEST(OwnMargin, NumbersAreFittedWithASquaredTube) {
  const SquaredTube psi{5, 0.2};
  const Sample drawn = sample(false, 70, 5, 4);
  const Dataset data = dataset(drawn.x, drawn.y);
  Settings settings = with("tube", 1, 1e-8);
  settings.scale = ScaleKind::none;
  std::vector<double> objectives;
  for (const char* solver : {"auto", "ascent", "newton", "primal-newton", "coordinate", "smo"}) {
    settings.solver = *read_word<SolverKind>(solver);
    const Model model = fit(data, own(settings, psi));
    EXPECT_EQ(model.report.status, Status::converged) << solver << ": " << model.report.message;
    expect_certified(data, psi, model, true);
    objectives.push_back(model.report.objective);
  }
  settings.solver = SolverKind::automatic, settings.model = ModelKind::kernel, settings.kernel = KernelKind::linear;
  settings.prior_variance = *fit(data, own(with("tube", 1), psi)).settings.prior_variance;
  const Model kernel = fit(data, own(settings, psi));
  EXPECT_EQ(kernel.report.status, Status::converged) << kernel.report.message;
  EXPECT_NEAR(kernel.report.objective, objectives[0], 2e-8 * kernel.report.primal);
}

TEST(OwnMargin, SeveralClassesFitIt) {
  for (const double p0 : {1.0, 0.3}) {
    for (const char* solver : {"auto", "ascent", "newton", "primal-newton"}) {
      Settings settings = with("exponential", p0, 1e-7);
      settings.solver = *read_word<SolverKind>(solver);
      expect_double(three_classes(60, 5), settings);
    }
  }
  // A new one: solvers of two kinds find the same optimum.
  Settings settings = own(with("exponential", 1, 1e-8), SumOfTwo{4, 1.2});
  const Dataset data = three_classes(60, 6);
  const Model one = fit(data, settings);
  settings.solver = SolverKind::newton;
  expect_same_fit(one, fit(data, settings), data.x, 1e-4);
}

TEST(OwnMargin, KernelModelsFitIt) {
  for (const Multiclass multiclass : {Multiclass::pairs, Multiclass::joint}) {
    Settings settings = with("exponential", 1, 1e-8);
    settings.model = ModelKind::kernel, settings.gamma = 0.3, settings.multiclass = multiclass;
    expect_double(three_classes(50, 7), settings);
  }
  Settings settings = with("exponential", 1, 1e-8);
  settings.model = ModelKind::kernel, settings.gamma = 0.3;
  const Dataset data = classes_of(60, 4, 8);
  expect_double(data, settings);
  // A new one with the linear kernel is the linear model.
  settings.kernel = KernelKind::linear, settings.gamma = {}, settings.scale = ScaleKind::none;
  const Model kernel = fit(data, own(settings, SumOfTwo{4, 1.2}));
  settings.model = ModelKind::linear, settings.kernel = Settings{}.kernel;
  const Model linear = fit(data, own(settings, SumOfTwo{4, 1.2}));
  EXPECT_EQ(kernel.report.status, Status::converged) << kernel.report.message;
  EXPECT_NEAR(kernel.report.objective, linear.report.objective, 2e-8 * linear.report.primal);
}

TEST(OwnMargin, GenerativeModelsFitIt) {
  for (const Dataset& data : {three_classes(60, 9), classes_of(60, 3, 10)}) {
    Settings settings = with("exponential", Settings{}.p0, 1e-7);
    settings.model = ModelKind::generative, settings.family = FamilyKind::gaussian_diagonal;
    expect_double(data, settings);
    const Model model = fit(data, own(settings, SumOfTwo{4, 1.2}));
    EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
    EXPECT_LE(model.report.relative_gap, 1e-7);
  }
}

TEST(OwnMargin, LatentLabelsFitIt) {
  Sample drawn = sample(true, 60, 3, 11);
  Dataset data = dataset(drawn.x, drawn.y);
  const Model linear = fit(data, own(with("exponential", 1, 1e-8), SumOfTwo{4, 1.2}));
  for (const LatentMode mode : {LatentMode::anchored, LatentMode::literal}) {
    Settings settings = with("exponential", 1, 1e-8);
    settings.model = ModelKind::latent, settings.latent = LatentKind::labels, settings.latent_mode = mode;
    settings.prior_variance = linear.settings.prior_variance;
    // Labels that are all certain make it the linear fit.
    expect_same_fit(linear, fit(data, own(settings, SumOfTwo{4, 1.2})), data.x, 1e-4);
    Dataset some = data;
    for (std::size_t t = 20; t < some.target.values.size(); ++t) some.target.values[t] = NAN;
    expect_double(some, settings);
  }
}

TEST(OwnMargin, AModelFileSaysSoAndPredictsWithoutIt) {
  const Dataset data = classes_of(40, 3, 12);
  const Model model = fit(data, own(with("exponential", 1), SumOfTwo{4, 1.2}));
  const Model read = model_from_json(to_json(model), "memory");
  EXPECT_EQ(read.settings.margin, MarginKind::own);
  EXPECT_EQ(read.settings.own_margin, nullptr);
  const auto before = model.predict(data.x), after = read.predict(data.x);
  for (std::size_t t = 0; t < before.size(); ++t) EXPECT_EQ(before[t].score, after[t].score);
  EXPECT_THROW(fit(data, read.settings), OptionError);
}

// A good potential with one member that is wrong.
struct Faulty : Again {
  int fault = 0;
  double value(double lambda) const {
    return fault == 1 ? lambda - lambda * lambda + 0.3 * lambda * lambda * lambda : Again::value(lambda);
  }
  double multiplier(double margin) const {
    return fault == 2 ? NAN : fault == 3 ? HUGE_VAL : fault == 4 ? -1 : Again::multiplier(margin);
  }
  double loss(double margin) const { return fault == 5 ? NAN : fault == 6 ? 0 : fault == 7 ? -5 : Again::loss(margin); }
};

TEST(OwnMargin, AWrongMemberIsRefusedAndNeverCertified) {
  const Dataset data = classes_of(30, 3, 13);
  for (int fault = 0; fault <= 7; ++fault) {
    const Settings settings = own(with("exponential", 1), Faulty{{3, 1}, fault});
    if (fault == 0) {
      EXPECT_EQ(fit(data, settings).report.status, Status::converged);
    } else {
      EXPECT_THROW(fit(data, settings), OptionError) << fault;
    }
  }
}

TEST(OwnMargin, WhatDoesNotSuitIsRefused) {
  const Dataset data = classes_of(30, 3, 13);
  Settings settings = with("exponential", 1);
  settings.own_margin = own_margin(Again{3, 1});
  EXPECT_THROW(fit(data, settings), OptionError) << "two margins";
  settings.margin = MarginKind::automatic, settings.task = Task::regress;
  EXPECT_THROW(fit(data, settings), OptionError) << "a number would be drawn both ways";
  settings.task = Task::classify, settings.solver = SolverKind::bounded_qp;
  EXPECT_THROW(fit(data, settings), OptionError) << "no quadratic program is known";
  settings.solver = SolverKind::automatic, settings.own_margin = own_margin(Again{0.5, 1});
  EXPECT_THROW(fit(data, settings), OptionError) << "nothing would be learnt";
  EXPECT_THROW(fit(data, with("own", 1)), OptionError) << "a word alone";
}

}  // namespace
}  // namespace medlar::test::own_margins
