// The special cases that other programs solve: hinge is the SVM, gaussian the squared hinge, svr the epsilon-SVR.
//
// They minimise |w|^2/2 + C sum loss; ours is F = |w|^2/(2v) + c sum loss, v times which is theirs with C = v c. The
// gaussian margin's loss is c^2/2 max(0, 1 - m)^2, so there C = v c^2/2. At location s, w = s u turns F into
// s^2 ( |u|^2/(2v) + (c/s) sum max(0, 1 - m) ), so C = v c/s and w = s u.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "agreement/peers.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

constexpr double kAgreement = 1e-6;  // relative, of objectives

using Loss = std::function<double(double f, double y)>;

double squared_norm(const std::vector<double>& w) {
  return std::inner_product(w.begin(), w.end(), w.begin(), 0.0);
}

// F at the peer's w and b.
double primal_of(const Sample& s, const PeerFit& at, double v, const Loss& loss) {
  double sum = squared_norm(at.w) / (2 * v);
  for (std::size_t t = 0; t < s.x.size(); ++t) {
    sum += loss(std::inner_product(at.w.begin(), at.w.end(), s.x[t].begin(), at.b), s.y[t]);
  }
  return sum;
}

void expect_same_coefficients(const Model& model, const PeerFit& peer) {
  for (std::size_t i = 0; i < peer.w.size(); ++i) {
    EXPECT_NEAR(model.features[i].coefficient, peer.w[i], 1e-2 * (1 + largest_coefficient(model)));
  }
}

// LIBLINEAR gives w in full precision.
void expect_primal_agreement(const Sample& s, const Model& model, const PeerFit& peer, const Loss& loss) {
  ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
  const double theirs = primal_of(s, peer, *model.settings.prior_variance, loss);
  EXPECT_NEAR(model.report.primal, theirs, kAgreement * theirs);
  EXPECT_NEAR(model.report.objective, theirs, kAgreement * theirs);
  expect_same_coefficients(model, peer);
}

// LIBSVM keeps its kernel in single precision. J is flat at the optimum and sees only the square of that error; F sees
// all of it.
void expect_dual_agreement(const Sample& s, const Model& model, const PeerFit& peer, double linear_term,
                           const Loss& loss) {
  ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
  const double v = *model.settings.prior_variance;
  const double theirs = (linear_term - squared_norm(peer.w) / 2) / v;  // their multipliers are v times ours
  EXPECT_NEAR(model.report.primal, theirs, kAgreement * theirs);
  EXPECT_NEAR(model.report.objective, theirs, kAgreement * theirs);
  EXPECT_LE(model.report.objective, primal_of(s, peer, v, loss) * (1 + 1e-12));
  expect_same_coefficients(model, peer);
  EXPECT_NEAR(model.bias, peer.b, 1e-2 * (1 + std::abs(peer.b)));
}

double sum_of_sizes(const std::vector<double>& beta) {
  return std::accumulate(beta.begin(), beta.end(), 0.0, [](double sum, double b) { return sum + std::abs(b); });
}

Settings settings_for(const std::string& margin, double c, double v, const std::string& bias) {
  Settings settings = with(margin, 1, 3e-7);
  settings.scale = ScaleKind::none;
  settings.c = c;
  settings.prior_variance = v;
  set_option(settings, "bias", bias);
  return settings;
}

struct PeerShape {
  std::size_t examples, features;
};
const std::vector<PeerShape> kShapes{{60, 5}, {25, 80}};

template <class Check>
void for_each_setting(const std::vector<double>& cs, Check check) {
  unsigned seed = 1;
  for (const PeerShape& shape : kShapes) {
    for (const double c : cs) {
      for (const double v : {1.0, 0.2, 5.0}) {
        SCOPED_TRACE(fmt::format("{} x {}, c {}, v {}, seed {}", shape.examples, shape.features, c, v, seed));
        check(shape, c, v, seed++);
      }
    }
  }
}

// LIBLINEAR's coordinate descent ends after 1000 rounds, which suffice for moderate c only.
TEST(Agreement, HingeWithoutBiasIsLiblinears) {
  for_each_setting({0.02, 0.1}, [](PeerShape shape, double c, double v, unsigned seed) {
    const Sample s = sample(true, shape.examples, shape.features, seed);
    const Model model = fit(dataset(s.x, s.y), settings_for("hinge", c, v, "none"));
    expect_primal_agreement(s, model, liblinear_hinge(s.x, s.y, v * c),
                            [c](double f, double y) { return c * std::max(0.0, 1 - y * f); });
  });
}

