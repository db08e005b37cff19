// The system of a Newton step over features against its two lines written out, dense and sparse, with every bias.
#include "medlar/linalg/systems/feature_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "linalg/systems/random_system.hpp"

namespace medlar::test {
namespace {

// The largest difference between both sides, relative to the right one.
double residual(const System& system, const FeatureSystem::Step& step, std::span<const double> g, double g_bias,
                double sigma2, bool flat) {
  std::vector<double> left = step.v;  // D^-1 dw
  double left_bias = flat || sigma2 == 0 ? 0 : step.bias / sigma2, size = 1e-300;
  for (std::size_t t = 0; t < system.rows.size(); ++t) {
    if (std::isinf(system.h[t])) continue;
    double f = step.bias;
    for (std::size_t i = 0; i < left.size(); ++i) f += system.rows[t][i] * system.curvature.d[i] * step.v[i];
    for (std::size_t i = 0; i < left.size(); ++i) left[i] += system.rows[t][i] * f / system.h[t];
    left_bias += f / system.h[t];
  }
  double worst = flat || sigma2 > 0 ? std::abs(left_bias - g_bias) : std::abs(step.bias);
  for (std::size_t i = 0; i < left.size(); ++i) {
    size = std::max(size, std::abs(g[i]));
    if (system.curvature.d[i] > 0) worst = std::max(worst, std::abs(left[i] - g[i]));
  }
  return worst / size;
}

TEST(FeatureSystem, SolvesBothLines) {
  for (unsigned seed = 1; seed <= 24; ++seed) {
    const double sigma2 = seed % 3 == 0 ? 0.7 : 0;
    const bool flat = seed % 3 == 1, is_sparse = seed % 2 == 0;
    System system(seed < 12 ? 300 : 40, 12, 0, sigma2, is_sparse ? 0.7 : 0, seed);
    for (std::size_t t = 0; t < system.h.size(); t += 5) system.h[t] = std::numeric_limits<double>::infinity();
    const Matrix x = is_sparse ? sparse(system.rows) : dense(system.rows);
    const std::vector<double> beta(system.h.size(), 0.0);
    FeatureSystem factor(x);
    factor.assemble(system.h, beta, sigma2, flat);
    factor.factor(system.curvature.d);
    const std::vector<double> g(system.r.begin(), system.r.begin() + 12);
    const double g_bias = sigma2 > 0 || flat ? system.r[12] : 0;
    // h is down to 1e-6, and d up to 100: eight digits are left of sixteen
    EXPECT_LE(residual(system, factor.solve(g, g_bias), g, g_bias, sigma2, flat), 1e-7) << "seed " << seed;
  }
}

// X^T beta and X^T H (X dw + db), written out.
TEST(FeatureSystem, AddsUpStatisticsAndProductsOnItsPass) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const bool is_sparse = seed % 2 == 0;
    System system(200, 7, 0, 0, is_sparse ? 0.8 : 0, seed);
    std::vector<double> beta(system.h.size()), v(7, 0.0), product(7, 0.0);
    const std::vector<double> dw(system.r.begin(), system.r.begin() + 7);
    for (std::size_t t = 0; t < beta.size(); ++t) {
      if (t % 4 == 0) system.h[t] = std::numeric_limits<double>::infinity();
      beta[t] = t % 4 == 0 ? 0 : system.r[t];
      double f = 0.3;
      for (std::size_t i = 0; i < 7; ++i) f += system.rows[t][i] * dw[i];
      for (std::size_t i = 0; i < 7; ++i) {
        v[i] += system.rows[t][i] * beta[t];
        product[i] += system.rows[t][i] * f / system.h[t];
      }
    }
    const Matrix x = is_sparse ? sparse(system.rows) : dense(system.rows);
    FeatureSystem factor(x);
    factor.assemble(system.h, beta, 0, true);
    const std::vector<double> times = factor.times(dw, 0.3);
    for (std::size_t i = 0; i < 7; ++i) {
      EXPECT_NEAR(factor.statistics()[i], v[i], 1e-10 * (1 + std::abs(v[i]))) << "seed " << seed;
      EXPECT_NEAR(times[i], product[i], 1e-10 * (1 + std::abs(product[i]))) << "seed " << seed;
    }
  }
}

TEST(FeatureSystem, RowsInFloatsGiveTheSameStep) {
  System system(50, 9, 0, 0, 0, 30);
  for (auto& row : system.rows) {
    for (double& value : row) value = static_cast<double>(static_cast<float>(value));
  }
  const Matrix x = dense(system.rows), floats = x.as_floats();
  FeatureSystem doubles_factor(x), floats_factor(floats);
  for (FeatureSystem* each : {&doubles_factor, &floats_factor}) {
    each->assemble(system.h, std::vector<double>(system.h.size(), 0.0), 0, true);
    each->factor(system.curvature.d);
  }
  const std::vector<double> g(system.r.begin(), system.r.begin() + 9);
  EXPECT_EQ(doubles_factor.solve(g, 1).v, floats_factor.solve(g, 1).v);
}

}  // namespace
}  // namespace medlar::test
