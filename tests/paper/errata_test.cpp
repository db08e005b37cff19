// Every slip of the paper that docs/errata.md lists: the printed form fails against an integral, an enumeration or a
// grid, the corrected one passes.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "medlar/numerics/log_mix.hpp"
#include "medlar/priors/coefficients/switches.hpp"
#include "medlar/priors/margins/exponential.hpp"
#include "support/brute_force.hpp"
#include "support/quadrature.hpp"

namespace medlar::test {
namespace {

constexpr double kQuadratureError = 1e-11;  // of the quadratures
constexpr double kWrong = 1e-2;             // a printed form is off by more than this

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}
double logit(double p) {
  return std::log(p) - std::log1p(-p);
}
double one(double) {
  return 1;
}

// log E[e^{exponent(x)}] for x ~ N(0, variance); `centre` and `width` say where the integrand lives.
template <class Exponent>
double log_gaussian_mean(Exponent exponent, double variance, double centre, double width) {
  const auto integrand = [&](double x) { return weighted(one, x, log_normal_density(x, 0, variance) + exponent(x)); };
  return std::log(integrate_line(integrand, centre, width));
}

// 1. Section 2.2: "log Z_gamma = lambda + log(1 - lambda/c)" is minus the log of Z_gamma.
TEST(Errata, MarginTermIsMinusTheLogPartition) {
  const double c = 3;
  for (const double lambda : {0.5, 1.5, 2.5}) {
    const double scale = 1 / (c - lambda);
    const double z = scale * integrate_half_line([&](double t) {
                       const double gamma = 1 - scale * t;
                       return weighted(one, gamma, std::log(c) - c * (1 - gamma) - lambda * gamma);
                     });
    const double printed = lambda + std::log(1 - lambda / c);
    EXPECT_GT(std::abs(std::log(z) - printed), kWrong);
    EXPECT_NEAR(-std::log(z), printed, kQuadratureError);
    EXPECT_NEAR((ExponentialMargin{c, 1}.value(lambda)), -std::log(z), kQuadratureError);
  }
}

// 2. Section 4.1: "P_i = Logistic(W_i^2 + log p0/(1-p0))" has W_i^2/2.
TEST(Errata, InclusionHasHalfTheSquare) {
  const std::vector<Index> group{0};
  const std::vector<double> p{0.02};
  for (const double w : {1.1, 1.9, 3.1}) {
    const double enumerated = brute_force(std::vector{w}, group, p, 1.0).inclusion[0];
    EXPECT_GT(std::abs(logistic(w * w + logit(p[0])) - enumerated), kWrong);
    EXPECT_NEAR(logistic(w * w / 2 + logit(p[0])), enumerated, kQuadratureError);
    EXPECT_NEAR(SwitchPartition(p, 1.0).inclusion_at(0, w), enumerated, kQuadratureError);
  }
}

// 3. Section 4.1: the transition "at +-sqrt(log((1-p0)/p0))" is at +-sqrt(2 log((1-p0)/p0)).
TEST(Errata, TransitionIsAtTheRootOfTwiceTheLogOdds) {
  const std::vector<Index> group{0};
  for (const double p : {0.2, 1e-2, 1e-4}) {
    const auto inclusion = [&](double w) {
      return brute_force(std::vector{w}, group, std::vector{p}, 1.0).inclusion[0];
    };
    const double log_odds = std::log((1 - p) / p);
    EXPECT_GT(std::abs(inclusion(std::sqrt(log_odds)) - 0.5), kWrong);
    EXPECT_NEAR(inclusion(std::sqrt(2 * log_odds)), 0.5, kQuadratureError);
    EXPECT_NEAR(inclusion(-std::sqrt(2 * log_odds)), 0.5, kQuadratureError);
  }
}

// 4. Footnote 5: the bias b ~ N(0, sigma^2) contributes "-(sigma^2/2) sum lambda_t y_t"; the sum is squared.
TEST(Errata, BiasTermIsSquared) {
  for (const double sigma : {0.6, 1.7}) {
    for (const double sum : {-2.0, 0.5, 3.0}) {
      const double variance = sigma * sigma;
      const double exact = log_gaussian_mean([&](double b) { return b * sum; }, variance, variance * sum, sigma);
      EXPECT_GT(std::abs(variance / 2 * sum - exact), kWrong);
      EXPECT_NEAR(variance / 2 * sum * sum, exact, kQuadratureError * (1 + exact));
    }
  }
}

// 5. Section 5: in "P0(b) = N(0, sigma)" sigma is the variance, so that the bias contributes (sigma/2)(sum beta_t)^2.
TEST(Errata, SigmaOfTheRegressionBiasIsAVariance) {
  const double sigma = 3;
  for (const double sum : {-1.0, 0.4, 2.0}) {
    const auto contribution = [&](double variance) {
      return log_gaussian_mean([&](double b) { return b * sum; }, variance, variance * sum, std::sqrt(variance));
    };
    EXPECT_NEAR(contribution(sigma), sigma / 2 * sum * sum, kQuadratureError * (1 + sum * sum));
    EXPECT_GT(std::abs(contribution(sigma * sigma) - sigma / 2 * sum * sum), kWrong);  // read as a deviation
  }
}

// 6. Section 6: the discriminant is printed with s_i (X_i - mu_i)^2; each log-density has -(X_i - mu_i)^2/2.
struct WeighedExamples {
  std::vector<double> weight, x;  // weight_t = lambda_t y_t

