// Passes over the data: plain and exact sums, and V with its scores on one pass against one after the other.
#include "medlar/problem/passes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/coefficients/switches.hpp"
#include "medlar/priors/margins/exponential.hpp"
#include "medlar/problem/best_pair.hpp"
#include "models/fit_data.hpp"
#include "reference/random_problem.hpp"

namespace medlar::test {
namespace {

// 60 x 3,000 doubles are more than a near cache is taken to hold; the last block of columns is not whole.
struct Wide {
  explicit Wide(unsigned seed) : random(seed) {
    rows.assign(60, std::vector<double>(3001));
    for (auto& row : rows) {
      for (double& each : row) each = random.normal();
    }
    for (std::size_t t = 0; t < rows.size(); ++t) beta.push_back(t % 7 == 0 ? 0.0 : random.normal());
  }
  RandomProblem random;
  Rows rows;
  std::vector<double> beta;
};

template <class Partition>
void expect_one_pass_is_two(const Matrix& x, std::span<const double> beta, const Partition& partition) {
  for (const Summing summing : {Summing::plain, Summing::exact}) {
    const Passed passed = statistics_and_scores(
        x, beta, summing,
        [&](std::size_t first, std::span<const double> v, std::span<double> w) { partition.mean_from(first, v, w); });
    const std::vector<double> v = statistics(x, beta, summing);
    std::vector<double> w(v.size());
    partition.mean(v, w);
    const std::vector<double> f = scores(x, w);
    EXPECT_EQ(passed.v, v);
    EXPECT_EQ(passed.w, w);
    for (std::size_t t = 0; t < f.size(); ++t) EXPECT_NEAR(passed.f[t], f[t], 1e-12 * (1 + std::abs(f[t])) * 60) << t;
  }
}

TEST(Passes, VAndScoresOnOnePassAreThoseOfTwo) {
  Wide wide(1);
  std::vector<double> mean(3001), p(3001);
  for (double& each : mean) each = wide.random.normal();
  for (double& each : p) each = wide.random.uniform(0.001, 0.9);
  const Matrix x = dense(wide.rows);
  for (const Matrix& kept : {x, x.as_floats(), sparse(wide.rows)}) {
    expect_one_pass_is_two(kept, wide.beta, GaussianPartition(3001, 0.7, mean));
    expect_one_pass_is_two(kept, wide.beta, SwitchPartition(p, 0.3));
    expect_one_pass_is_two(kept, std::vector<double>(60, 0.0), SwitchPartition(3001, 0.01, 0.3));
  }
}

// Rows of opposite weight that cancel but for the last digits: plain sums lose them, exact ones do not.
TEST(Passes, ExactSumsKeepWhatPlainOnesLose) {
  Rows rows;
  std::vector<double> beta;
  for (const double weight : {1e9 / 3, -1e9 / 3}) {
    for (int k = 0; k < 300; ++k) {
      rows.push_back({1.0 + 1e-3 * k, 0.5});
      beta.push_back(weight);
    }
  }
  rows.push_back({1e-7 / 3, 1});
  beta.push_back(1);
  for (const Matrix& x : {dense(rows), sparse(rows)}) {
    EXPECT_NEAR(statistics(x, beta)[0], 1e-7 / 3, 1e-20);
    EXPECT_NEAR(statistics(x, beta, Summing::plain)[0], 1e-7 / 3, 1e-2);
    EXPECT_GT(std::abs(statistics(x, beta, Summing::plain)[0] - 1e-7 / 3), 1e-9);
  }
}

TEST(Passes, TheLongestRowIsFound) {
  Wide wide(2);
  double squares = 0;
  for (double& each : wide.rows[17]) each *= 2, squares += each * each;
  for (const Matrix& x : {dense(wide.rows), sparse(wide.rows), sparse(wide.rows).as_floats()}) {
    EXPECT_NEAR(longest_row(x), std::sqrt(squares), x.are_floats() ? 1e-5 : 1e-11);
  }
  EXPECT_EQ(longest_row(sparse(Rows{{0, 0}, {0, 0}})), 0);
}

std::vector<int> alternating_labels(std::size_t count) {
  std::vector<int> y(count);
  for (std::size_t t = 0; t < y.size(); ++t) y[t] = t % 2 == 0 ? 1 : -1;
  return y;
}

// Plain sums of sparse rows end a solve where their rounding cannot matter; where it could, exact ones do.
TEST(Passes, PlainSumsEndASolveWhereTheirRoundingIsBounded) {
  Wide wide(4);
  const Matrix x = sparse(wide.rows);
  Constraints constraints = classification_constraints(x, alternating_labels(60), {});
  EXPECT_EQ(constraints.longest, longest_row(x));
  const GaussianPartition partition(3001, 1e-4);
  const Problem problem{ExponentialMargin{5}, partition, constraints, BiasPrior{}};
  BestPair best(problem, 1e-6);
  const Certificate both = certificate(problem, std::vector<double>(60, 0.1), {0.0}, Summing::plain);
  best.consider(both.dual);
  best.consider(both.primal);
  EXPECT_EQ(best.last_summing(), Summing::plain);
  best.make_exact();
  EXPECT_TRUE(best.dual().rough);
  const double exact = dual_point(problem, both.dual.lambda).objective;
  EXPECT_NEAR(both.dual.objective, exact, 1e-8 * both.primal.value);  // a hundredth of the tolerance
  constraints.longest = 1e15;
  EXPECT_EQ(best.last_summing(), Summing::exact);
  best.make_exact();
  EXPECT_FALSE(best.dual().rough);
  EXPECT_GE(best.dual().objective, exact - 1e-12);
}

// A rough point is made exact before its gap counts, whatever J it claimed.
TEST(Passes, AGapIsClosedByExactSumsOnly) {
  Wide wide(3);
  const Matrix x = dense(wide.rows);
  const Constraints constraints = classification_constraints(x, alternating_labels(60), {});
  const GaussianPartition partition(3001, 1e-4);
  const Problem problem{ExponentialMargin{5}, partition, constraints, BiasPrior{}};
  BestPair best(problem, 1e-6);
  EXPECT_EQ(best.summing(), Summing::plain);
  EXPECT_EQ(BestPair(problem, 1e-10).summing(), Summing::exact);
  Certificate both = certificate(problem, std::vector<double>(60, 0.1), {0.0}, Summing::plain);
  const double true_objective = dual_point(problem, both.dual.lambda).objective;
  EXPECT_TRUE(both.dual.rough);
  both.dual.objective = both.primal.value;  // as if rounding had closed the gap
  best.consider(both.dual);
  best.consider(both.primal);
  EXPECT_EQ(best.relative_gap(), 0);
  EXPECT_FALSE(best.closed());
  EXPECT_FALSE(best.dual().rough);
  EXPECT_GE(best.dual().objective, true_objective - 1e-12);
  EXPECT_LT(best.dual().objective, best.primal().value);
}

}  // namespace
}  // namespace medlar::test
