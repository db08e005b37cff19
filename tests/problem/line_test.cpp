// The search along a straight line of w: what it says is F there, by a fresh pass; no point of a grid is much lower.
#include "medlar/problem/line.hpp"

#include <gtest/gtest.h>

#include <random>

#include "medlar/priors/coefficients/switches.hpp"
#include "medlar/priors/margins/exponential.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

template <class A>
void expect_least_on_the_line(const A& partition, BiasPrior bias, double c, bool straight, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Rows rows(60, std::vector<double>(8));
  std::vector<int> y;
  for (auto& row : rows) {
    for (double& value : row) value = normal(random);
    y.push_back(y.size() < 2 ? (y.empty() ? 1 : -1) : row[0] + 0.5 * normal(random) > 0 ? 1 : -1);
  }
  const Matrix x = dense(rows);
  const Constraints constraints = classification_constraints(x, y, {});
  const Problem problem{ExponentialMargin{c}, partition, constraints, bias};
  std::vector<double> v(8), to(8);
  for (double& each : v) each = 0.3 * normal(random);
  AnsweredPoint from{primal_point(problem, v, {0.0}), {}, {}};
  const double value = from.value;
  answer(problem, from);
  EXPECT_NEAR(from.value, value, 1e-14 * value);
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = i == 0 ? 2 : 0.1 * normal(random);
  Goal goal;
  if (straight) {
    goal.w.resize(8);
    partition.mean(to, goal.w);
    goal.bias = {0.1};
  } else {
    for (std::size_t i = 0; i < to.size(); ++i) goal.v.push_back(to[i] - v[i]);
  }
  if (bias.kind == BiasPrior::Kind::none) goal.bias = {0.0};
  AnsweredPoint found = from;
  const double reached = search_line(problem, found, goal, 1);
  ASSERT_GT(reached, 0);
  EXPECT_LT(found.value, from.value);
  PrimalPoint fresh = primal_point(problem, found.v, found.bias);
  EXPECT_NEAR(primal_value(problem, fresh, found.bias), found.value, 1e-12 * found.value);
  // Along the line, with the best bias at each place: F is flat at its least, so that few digits of the length do.
  for (double length = 0.05; length <= 2; length += 0.05) {
    PrimalPoint at = from;
    std::vector<double> dw(8);
    for (std::size_t i = 0; i < dw.size(); ++i) dw[i] = (found.w[i] - from.w[i]) / reached;
    go_along(problem, from, dw, scores(x, dw), length, at);
    at.bias = best_bias(problem, at.f, found.bias);
    const double left = c < 100 ? 0.02 : 0.2;  // a search between kinks ends early
    EXPECT_GE(primal_value(problem, at, at.bias), found.value - left * (from.value - found.value)) << length;
  }
}

TEST(PrimalLine, EndsNearTheLeast) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    for (const BiasPrior bias :
         {BiasPrior{}, BiasPrior{BiasPrior::Kind::none, 0}, BiasPrior{BiasPrior::Kind::gaussian, 2}}) {
      SCOPED_TRACE(fmt::format("seed {}, bias {}", seed, static_cast<int>(bias.kind)));
      for (const bool straight : {false, true}) {
        expect_least_on_the_line(GaussianPartition(8, 1.5), bias, seed % 2 == 0 ? 5 : 200, straight, seed);
        expect_least_on_the_line(SwitchPartition(8, 0.05, 1.5), bias, 5, straight, seed);
      }
    }
  }
}

}  // namespace
}  // namespace medlar::test