  double moment(int power) const {
    double sum = 0;
    for (std::size_t t = 0; t < x.size(); ++t) sum += weight[t] * std::pow(x[t], power);
    return sum;
  }
  // log of 1 - p + p E[exp sum_t weight_t factor (x_t - mu)^2 + constant], mu ~ N(0, 1)
  double log_partition(double p, double factor, double constant) const {
    const double precision = 1 - 2 * factor * moment(0);
    const double exponent = log_gaussian_mean(
        [&](double mu) {
          double sum = constant * moment(0);
          for (std::size_t t = 0; t < x.size(); ++t) sum += weight[t] * factor * (x[t] - mu) * (x[t] - mu);
          return sum;
        },
        1, -2 * factor * moment(1) / precision, 1 / std::sqrt(precision));
    return log_mix(p, exponent);
  }
};

TEST(Errata, GenerativeDiscriminantHasMinusOneHalf) {
  const double log_two_pi = std::log(2 * M_PI);
  const WeighedExamples balanced{{0.7, -0.4, -0.3}, {1.2, -0.5, 0.9}};  // sum lambda_t y_t = 0
  const double w = balanced.moment(1), q = balanced.moment(2);
  for (const double p : {0.5, 0.01}) {
    const double positive = log_mix(p, w * w / 2 - q / 2), negative = log_mix(p, w * w / 2 + q / 2);
    EXPECT_NEAR(balanced.log_partition(p, -0.5, -log_two_pi / 2), positive, kQuadratureError);
    EXPECT_NEAR(balanced.log_partition(p, +0.5, +log_two_pi / 2), negative, kQuadratureError);
    // The printed discriminant has neither the sign nor the half.
    const double printed = balanced.log_partition(p, 1, 0) + balanced.log_partition(p, -1, 0);
    EXPECT_GT(std::abs(printed - positive - negative), kWrong * p);
  }
  // With sum lambda_t y_t = S != 0 the normaliser of the density stays.
  const WeighedExamples skewed{{0.7, -0.4, 0.1}, {1.2, -0.5, 0.9}};
  const double s = skewed.moment(0), ws = skewed.moment(1), qs = skewed.moment(2);
  const double exponent = ws * ws / (2 * (1 + s)) - qs / 2 - std::log1p(s) / 2 - s * log_two_pi / 2;
  EXPECT_NEAR(skewed.log_partition(0.2, -0.5, -log_two_pi / 2), log_mix(0.2, exponent), kQuadratureError);
}

// 7. Appendix B: the quadratic bound on -log(1 - p + p e^{u^2/2}) takes h at the point of contact, not at the variable.
TEST(Errata, BoundTakesHAtThePointOfContact) {
  const auto j = [](double p, double u) { return -log_mix(p, u * u / 2); };
  const auto h = [](double p, double u) { return mix_weights(p, u * u / 2).off; };
  // The bound with h taken at the point `at`, and the constant that makes it touch j at `contact`.
  const auto without_constant = [&](double p, double u, double contact, double at) {
    const double quarter = contact * contact / 4;
    return u * contact * (quarter + h(p, at)) - (1 + quarter) * u * u / 2;
  };
  for (const double p : {1 - 1e-9, 0.5, 1e-2, 1e-8, 1e-30}) {
    for (const double contact : {0.0, 0.5, 2.0, 5.0, 12.0}) {
      const double constant = j(p, contact) - without_constant(p, contact, contact, contact);
      for (double u = -15; u <= 15; u += 0.05) {
        const double size = 1 + contact * contact * contact * contact;
        EXPECT_LE(without_constant(p, u, contact, contact) + constant, j(p, u) + 1e-13 * size)
            << "p = " << p << ", contact " << contact << ", u = " << u;
      }
    }
  }
  // With h at the variable the curve crosses j beside the point of contact: it is no bound.
  const double p = 1e-2, contact = 2, u = 1.8;
  const double constant = j(p, contact) - without_constant(p, contact, contact, contact);
  EXPECT_GT(without_constant(p, u, contact, u) + constant, j(p, u) + kWrong);
}

// 8. Appendix A: a conjugate prior has a count nu beside the sum of statistics chi; the printed form lacks it and
// holds only where S = sum lambda_t y_t = 0.
TEST(Errata, ConjugatePriorNeedsItsCountGaussian) {
  // p(theta | chi, nu) proportional to exp(chi theta - nu theta^2/2): log-normaliser chi^2/(2 nu) - log(nu)/2
  const auto k = [](double chi, double nu) { return chi * chi / (2 * nu) - std::log(nu) / 2; };
  const double chi = 0.8, nu = 2.5, v = 1.3;
  for (const double s : {0.0, 0.9, -0.7}) {
    const double width = 1 / std::sqrt(nu + s);
    const auto tilted = [&](double theta) {
      return weighted(one, theta, log_normal_density(theta, chi / nu, 1 / nu) + v * theta - s * theta * theta / 2);
    };
    const double exact = std::log(integrate_line(tilted, (chi + v) / (nu + s), width));
    EXPECT_NEAR(k(chi + v, nu + s) - k(chi, nu), exact, kQuadratureError);
    const double printed = k(chi + v, nu) - k(chi, nu);
    EXPECT_EQ(std::abs(printed - exact) < kQuadratureError, s == 0);
  }
}

TEST(Errata, ConjugatePriorNeedsItsCountPoisson) {
  // Counts of rate r ~ Gamma(a, b): log p(x|r) = x log r - r + ..., log-normaliser logGamma(a) - a log b
  const auto k = [](double a, double b) { return std::lgamma(a) - a * std::log(b); };
  const double a = 2.5, b = 1.5, v = 1.7;
  for (const double s : {0.0, 0.9, -0.7}) {
    const double z = integrate_half_line([&](double r) {
      const double log_prior = (a - 1) * std::log(r) - b * r - k(a, b);
      return weighted(one, r, log_prior + v * std::log(r) - s * r);
    });
    EXPECT_NEAR(k(a + v, b + s) - k(a, b), std::log(z), kQuadratureError);
    const double printed = k(a + v, b) - k(a, b);
    EXPECT_EQ(std::abs(printed - std::log(z)) < kQuadratureError, s == 0);
  }
}

}  // namespace
}  // namespace medlar::test
