// Kernel models: the same optimum as the linear model where the kernel is linear, as LIBSVM where the margin is a hinge
// or svr, and as themselves along other routes.
#include <gtest/gtest.h>

#include <numeric>

#include "agreement/peers.hpp"
#include "medlar/io.hpp"
#include "models/fit_data.hpp"
#include "models/kernel/naive_kernel.hpp"
#include "refusals/refusal.hpp"

namespace medlar::test {
namespace {

Settings kernel_settings(const std::string& margin, const std::string& kernel, double tolerance = 1e-8) {
  Settings settings = with(margin, 1, tolerance);
  settings.model = ModelKind::kernel;
  set_option(settings, "kernel", kernel);
  settings.scale = ScaleKind::none;
  settings.threads = 1;
  return settings;
}

TEST(KernelFit, TheLinearKernelIsTheLinearModel) {
  for (const std::string& margin : all_margins()) {
    for (const char* bias : {"flat", "none", "2.5"}) {
      for (const double c : {2.0, 40.0}) {
        SCOPED_TRACE(fmt::format("{} bias {} c {}", margin, bias, c));
        const Sample s = sample(classifies(margin), 60, 5, 3);
        Settings kernel = kernel_settings(margin, "linear"), linear = kernel;
        set_option(kernel, "bias", bias);
        set_option(linear, "bias", bias);
        kernel.c = linear.c = c;
        kernel.prior_variance = linear.prior_variance = 0.7;
        linear.model = ModelKind::linear;
        linear.kernel = KernelKind::rbf;
        const Dataset data = dataset(s.x, s.y);
        const Model a = fit(data, kernel), b = fit(data, linear);
        expect_same_fit(a, b, data.x, 1e-4);
        linear.solver = SolverKind::smo;
        expect_same_fit(fit(data, linear), b, data.x, 1e-4);
      }
    }
  }
}

// J and F from their definition, with no part of the library's arithmetic.
TEST(KernelFit, TheCertificateIsThatOfItsMultipliers) {
  const Sample s = sample(true, 50, 4, 8);
  Settings settings = kernel_settings("hinge", "rbf", 1e-6);
  settings.c = 3;
  settings.gamma = 0.3;
  settings.prior_variance = 2;
  const Model model = fit(dataset(s.x, s.y), settings);
  const Kernel kernel{Kernel::Kind::rbf, 0.3, 0, 3};
  double form = 0, linear = 0, loss = 0, sum = 0;
  for (std::size_t t = 0; t < s.x.size(); ++t) {
    double f = model.bias;
    for (std::size_t a = 0; a < model.support.size(); ++a) {
      f += 2 * model.multipliers[a] * naive_kernel(kernel, s.x[t], s.x[static_cast<std::size_t>(model.support[a])]);
    }
    loss += 3 * std::max(0.0, 1 - s.y[t] * f);
    for (std::size_t a = 0; a < model.support.size(); ++a) {
      if (model.support[a] == static_cast<Index>(t)) form += 0.5 * model.multipliers[a] * (f - model.bias);
    }
  }
  for (const double beta : model.multipliers) linear += std::abs(beta), sum += beta;
  EXPECT_NEAR(sum, 0, 1e-12);
  EXPECT_NEAR(model.report.primal, form + loss, 1e-12 * (form + loss));
  EXPECT_NEAR(model.report.objective, linear - form, 1e-12 * linear);
  EXPECT_LE(model.report.relative_gap, 1e-6);
}

TEST(KernelFit, HingeIsLibsvms) {
  for (const PeerKernel& kernel : {PeerKernel{"rbf", 0.25}, PeerKernel{"poly", 0.2, 1, 3}, PeerKernel{"linear"}}) {
    for (const double c : {1.0, 20.0}) {
      SCOPED_TRACE(fmt::format("{} c {}", kernel.name, c));
      const Sample s = sample(true, 120, 4, 12), fresh = sample(true, 40, 4, 13);
      Settings settings = kernel_settings("hinge", kernel.name, 1e-9);
      if (kernel.name != "linear") settings.gamma = kernel.gamma;
      settings.coef0 = kernel.coef0;
      settings.degree = kernel.degree;
      settings.c = c;
      const Model model = fit(dataset(s.x, s.y), settings);
      const PeerKernelFit peer = libsvm_kernel(s.x, s.y, c, -1, kernel, fresh.x);
      const Kernel own{kernel.name == "rbf"    ? Kernel::Kind::rbf
                       : kernel.name == "poly" ? Kernel::Kind::poly
                                               : Kernel::Kind::linear,
                       kernel.gamma, kernel.coef0, kernel.degree};
      double theirs = 0;
      for (std::size_t t = 0; t < s.x.size(); ++t) {
        theirs += std::abs(peer.beta[t]);
        for (std::size_t u = 0; u < s.x.size(); ++u) {
          theirs -= 0.5 * peer.beta[t] * peer.beta[u] * naive_kernel(own, s.x[t], s.x[u]);
        }
      }
      ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
      EXPECT_NEAR(model.report.objective, theirs, 1e-6 * theirs);
      const auto predictions = model.predict(dense(fresh.x));
      for (std::size_t t = 0; t < predictions.size(); ++t) {
        EXPECT_NEAR(predictions[t].score, peer.decisions[t], 1e-4 * (1 + std::abs(peer.decisions[t])));
      }
    }
  }
}

TEST(KernelFit, SvrIsLibsvms) {
  const Sample s = sample(false, 100, 4, 22), fresh = sample(false, 40, 4, 23);
  for (const double c : {0.5, 10.0}) {
    Settings settings = kernel_settings("svr", "rbf", 1e-9);
    settings.gamma = 0.25;
    settings.c = c;
    settings.epsilon = 0.2;
    settings.prior_variance = 1;
    const Model model = fit(dataset(s.x, s.y), settings);
    const PeerKernelFit peer = libsvm_kernel(s.x, s.y, c, 0.2, {"rbf", 0.25}, fresh.x);
    ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
    const auto predictions = model.predict(dense(fresh.x));
    for (std::size_t t = 0; t < predictions.size(); ++t) {
      EXPECT_NEAR(predictions[t].score, peer.decisions[t], 1e-4 * (1 + std::abs(peer.decisions[t])));
    }
  }
}

// Small c keeps smo busy, large c Newton; a cache of two rows makes working sets of two.
TEST(KernelFit, EveryRouteReachesTheSameOptimum) {
  for (const std::string& margin : all_margins()) {
    for (const char* bias : {"flat", "none", "1"}) {
      SCOPED_TRACE(fmt::format("{} bias {}", margin, bias));
      const Sample s = sample(classifies(margin), 90, 3, 31, 0.3);
      const Dataset data = dataset(s.x, s.y), packed = dataset(sparse(s.x), s.y);
      Settings settings = kernel_settings(margin, "rbf");
      settings.gamma = 0.5;
      set_option(settings, "bias", bias);
      const Model model = fit(data, settings);
      for (const char* solver : {"smo", "newton"}) {
        Settings other = settings;
        set_option(other, "solver", solver);
        expect_same_fit(model, fit(data, other), data.x);
      }
      Settings tiny = settings, threads = settings, wide = settings;
      wide.gram_precision = GramPrecision::doubles;
      expect_same_fit(model, fit(data, wide), data.x);
      tiny.cache_mb = 1e-6;
      tiny.tolerance = 1e-6;
      expect_same_fit(model, fit(data, tiny), data.x, 1e-2);
      threads.threads = 2;
      expect_same_fit(model, fit(packed, threads), data.x);
    }
  }
}

Matrix gram_of(const Rows& rows, const Rows& columns, const Kernel& kernel) {
  Rows values;
  for (const auto& row : rows) {
    values.emplace_back();
    for (const auto& column : columns) values.back().push_back(naive_kernel(kernel, row, column));
  }
  return dense(values);
}

TEST(KernelFit, PrecomputedIsComputed) {
  const Sample s = sample(true, 70, 4, 41), fresh = sample(true, 20, 4, 42);
  const Kernel kernel{Kernel::Kind::rbf, 0.4, 0, 3};
  std::vector<double> weights(70, 1.0);
  weights[3] = weights[50] = 0;  // rows and columns that leave
  weights[7] = 2.5;
  Settings settings = kernel_settings("exponential", "rbf"), given = kernel_settings("exponential", "precomputed");
  settings.gamma = 0.4;
  const Model computed = fit(dataset(s.x, s.y, weights), settings);
  const Model precomputed = fit(dataset(gram_of(s.x, s.x, kernel), s.y, weights), given);
  EXPECT_NEAR(computed.report.objective, precomputed.report.objective, 1e-7 * computed.report.objective);
  const auto a = computed.predict(dense(fresh.x)), b = precomputed.predict(gram_of(fresh.x, s.x, kernel));
  for (std::size_t t = 0; t < a.size(); ++t) {
    EXPECT_NEAR(a[t].score, b[t].score, 1e-4);
    EXPECT_NEAR(a[t].sd, b[t].sd, 1e-12);  // the diagonal of an rbf kernel is 1 everywhere
  }
}

TEST(KernelFit, AWeightOfTwoIsTheRowTwice) {
  for (const std::string& margin : all_margins()) {
    SCOPED_TRACE(margin);
    const Sample s = sample(classifies(margin), 40, 3, 51);
    Rows twice = s.x;
    std::vector<double> y = s.y;
    std::vector<double> weights(40, 1.0);
    for (const std::size_t t : {3u, 11u, 12u}) twice.push_back(s.x[t]), y.push_back(s.y[t]), weights[t] = 2;
    Settings settings = kernel_settings(margin, "rbf");
    settings.c = 5;
    if (settings.margin == MarginKind::tube || settings.margin == MarginKind::svr) settings.epsilon = 0.1;
    settings.prior_variance = 1;
    expect_same_fit(fit(dataset(s.x, s.y, weights), settings), fit(dataset(twice, y), settings), dense(s.x));
  }
}

TEST(KernelFit, TheFileKeepsSupportVectorsOnlyAndPredictsTheSame) {
  for (const bool packed : {false, true}) {
    const Sample s = sample(true, 80, 5, 61, 0.8);
    Settings settings = kernel_settings("hinge", "poly", 1e-6);
    settings.coef0 = 1;
    settings.scale = ScaleKind::automatic;
    const Dataset data = packed ? dataset(sparse(s.x), s.y) : dataset(s.x, s.y);
    const Model model = fit(data, settings);
    ASSERT_LT(model.support.size(), 80u);
    ASSERT_TRUE(model.kernel);
    EXPECT_EQ(model.kernel->vectors().rows(), std::ssize(model.support));
    const Model read = model_from_json(to_json(model), "memory");
    EXPECT_EQ(read, model);
    const auto a = model.predict(data.x), b = read.predict(data.x);
    for (std::size_t t = 0; t < a.size(); ++t) EXPECT_EQ(a[t].score, b[t].score);
  }
}

TEST(KernelFit, TheSdIsThePriorsOwn) {
  const Sample s = sample(false, 30, 2, 71);
  Settings settings = kernel_settings("tube", "poly");
  settings.coef0 = 1;
  settings.degree = 2;
  settings.gamma = 0.5;
  settings.prior_variance = 3;
  settings.bias = {BiasKind::variance, 4};
  const Model model = fit(dataset(s.x, s.y), settings);
  const auto predictions = model.predict(dense(s.x));
  const Kernel kernel{Kernel::Kind::poly, 0.5, 1, 2};
  for (std::size_t t = 0; t < 30; ++t) {
    EXPECT_NEAR(predictions[t].sd, std::sqrt(3 * naive_kernel(kernel, s.x[t], s.x[t]) + 4), 1e-12);
  }
}

// A hyperbolic tangent of next to nothing is a linear kernel, and definite.
TEST(KernelFit, ASigmoidKernelThatIsDefiniteIsFitted) {
  const Sample s = sample(true, 60, 4, 3);
  const Dataset data = dataset(s.x, s.y);
  Settings sigmoid = kernel_settings("exponential", "sigmoid"), linear = kernel_settings("exponential", "linear");
  sigmoid.gamma = 1e-5;
  sigmoid.prior_variance = 1e5;
  linear.prior_variance = 1;
  expect_same_fit(fit(data, sigmoid), fit(data, linear), data.x, 1e-4);
}

TEST(KernelFit, RefusesWhatItCannotServe) {
  const Sample s = sample(true, 60, 4, 3);
  const Dataset data = dataset(s.x, s.y);
  Settings settings = kernel_settings("hinge", "sigmoid");
  settings.gamma = 1;
  settings.coef0 = -1;
  try {
    fit(data, settings);
    FAIL() << "an indefinite kernel was fitted";
  } catch (const OptionError& error) {
    EXPECT_NE(std::string(error.what()).find("kernel = sigmoid with gamma = 1, coef0 = -1 is indefinite"),
              std::string::npos)
        << error.what();
  }
  settings = kernel_settings("hinge", "rbf");
  settings.scale = ScaleKind::none;
  settings.gamma = 1e13;
  expect_option_error(dataset({{10, 0}, {0, 1}, {1, 1}}, {0, 1, 1}), settings,
                      "gamma = 1e+13 leaves no digits of exp(-gamma |x - x'|^2) in double precision, for the features "
                      "are too large beside it; use a --gamma below 1e+10, or --scale standard");
  settings = kernel_settings("hinge", "precomputed");
  expect_data_error(data, settings,
                    "memory: a precomputed kernel needs one column per example, but has 60 examples and 4 columns; row "
                    "t must hold k(x_t, x_1), k(x_t, x_2), ...");
  expect_data_error(dataset({{1, 2}, {3, 1}}, {0, 1}), settings,
                    "memory: a precomputed kernel must be symmetric, but k(2, 1) = 3 and k(1, 2) = 2");
  settings.scale = ScaleKind::standard;
  expect_option_error(data, settings,
                      "scale = standard would change the numbers of a precomputed kernel; leave it out, or choose "
                      "another --kernel");
  settings = kernel_settings("hinge", "linear");
  settings.gamma = 2;
  expect_option_error(data, settings, "gamma = 2, but kernel linear has no use for it; leave it out");
  settings = kernel_settings("hinge", "rbf");
  settings.degree = 4;
  expect_option_error(data, settings, "degree = 4, but kernel rbf has no use for it; leave it out");
  settings.degree = Settings{}.degree;
  settings.epsilon = 0.2;
  expect_option_error(data, settings, "epsilon = 0.2, but a classifier has no use for it; leave it out");
  settings = kernel_settings("hinge", "rbf");
  settings.p0 = 0.5;
  expect_option_error(data, settings,
                      "p0 = 0.5, but a kernel model selects no features; use --p0 1, or --model linear with --expand "
                      "fourier:D or nystrom:D to select among basis functions");
  settings = kernel_settings("hinge", "rbf");
  settings.solver = SolverKind::ascent;
  expect_option_error(data, settings,
                      "solver 'ascent' needs features; model 'kernel' has none. Use 'auto', 'smo' or 'newton'.");
  Settings linear = with("hinge", 1e-3);
  linear.solver = SolverKind::smo;
  expect_option_error(data, linear,
                      "solver 'smo' needs a quadratic log-partition; prior 'switches' is not. Use 'auto' or "
                      "'coordinate'.");
  linear = with("hinge", 1);
  linear.gamma = 2;
  expect_option_error(data, linear,
                      "gamma = 2 belongs to a kernel, but model = linear has none; add --model kernel, or --expand "
                      "nystrom:D, or leave it out");
  linear = with("hinge", 1);
  linear.solver = SolverKind::primal_newton;
  expect_option_error(data, linear,
                      "solver 'primal-newton' needs a margin with curvature; margin 'hinge' has none. Use 'auto' or "
                      "'ascent'.");
}

// Examples that are the same, a kernel of rank one, an example whose kernel with itself is 0.
// With a large c the scores are differences of large terms, and rows in single precision have no digits left for them.
TEST(KernelFit, RowsInDoubleFinishWhatSinglePrecisionCannot) {
  const Dataset data = read_dataset(MEDLAR_DATA "/boston.csv");
  Settings settings = kernel_settings("tube", "rbf", 1e-6);
  settings.scale = ScaleKind::automatic;
  settings.c = 3e3;
  const Model model = fit(data, settings);
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  EXPECT_NE(model.report.solver.find("double"), std::string::npos) << model.report.solver;
}

TEST(KernelFit, DegenerateKernelsEndCertified) {
  for (const std::string& margin : all_margins()) {
    for (const char* kernel : {"linear", "rbf"}) {
      SCOPED_TRACE(margin + " " + kernel);
      const Dataset data = dataset({{0}, {0}, {1}, {1}, {1}, {2}}, {-1, 1, 1, 1, -1, 1});
      Settings settings = kernel_settings(margin, kernel, 1e-6);
      settings.c = 4;
      if (margin == "tube" || margin == "svr") settings.epsilon = 0.1;
      const Model model = fit(data, settings);
      EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
      for (const Prediction& each : model.predict(data.x)) EXPECT_TRUE(std::isfinite(each.score));
    }
  }
}

}  // namespace
}  // namespace medlar::test
