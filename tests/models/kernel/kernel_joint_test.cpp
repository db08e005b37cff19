// Several classes by a kernel, fitted jointly: one score for each class, constraints against every rival
// (docs/theory.md#several-classes).
#include <gtest/gtest.h>

#include "medlar/scores_by_class.hpp"
#include "models/kernel/clouds.hpp"
#include "models/kernel/naive_kernel.hpp"
#include "refusals/refusal.hpp"

namespace medlar::test {
namespace {

Settings joint_kernel(const std::string& margin, const std::string& kernel, const std::string& bias = "flat") {
  Settings settings = with(margin, 1, 1e-8);
  settings.model = ModelKind::kernel;
  settings.task = Task::classify;
  set_option(settings, "kernel", kernel);
  settings.multiclass = Multiclass::joint;
  settings.scale = ScaleKind::none;
  set_option(settings, "bias", bias);
  settings.threads = 1;
  if (kernel == "rbf") settings.gamma = 0.4;
  return settings;
}

Rows rbf_gram(const Rows& x) {
  Rows gram;
  for (const auto& a : x) {
    std::vector<double>& row = gram.emplace_back();
    for (const auto& b : x) row.push_back(naive_kernel({Kernel::Kind::rbf, 0.4, 0, 3}, a, b));
  }
  return gram;
}

// With the linear kernel the model is the linear one of several classes, which other solvers fit over its features.
TEST(KernelJoint, TheLinearKernelIsTheLinearModel) {
  const Sample s = three_clouds(120, 4), fresh = three_clouds(40, 5);
  for (const std::string& margin : kClassifiers) {
    for (const char* bias : {"flat", "none", "0.5"}) {
      SCOPED_TRACE(margin + " " + bias);
      const Settings settings = joint_kernel(margin, "linear", bias);
      const Model model = fit(dataset(s.x, s.y), settings);
      EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
      Settings linear = settings;
      linear.model = ModelKind::linear, linear.kernel = KernelKind::rbf, linear.multiclass = Multiclass::pairs;
      if (margin == "hinge") linear.tolerance = 1e-7;
      const Model other = fit(dataset(s.x, s.y), linear);
      ASSERT_LE(other.report.relative_gap, 1e-6) << other.report.message;
      EXPECT_NEAR(model.report.objective, other.report.objective, 1e-6 * model.report.primal);
      const auto a = model.predict(dense(fresh.x)), b = other.predict(dense(fresh.x));
      for (std::size_t t = 0; t < a.size(); ++t) {
        EXPECT_EQ(a[t].label, b[t].label);
        EXPECT_NEAR(a[t].score, b[t].score, 5e-3);
        EXPECT_NEAR(a[t].sd, b[t].sd, 1e-9);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[t].probabilities[k], b[t].probabilities[k], 2e-3);
      }
    }
  }
}

// J of docs/theory.md#several-classes written out, with lambda by example and rival class.
struct PlainJoint {
  Sample s;
  double c;
  bool hinge;
  Rows kernel;

  double psi(double lambda) const { return hinge ? lambda : lambda + std::log(1 - lambda / c); }
  double objective(const Rows& lambda) const {
    double sum = 0;
    Rows r(3, std::vector<double>(s.x.size(), 0.0));
    for (std::size_t t = 0; t < s.x.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k) {
        const auto own = static_cast<std::size_t>(s.y[t]);
        if (k == own) continue;
        sum += psi(lambda[t][k]);
        r[own][t] += lambda[t][k];
        r[k][t] -= lambda[t][k];
      }
    }
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t t = 0; t < s.x.size(); ++t) {
        for (std::size_t u = 0; u < s.x.size(); ++u) sum -= 0.5 * r[k][t] * r[k][u] * kernel[t][u];
      }
    }
    return sum;
  }
  // One multiplier at a time, by thirds of its interval; without biases nothing ties them together.
  double maximum(int sweeps) const {
    Rows lambda(s.x.size(), std::vector<double>(3, 0.0));
    double best = objective(lambda);
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      for (std::size_t t = 0; t < s.x.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
          if (k == static_cast<std::size_t>(s.y[t])) continue;
          double low = 0, high = c;
          const auto there = [&](double at) {
            lambda[t][k] = at;
            return objective(lambda);
          };
          for (int cut = 0; cut < 60; ++cut) {
            const double a = low + (high - low) / 3, b = high - (high - low) / 3;
            (there(a) < there(b) ? low : high) = there(a) < there(b) ? a : b;
          }
          best = std::max(best, there(0.5 * (low + high)));
        }
      }
    }
    return best;
  }
};

