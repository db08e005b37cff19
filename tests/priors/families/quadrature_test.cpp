// Each family's log-normaliser against the integral that defines it, up to the constant that every difference of two
// values loses; docs/theory.md#generative and, for the mixture with a switch, docs/theory.md#generative-switches.
#include <gtest/gtest.h>

#include <cmath>

#include "medlar/priors/families/class_partition.hpp"
#include "medlar/priors/families/families.hpp"
#include "medlar/priors/families/special.hpp"
#include "support/quadrature.hpp"

namespace medlar::test {
namespace {

double value(const char* name, std::vector<double> chi, Index columns = 1) {
  return find_family(*read_word<FamilyKind>(name))->make(columns)->value(chi);
}

// log of the integral of the exponential of `exponent` over the line, about its peak. Far out, where it is no number
// any more, there is nothing left to add.
template <class Exponent>
double log_integral_line(Exponent exponent, double centre, double width) {
  const double top = exponent(centre);
  const auto density = [&](double x) {
    const double height = std::exp(exponent(x) - top);
    return std::isfinite(height) ? height : 0.0;
  };
  return top + std::log(integrate_line(density, centre, width));
}

// Likewise over the half line, by the logarithm of the variable.
template <class Exponent>
double log_integral_half_line(Exponent exponent, double peak) {
  return log_integral_line([&](double t) { return exponent(std::exp(t)) + t; }, std::log(peak), 1);
}

TEST(Quadrature, GaussianOfUnitVariance) {
  // int prod N(x_t; mu, 1) dmu without the base measure e^{-x^2/2}: e^{mu chi - nu mu^2/2} (2 pi)^{-nu/2}.
  for (const auto& [chi, nu] : {std::pair{0.3, 1.0}, {-4.0, 2.5}, {7.0, 12.0}, {0.0, 0.4}}) {
    const double direct = log_integral_line(
        [&](double mu) { return mu * chi - 0.5 * nu * mu * mu - 0.5 * nu * kLogTwoPi; }, chi / nu, 1 / std::sqrt(nu));
    EXPECT_NEAR(value("gaussian", {chi, nu}) + 0.5 * kLogTwoPi, direct, 1e-11 * (1 + std::abs(direct)));
  }
}

TEST(Quadrature, GaussianWithItsOwnVariance) {
  // int int tau^{nu/2} e^{-tau/2 (chi2 - 2 mu chi1 + nu mu^2)} (2 pi)^{-nu/2} dmu dtau; the inner integral is a normal
  // one.
  for (const auto& chi : {std::vector<double>{0.5, 2.0, 1.5}, {-3.0, 8.0, 4.0}, {10.0, 30.0, 9.0}}) {
    const auto inner = [&](double tau) {
      return log_integral_line(
          [&](double mu) {
            return 0.5 * chi[2] * std::log(tau) - 0.5 * tau * (chi[1] - 2 * mu * chi[0] + chi[2] * mu * mu) -
                   0.5 * chi[2] * kLogTwoPi;
          },
          chi[0] / chi[2], 1 / std::sqrt(tau * chi[2]));
    };
    const double scatter = chi[1] - chi[0] * chi[0] / chi[2];
    const double direct = log_integral_half_line(inner, (chi[2] + 1) / scatter);
    EXPECT_NEAR(value("gaussian-diagonal", chi) + 0.5 * kLogTwoPi, direct, 1e-9 * (1 + std::abs(direct)));
  }
}

TEST(Quadrature, OneColumnOfFullCovarianceIsTheDiagonalOne) {
  for (const auto& chi : {std::vector<double>{0.5, 2.0, 1.5}, {-3.0, 8.0, 4.0}}) {
    EXPECT_NEAR(value("gaussian-full", chi), value("gaussian-diagonal", chi),
                1e-12 * std::abs(value("gaussian-full", chi)));
  }
}

TEST(Quadrature, TwoColumnsOfFullCovariance) {
  // The mean is integrated by its own normal integral, 2 pi/nu |L|^{-1/2}; the precision through its Cholesky factor
  // (a, 0; b, c): dL = 4 a^2 c da db dc. The integral over b is again normal.
  for (const auto& chi :
       {std::vector<double>{0.5, -1.0, 3.0, 0.7, 0.7, 4.0, 2.0}, {1.0, 0.2, 2.5, -0.4, -0.4, 3.0, 3.7}}) {
    const double nu = chi[6];
    const double m11 = chi[2] - chi[0] * chi[0] / nu, m12 = chi[3] - chi[0] * chi[1] / nu,
                 m22 = chi[5] - chi[1] * chi[1] / nu;
    const auto over_b = [&](double a, double c) {
      return (nu + 1) * std::log(a) + nu * std::log(c) + std::log(4.0) - 0.5 * (m11 - m12 * m12 / m22) * a * a -
             0.5 * m22 * c * c + 0.5 * std::log(2 * M_PI / m22);
    };
    const auto over_c = [&](double a) {
      return log_integral_half_line([&](double c) { return over_b(a, c); }, std::sqrt(nu / m22));
    };
    const double direct =
        log_integral_half_line(over_c, std::sqrt(nu / m11)) + std::log(2 * M_PI / nu) - nu * kLogTwoPi;
    EXPECT_NEAR(value("gaussian-full", chi, 2) + kLogTwoPi, direct, 1e-8 * std::abs(direct));
  }
}

// Theory 7 for every family of one column: 1 - p + p E[prod_t p(x_t | theta)^{r_t}] under the prior, where the r_t sum
// to S; densities as textbooks have them, so that the base measure is among what is tested.
TEST(Quadrature, ASwitchOfEveryFamilyWithAndWithoutS) {
  struct Law {
    std::string name;
    std::vector<double> chi, x;
    double (*log_density)(double x, double theta);
    double (*log_prior)(const std::vector<double>& chi, double theta);  // up to a constant
    bool positive;                                                      // theta lies in (0, inf), else on the line
  };
  const auto beta = [](const std::vector<double>& chi, double odds) {  // p = odds/(1 + odds), in d odds
    const double p = odds / (1 + odds), q = 1 / (1 + odds);
    return chi[0] * std::log(p) + (chi[1] - chi[0]) * std::log(q) - std::log(odds);
  };
  const std::vector<Law> laws{
      {"gaussian",
       {0.4, 1.5},
       {1.2, -0.3, 2.0},
       [](double x, double mu) { return -0.5 * (x - mu) * (x - mu) - 0.5 * kLogTwoPi; },
       [](const std::vector<double>& chi, double mu) { return chi[0] * mu - 0.5 * chi[1] * mu * mu; },
       false},
      {"bernoulli",
       {1.3, 2.9},
       {1, 0, 1},
       [](double x, double odds) { return x * std::log(odds) - std::log1p(odds); },
       beta,
       true},
      {"poisson",
       {2.5, 1.5},
       {3, 0, 5},
       [](double x, double rate) { return x * std::log(rate) - rate - std::lgamma(x + 1); },
       [](const std::vector<double>& chi, double rate) { return (chi[0] - 1) * std::log(rate) - chi[1] * rate; },
       true},
      {"exponential",
       {2.5, 3.5},
       {0.7, 0.1, 2.0},
       [](double x, double rate) { return std::log(rate) - rate * x; },
       [](const std::vector<double>& chi, double rate) { return (chi[1] - 1) * std::log(rate) - chi[0] * rate; },
       true},
  };
  const double p = 0.2;
  for (const Law& law : laws) {
    const auto family = find_family(*read_word<FamilyKind>(law.name))->make(1);
    const ClassPartition partition({{family, {0}, 0}}, 1, law.chi, SwitchKind::per_class, {p});
    for (const auto& r : {std::vector<double>{0.6, -0.4, -0.2}, {0.7, -0.3, 0.5}, {-0.4, -0.3, 0.1}}) {
      std::vector<double> v(3, 0.0), u(2);
      for (std::size_t t = 0; t < 3; ++t) {
        family->statistics_of(std::vector<double>{law.x[t]}, u);
        v[0] += r[t] * u[0];
        v[1] += r[t];
        v[2] += r[t] * family->base_measure(std::vector<double>{law.x[t]});
      }
      const auto integral = [&](bool with) {
        const auto exponent = [&](double theta) {
          double sum = law.log_prior(law.chi, theta);
          for (std::size_t t = 0; with && t < 3; ++t) sum += r[t] * law.log_density(law.x[t], theta);
          return sum;
        };
        return law.positive ? log_integral_half_line(exponent, 1) : log_integral_line(exponent, 0.3, 1);
      };
      const double expected = std::log(1 - p + p * std::exp(integral(true) - integral(false)));
      EXPECT_NEAR(partition.value(v), expected, 1e-9) << law.name << " S = " << v[1];
    }
  }
}

TEST(Quadrature, Bernoulli) {
  for (const auto& [chi, nu] : {std::pair{1.0, 2.0}, {0.3, 1.7}, {12.0, 40.0}}) {
    const double direct =
        std::log(integrate([&](double p) { return std::pow(p, chi - 1) * std::pow(1 - p, nu - chi - 1); }, 0, 1));
    EXPECT_NEAR(value("bernoulli", {chi, nu}), direct, 1e-9 * (1 + std::abs(direct)));
  }
}

TEST(Quadrature, ThreeCategories) {
  const std::vector<double> alpha{1.5, 0.8, 3.0};
  const double direct = std::log(integrate(
      [&](double p) {
        return std::pow(p, alpha[0] - 1) * integrate(
                                               [&](double q) {
                                                 const double rest = (1 - p) * (1 - q);
                                                 return std::pow((1 - p) * q, alpha[1] - 1) *
                                                        std::pow(rest, alpha[2] - 1) * (1 - p);
                                               },
                                               0, 1);
      },
      0, 1));
  EXPECT_NEAR(value("multinomial", alpha, 3), direct, 1e-9 * (1 + std::abs(direct)));
}

TEST(Quadrature, PoissonAndExponential) {
  for (const auto& [chi, nu] : {std::pair{1.0, 2.0}, {0.3, 1.7}, {12.0, 5.0}}) {
    // rate^{events - 1} e^{-rate time}: events and time trade places between counts and durations.
    const auto direct = [](double events, double time) {
      return log_integral_half_line([&](double rate) { return (events - 1) * std::log(rate) - time * rate; },
                                    events / time);
    };
    EXPECT_NEAR(value("poisson", {chi, nu}), direct(chi, nu), 1e-10 * (1 + std::abs(direct(chi, nu))));
    EXPECT_NEAR(value("exponential", {chi, nu}), direct(nu, chi), 1e-10 * (1 + std::abs(direct(nu, chi))));
  }
}

TEST(Quadrature, OutsideItsDomainAFamilyIsInfinite) {
  EXPECT_EQ(value("gaussian", {1, 0}), HUGE_VAL);
  EXPECT_EQ(value("gaussian-diagonal", {2, 1, 1}), HUGE_VAL);
  EXPECT_EQ(value("gaussian-full", {0, 0, 1, 2, 2, 1, 1}, 2), HUGE_VAL);
  EXPECT_EQ(value("bernoulli", {2, 2}), HUGE_VAL);
  EXPECT_EQ(value("multinomial", {1, 0}, 2), HUGE_VAL);
  EXPECT_EQ(value("poisson", {-1, 2}), HUGE_VAL);
  EXPECT_EQ(value("exponential", {0, 2}), HUGE_VAL);
}

}  // namespace
}  // namespace medlar::test