TEST(Agreement, HingeWithFlatBiasIsLibsvms) {
  for_each_setting({0.5, 3.0, 20.0}, [](PeerShape shape, double c, double v, unsigned seed) {
    const Sample s = sample(true, shape.examples, shape.features, seed);
    const Model model = fit(dataset(s.x, s.y), settings_for("hinge", c, v, "flat"));
    const PeerFit peer = libsvm_classification(s.x, s.y, v * c);
    expect_dual_agreement(s, model, peer, sum_of_sizes(peer.beta),
                          [c](double f, double y) { return c * std::max(0.0, 1 - y * f); });
  });
}

TEST(Agreement, GaussianMarginIsLiblinearsSquaredHinge) {
  for_each_setting({0.5, 2.0}, [](PeerShape shape, double c, double v, unsigned seed) {
    const Sample s = sample(true, shape.examples, shape.features, seed);
    const Model model = fit(dataset(s.x, s.y), settings_for("gaussian", c, v, "none"));
    expect_primal_agreement(s, model, liblinear_squared_hinge(s.x, s.y, v * c * c / 2), [c](double f, double y) {
      const double d = std::max(0.0, 1 - y * f);
      return c * c / 2 * d * d;
    });
  });
}

TEST(Agreement, SvrIsLibsvms) {
  for_each_setting({0.5, 3.0, 20.0}, [](PeerShape shape, double c, double v, unsigned seed) {
    const Sample s = sample(false, shape.examples, shape.features, seed);
    const double epsilon = 0.15;
    Settings settings = settings_for("svr", c, v, "flat");
    settings.epsilon = epsilon;
    const Model model = fit(dataset(s.x, s.y), settings);
    const PeerFit peer = libsvm_regression(s.x, s.y, v * c, epsilon);
    const double fits = std::inner_product(peer.beta.begin(), peer.beta.end(), s.y.begin(), 0.0);
    expect_dual_agreement(s, model, peer, fits - epsilon * sum_of_sizes(peer.beta),
                          [=](double f, double y) { return c * std::max(0.0, std::abs(y - f) - epsilon); });
  });
}

TEST(Agreement, ClassWeightsAreThePeers) {
  const Sample s = sample(true, 60, 5, 31);
  const PeerClasses classes{0.5, 4};
  Settings settings = settings_for("hinge", 0.1, 1, "flat");
  settings.class_weight = {ClassWeightKind::by_label, "-1:0.5,1:4"};
  const auto loss = [&](double f, double y) {
    return 0.1 * (y > 0 ? classes.positive : classes.negative) * std::max(0.0, 1 - y * f);
  };
  const PeerFit peer = libsvm_classification(s.x, s.y, 0.1, classes);
  expect_dual_agreement(s, fit(dataset(s.x, s.y), settings), peer, sum_of_sizes(peer.beta), loss);
  settings.bias = BiasKind::none;
  expect_primal_agreement(s, fit(dataset(s.x, s.y), settings), liblinear_hinge(s.x, s.y, 0.1, classes), loss);
}

TEST(Agreement, TheMarginsLocationScalesTheCoefficients) {
  const Sample s = sample(true, 60, 5, 32);
  const double c = 2, location = 0.4;
  Settings settings = settings_for("hinge", c, 1, "flat");
  settings.margin_location = location;
  PeerFit peer = libsvm_classification(s.x, s.y, c / location);
  for (double& w : peer.w) w *= location;
  peer.b *= location;
  expect_dual_agreement(s, fit(dataset(s.x, s.y), settings), peer, location * location * sum_of_sizes(peer.beta),
                        [=](double f, double y) { return c * std::max(0.0, location - y * f); });
}

// A weight of 3 in LIBSVM's terms is the row three times.
TEST(Agreement, SampleWeightsAreRepeatedRows) {
  const Sample s = sample(true, 40, 4, 33);
  std::vector<double> weights;
  Sample repeated;
  for (std::size_t t = 0; t < 40; ++t) {
    weights.push_back(1 + static_cast<double>(t % 3));
    for (std::size_t copy = 0; copy <= t % 3; ++copy) repeated.x.push_back(s.x[t]), repeated.y.push_back(s.y[t]);
  }
  const Model model = fit(dataset(s.x, s.y, weights), settings_for("hinge", 2, 1, "flat"));
  const PeerFit peer = libsvm_classification(repeated.x, repeated.y, 2);
  expect_dual_agreement(repeated, model, peer, sum_of_sizes(peer.beta),
                        [](double f, double y) { return 2 * std::max(0.0, 1 - y * f); });
}

}  // namespace
}  // namespace medlar::test