TEST(KernelJoint, TheObjectiveIsTheMaximumByBruteForce) {
  for (const bool hinge : {false, true}) {
    PlainJoint plain{three_clouds(9, 21), 2.5, hinge, {}};
    plain.kernel = rbf_gram(plain.s.x);
    Settings settings = joint_kernel(hinge ? "hinge" : "exponential", "rbf", "none");
    settings.c = 2.5;
    const Model model = fit(dataset(plain.s.x, plain.s.y), settings);
    const double reference = plain.maximum(hinge ? 400 : 25);
    EXPECT_NEAR(model.report.objective, reference, 1e-6 * reference) << "hinge " << hinge;
  }
}

// F is convex: where no small change of weights and biases lowers it, it is at its minimum.
TEST(KernelJoint, NoChangeOfWeightsOrBiasesLowersThePrimal) {
  const Sample s = three_clouds(45, 31);
  const Rows gram = rbf_gram(s.x);
  for (const bool gaussian : {false, true}) {
    Settings settings = joint_kernel("hinge", "rbf", gaussian ? "0.5" : "flat");
    settings.c = 2;
    const Model model = fit(dataset(s.x, s.y), settings);
    const KernelPart& part = *model.kernel;
    double sum = 0;
    for (const double b : part.class_bias) sum += b;
    EXPECT_TRUE(gaussian || std::abs(sum) < 1e-9);
    const auto count = model.support.size();
    const auto primal = [&](const std::vector<double>& w, const std::vector<double>& b) {
      double value = 0;
      Rows f(3, std::vector<double>(s.x.size(), 0.0));
      for (std::size_t k = 0; k < 3; ++k) {
        if (gaussian) value += b[k] * b[k] / (2 * 0.5);
        for (std::size_t t = 0; t < s.x.size(); ++t) {
          for (std::size_t a = 0; a < count; ++a) {
            f[k][t] += w[k * count + a] * gram[t][static_cast<std::size_t>(model.support[a])];
          }
        }
        for (std::size_t a = 0; a < count; ++a) {
          value += 0.5 * w[k * count + a] * f[k][static_cast<std::size_t>(model.support[a])];
        }
      }
      for (std::size_t t = 0; t < s.x.size(); ++t) {
        const auto own = static_cast<std::size_t>(s.y[t]);
        for (std::size_t k = 0; k < 3; ++k) {
          if (k != own) value += 2 * std::max(0.0, 1 - (f[own][t] + b[own] - f[k][t] - b[k]));
        }
      }
      return value;
    };
    const double at = primal(part.weights, part.class_bias);
    EXPECT_NEAR(at, model.report.primal, 1e-9 * at);
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (int draw = 0; draw < 200; ++draw) {
      std::vector<double> w = part.weights, b = part.class_bias;
      const double size = std::pow(10.0, -1 - draw % 4);
      for (double& each : b) each += size * normal(random);
      if (draw % 3 != 0) w[static_cast<std::size_t>(draw) % w.size()] += size * normal(random);
      EXPECT_GE(primal(w, b), at - model.report.gap - 1e-9);
    }
  }
}

