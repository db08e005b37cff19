// The lines along which SMO moves: each step is the maximum along its line, found here by trying.
#include "medlar/solvers/kernel/signed_potential.hpp"

#include <gtest/gtest.h>

#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/margins/exponential.hpp"
#include "medlar/priors/margins/gaussian.hpp"
#include "medlar/priors/margins/hinge.hpp"
#include "medlar/priors/margins/laplace.hpp"
#include "medlar/priors/margins/svr.hpp"
#include "medlar/priors/margins/tube.hpp"
#include "medlar/problem/problem.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

struct Lines {
  std::mt19937_64 random{7};
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }

  // Somewhere in the domain, often at an end of it or at 0.
  template <class P>
  double start(const SignedPotential<P>& phi, std::size_t t, bool closed) {
    const double low = std::max(phi.low(t), -5.0), high = std::min(phi.high(t), 5.0);
    switch (random() % 4) {
      case 0:
        return 0;
      case 1:
        return closed ? low : 0.99 * low;
      case 2:
        return closed ? high : 0.99 * high;
      default:
        return uniform(0.99 * low, 0.99 * high);
    }
  }

  template <class Psi>
  void check(const Psi& psi, bool regression) {
    const Matrix x = dense({{0}, {0}, {0}, {0}});
    const std::vector<double> weights{1, 0.5, 2, 1};
    const Constraints constraints = regression
                                        ? regression_constraints(x, std::vector<double>{0.3, -0.2, 1, -1}, weights)
                                        : classification_constraints(x, std::vector<int>{1, -1, 1, -1}, weights);
    const GaussianPartition prior(1, 1);
    const Problem problem{psi, prior, constraints, BiasPrior{}};
    const SignedPotential phi(problem);
    const bool closed = psi.domain().closed;
    for (int trial = 0; trial < 300; ++trial) {
      const std::size_t i = random() % 4, j = (i + 1 + random() % 3) % 4;
      const double a = start(phi, i, closed), b = start(phi, j, closed);
      const double pull = uniform(-2, 2), eta = uniform(0.01, 3);
      const auto gain = [&](double d) {
        return phi.value(i, a + d) + phi.value(j, b - d) - d * pull - 0.5 * eta * d * d;
      };
      const double step = phi.best_together(i, a, j, b, pull, eta), found = gain(step);
      ASSERT_GE(step, 0);
      const double room = std::min({phi.high(i) - a, b - phi.low(j), 20.0});
      for (int try_out = 0; try_out <= 400; ++try_out) {
        const double d = room * try_out / 400 * (closed ? 1 : 1 - 1e-9);
        ASSERT_LE(gain(d), found + 1e-9 * (1 + std::abs(found))) << "step " << step << " against " << d;
      }
      const double f = uniform(-2, 2), q = uniform(0.01, 3), to = phi.best_alone(i, a, f, q);
      const auto alone = [&](double beta) {
        return phi.value(i, beta) - f * (beta - a) - 0.5 * q * (beta - a) * (beta - a);
      };
      const double low = std::max(phi.low(i), -20.0), high = std::min(phi.high(i), 20.0);
      for (int try_out = 0; try_out <= 400; ++try_out) {
        const double beta = (low + (high - low) * try_out / 400) * (closed ? 1 : 1 - 1e-9);
        ASSERT_LE(alone(beta), alone(to) + 1e-9 * (1 + std::abs(alone(to)))) << "to " << to << " against " << beta;
      }
    }
  }
};

TEST(SignedPotential, StepsAreTheMaximumAlongTheirLine) {
  Lines().check(HingeMargin{3, 1}, false);
  Lines().check(ExponentialMargin{3, 1}, false);
  Lines().check(LaplaceMargin{3, 1}, false);
  Lines().check(GaussianMargin{1.5, 1}, false);
  Lines().check(SvrMargin{3, 0.2}, true);
  Lines().check(TubeMargin{3, 0.2}, true);
}

}  // namespace
}  // namespace medlar::test
