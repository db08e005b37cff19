// What sweeps carry along, against V in long double: in single precision it drifts, refined it does not.
#include "medlar/solvers/sweeps/sweeps.hpp"

#include <gtest/gtest.h>

#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/coefficients/switches.hpp"
#include "models/fit_data.hpp"
#include "reference/random_problem.hpp"

namespace medlar::test {
namespace {

// The largest error of a score after many moves of rows that share a frequent feature.
template <class A>
double drift(const A& partition, bool refined) {
  RandomProblem random(5);
  const std::size_t T = 40, n = 30;
  Rows rows(T, std::vector<double>(n, 0.0));
  for (auto& row : rows) {
    row[0] = 1 + 0.1 * random.normal();
    for (int k = 0; k < 3; ++k)
      row[1 + static_cast<std::size_t>(random.below(static_cast<int>(n - 1)))] = random.normal();
    for (double& each : row) each = static_cast<float>(each);  // their own rounding is none of this
  }
  const Matrix x = sparse(rows);
  const FloatRows floats(x);
  auto sweep = sweep_over(floats, partition);
  std::vector<double> start(n, 0.0);
  start[0] = 7;
  EXPECT_TRUE(sweep.can_be_refined());
  if (refined) sweep.refine();
  EXPECT_EQ(sweep.can_be_refined(), !refined);
  sweep.start(start);
  std::vector<long double> exact(start.begin(), start.end());
  for (int visit = 0; visit < 100000; ++visit) {
    const auto t = static_cast<std::size_t>(random.below(static_cast<int>(T)));
    const double step = (visit % 2 == 0 ? 1 : -1) * random.uniform(0, 0.1);
    sweep.move(t, step, sweep.look(t));
    for (std::size_t i = 0; i < n; ++i) exact[i] += static_cast<long double>(step) * rows[t][i];
  }
  const std::vector<double> v(exact.begin(), exact.end());
  std::vector<double> w(n);
  partition.mean(v, w);
  double worst = 0;
  for (std::size_t t = 0; t < T; ++t) {
    double score = 0;
    for (std::size_t i = 0; i < n; ++i) score += rows[t][i] * w[i];
    worst = std::max(worst, std::abs(sweep.look(t).score - score) / (1 + std::abs(score)));
  }
  return worst;
}

TEST(Sweeps, RefinedDoNotDrift) {
  const GaussianPartition gaussian(30, 1.0);
  EXPECT_LT(drift(gaussian, true), 1e-10);
  EXPECT_GT(drift(gaussian, false), 1e-6);
  const SwitchPartition switches(std::vector<double>(30, 0.1), 1.0);
  EXPECT_LT(drift(switches, true), 5e-6);  // w and d are floats of V
  EXPECT_GT(drift(switches, false), drift(switches, true));
}

}  // namespace
}  // namespace medlar::test