TEST(KernelJoint, PrecomputedIsComputedTheSmallestCacheWillDoAndItReadsBack) {
  const Sample s = three_clouds(60, 7);
  for (const std::string margin : {"hinge", "exponential"}) {
    SCOPED_TRACE(margin);
    Settings settings = joint_kernel(margin, "rbf");
    const Model computed = fit(dataset(s.x, s.y), settings);
    const Rows gram = rbf_gram(s.x);
    const Model given = fit(dataset(gram, s.y), joint_kernel(margin, "precomputed"));
    EXPECT_NEAR(given.report.objective, computed.report.objective, 1e-7 * computed.report.primal);
    const auto p = computed.predict(dense(s.x)), q = given.predict(dense(gram));
    for (std::size_t t = 0; t < p.size(); ++t) EXPECT_NEAR(p[t].score, q[t].score, 1e-3);
    settings.cache_mb = 1e-6;
    expect_same_fit(computed, fit(dataset(s.x, s.y), settings), dense(s.x));
    settings.solver = SolverKind::smo;  // sweeps to the end
    settings.tolerance = 1e-6;
    expect_same_fit(computed, fit(dataset(s.x, s.y), settings), dense(s.x));
    const Model again = model_from_json(to_json(computed), "memory");
    EXPECT_EQ(again.kernel->class_bias, computed.kernel->class_bias);
    const auto a = computed.predict(dense(s.x)), b = again.predict(dense(s.x));
    const auto scores = scores_by_class(computed, dense(s.x));
    for (std::size_t t = 0; t < a.size(); ++t) {
      EXPECT_EQ(a[t].score, b[t].score);
      EXPECT_EQ(a[t].score, *std::max_element(scores[t].begin(), scores[t].end()));
    }
  }
}

// Nothing inside the box: only the biases can make the classes balance.
TEST(KernelJoint, SmallCAndExamplesThatAreTheSameEndCertified) {
  const Dataset data = dataset({{0, 0}, {0, 0}, {0, 0}, {1, 1}, {1, 1}, {2, 2}}, {0, 1, 2, 0, 0, 1});
  for (const std::string& margin : kClassifiers) {
    for (const char* kernel : {"linear", "rbf"}) {
      Settings settings = joint_kernel(margin, kernel);
      settings.c = margin == "hinge" || margin == "gaussian" ? 0.1 : 1.5;
      const Model model = fit(data, settings);
      EXPECT_EQ(model.report.status, Status::converged) << margin << " " << kernel << " " << model.report.message;
    }
  }
}

TEST(KernelJoint, AWeightOfTwoIsTheRowTwice) {
  const Sample s = three_clouds(45, 9);
  std::vector<double> weights(s.x.size(), 1.0), y = s.y;
  Rows x = s.x;
  for (const std::size_t t : {2u, 10u, 21u}) x.push_back(s.x[t]), y.push_back(s.y[t]), weights[t] = 2;
  for (const std::string margin : {"exponential", "hinge"}) {
    const Settings settings = joint_kernel(margin, "rbf");
    expect_same_fit(fit(dataset(s.x, s.y, weights), settings), fit(dataset(x, y), settings), dense(s.x));
  }
}

TEST(KernelJoint, IsForKernelsAndMoreThanTwoLabels) {
  Sample s = three_clouds(30, 11);
  Settings settings = joint_kernel("hinge", "linear");
  settings.model = ModelKind::linear, settings.kernel = KernelKind::rbf;
  expect_option_error(dataset(s.x, s.y), settings,
                      "multiclass = joint, but model = linear, which fits several labels jointly, has no use for it; "
                      "leave it out");
  for (double& each : s.y) each = each > 0 ? 1 : 0;
  expect_option_error(dataset(s.x, s.y), joint_kernel("hinge", "rbf"),
                      "multiclass = joint, but a classifier of two labels has no use for it; leave it out");
}

}  // namespace
}  // namespace medlar::test
