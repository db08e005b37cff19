// Every potential with a prior against the integral that defines it, psi(lambda) = -log int P0(gamma) e^{-lambda
// gamma}, and its slope and curvature against the tilted prior's mean and variance. The priors are as printed in the
// paper.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "medlar/priors/margins/exponential.hpp"
#include "medlar/priors/margins/gaussian.hpp"
#include "medlar/priors/margins/laplace.hpp"
#include "medlar/priors/margins/logistic.hpp"
#include "medlar/priors/margins/tube.hpp"
#include "support/quadrature.hpp"

namespace medlar::test {
namespace {

constexpr double kRelative = 1e-11;  // of the quadrature, with a variance as a difference of integrals

// weigh(g) is int g(gamma) P0(gamma) e^{-+ lambda gamma} dgamma, up to the prior's normaliser.
template <class P, class Weigh>
void expect_moments(const P& psi, double lambda, double sign, double normaliser, Weigh weigh) {
  const double total = weigh([](double) { return 1.0; });
  const double mean = weigh([](double gamma) { return gamma; }) / total;
  const double variance = weigh([&](double gamma) { return (gamma - mean) * (gamma - mean); }) / total;
  SCOPED_TRACE(::testing::Message() << "lambda = " << lambda);
  EXPECT_NEAR(psi.value(lambda), -std::log(total / normaliser), kRelative * (1 + std::abs(psi.value(lambda))));
  EXPECT_NEAR(psi.slope(lambda), sign * mean, kRelative * (1 + std::abs(mean)));
  EXPECT_NEAR(psi.curvature(lambda), -variance, kRelative * variance);
}

TEST(PotentialIntegral, Exponential) {
  for (const double c : {0.7, 3.0, 25.0}) {
    for (const double s : {1.0, -0.5}) {
      for (const double x : {0.0, 0.01, 0.5, 0.9}) {
        const double lambda = x * c;
        expect_moments(ExponentialMargin{c, s}, lambda, 1, 1, [&](auto g) {
          const auto log_prior = [&](double gamma) { return std::log(c) - c * (s - gamma); };
          const double scale = 1 / (c - lambda);
          return scale * integrate_half_line([&](double t) {
                   const double gamma = s - scale * t;
                   return weighted(g, gamma, log_prior(gamma) - lambda * gamma);
                 });
        });
      }
    }
  }
}

TEST(PotentialIntegral, Laplace) {
  for (const double c : {0.7, 3.0, 25.0}) {
    for (const double s : {1.0, -0.5}) {
      for (const double x : {0.0, 0.01, 0.5, 0.9}) {
        const double lambda = x * c;
        expect_moments(LaplaceMargin{c, s}, lambda, 1, 1, [&](auto g) {
          const auto log_prior = [&](double gamma) { return std::log(c / 2) - c * std::abs(s - gamma); };
          const auto tilted = [&](double gamma) { return weighted(g, gamma, log_prior(gamma) - lambda * gamma); };
          return integrate_line(tilted, s, 1 / (c - lambda));
        });
      }
    }
  }
}

TEST(PotentialIntegral, Gaussian) {
  for (const double c : {0.7, 3.0}) {
    for (const double lambda : {0.0, 0.1, 1.0, 4.0}) {
      expect_moments(GaussianMargin{c, 0.8}, lambda, 1, 1, [&](auto g) {
        const auto tilted = [&](double gamma) {
          return weighted(g, gamma, log_normal_density(gamma, 0.8, 1 / (c * c)) - lambda * gamma);
        };
        return integrate_line(tilted, 0.8 - lambda / (c * c), 1 / c);
      });
    }
  }
}

TEST(PotentialIntegral, Tube) {
  // The constraint is y - L + gamma >= 0, so the prior is tilted by e^{+lambda gamma}, and psi' = -E[gamma].
  for (const double c : {0.7, 3.0, 25.0}) {
    for (const double epsilon : {0.0, 0.01, 0.4, 2.0}) {
      for (const double x : {0.0, 0.01, 0.5, 0.9}) {
        const double lambda = x * c;
        const auto weigh = [&](double tilt, auto g) {
          const double scale = 1 / (c - tilt);
          const auto flat = [&](double gamma) { return g(gamma) * std::exp(tilt * gamma); };
          const auto tail = [&](double t) {
            const double gamma = epsilon + scale * t;
            return weighted(g, gamma, c * (epsilon - gamma) + tilt * gamma);
          };
          return integrate(flat, 0, epsilon) + scale * integrate_half_line(tail);
        };
        SCOPED_TRACE(::testing::Message() << "c = " << c << ", epsilon = " << epsilon);
        expect_moments(TubeMargin{c, epsilon}, lambda, -1, weigh(0, [](double) { return 1.0; }),
                       [&](auto g) { return weigh(lambda, g); });
      }
    }
  }
}

// The logistic prior has no closed form. Its transform e^{-psi} is that of the sum of two stable laws, tilted, and goes
// down like e^{-pi |t|} along the line lambda = c/2 + it, so that sums over t give the density there: P0(gamma) =
// e^{gamma c/2} q(gamma). It is a density, and its integrals give psi and the moments back.
TEST(PotentialIntegral, Logistic) {
  using Complex = std::complex<double>;
  for (const double c : {0.7, 1.0, 3.0}) {
    const LogisticMargin psi{c, 0};
    const auto tilted = [&](double gamma) {  // q
      constexpr double kStep = 0.02;
      double sum = 0;
      for (int k = 0; k <= 1000; ++k) {
        const Complex x = 0.5 + Complex(0, k * kStep / c), rest = 1.0 - x;
        const Complex term = std::exp(c * (x * std::log(x) + rest * std::log(rest)) + Complex(0, k * kStep * gamma));
        sum += (k == 0 ? 0.5 : 1.0) * term.real();
      }
      return sum * kStep / std::acos(-1.0);
    };
    const double end = 80 / c, step = 0.05 / c;  // to where rounding, made larger by the tilt, takes over
    std::vector<double> gammas, density;
    for (double gamma = -end; gamma <= end; gamma += step) {
      gammas.push_back(gamma);
      density.push_back(tilted(gamma));
      EXPECT_GE(density.back(), -1e-14) << "c " << c << ", gamma " << gamma;
    }
    for (const double share : {0.4, 0.5, 0.55}) {
      const double lambda = share * c;
      double total = 0, mean = 0, square = 0;
      for (std::size_t k = 0; k < gammas.size(); ++k) {
        const double weight = step * density[k] * std::exp((0.5 * c - lambda) * gammas[k]);
        total += weight, mean += weight * gammas[k], square += weight * gammas[k] * gammas[k];
      }
      mean /= total, square /= total;
      SCOPED_TRACE(::testing::Message() << "c = " << c << ", lambda = " << lambda);
      EXPECT_NEAR(psi.value(lambda), -std::log(total), 1e-9);
      EXPECT_NEAR(psi.slope(lambda), mean, 1e-7);
      EXPECT_NEAR(psi.curvature(lambda), mean * mean - square, 1e-5 * square);
    }
  }
}

}  // namespace
}  // namespace medlar::test
