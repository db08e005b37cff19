// A prior over coefficients with a slab of two variances, that no file but this one knows, written by the lines of
// LogPartition and SeparablePartition alone and maximised by every solver that can serve it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "medlar/priors/coefficients/switches.hpp"
#include "medlar/priors/margins/margin.hpp"
#include "medlar/solvers/choose.hpp"
#include "medlar/solvers/paper/coordinate.hpp"
#include "models/fit_data.hpp"
#include "support/quadrature.hpp"

namespace medlar::test::own_slabs {
namespace {

// theta = 0 with probability 1 - p, else N(0, narrow) or, with probability q, N(0, wide):
//
//   A(V) = sum_i log(1 - p + p (1 - q) e^{narrow V_i^2 / 2} + p q e^{wide V_i^2 / 2})
class TwoWidths {
 public:
  static constexpr bool kIndependent = true, kLinearMean = false;

  TwoWidths(Index dimension, double p, double q, double narrow, double wide)
      : p_(static_cast<std::size_t>(dimension), p), q_(q), width_{0, narrow, wide} {}

  Index dimension() const { return std::ssize(p_); }
  Index group_count() const { return 0; }
  std::span<const Index> group_of() const { return {}; }
  std::span<const double> prior_inclusion() const { return p_; }

  double value_at(Index i, double v) const { return at(i, v).value; }
  double mean_at(Index i, double v) const { return at(i, v).slope * v; }
  double variance_at(Index i, double v) const { return at(i, v).variance; }

  double value(std::span<const double> v) const {
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) sum += value_at(static_cast<Index>(i), v[i]);
    return sum;
  }
  double conjugate_at(std::span<const double> v) const {
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      sum += v[i] * mean_at(static_cast<Index>(i), v[i]) - value_at(static_cast<Index>(i), v[i]);
    }
    return sum;
  }
  void mean(std::span<const double> v, std::span<double> out) const {
    for (std::size_t i = 0; i < v.size(); ++i) out[i] = mean_at(static_cast<Index>(i), v[i]);
  }
  void variance(std::span<const double> v, std::span<double> out) const {
    for (std::size_t i = 0; i < v.size(); ++i) out[i] = variance_at(static_cast<Index>(i), v[i]);
  }
  void curvature(std::span<const double> v, std::span<double> d, std::span<double>) const { variance(v, d); }
  void inclusion(std::span<const double> v, std::span<double> out) const {
    for (std::size_t i = 0; i < v.size(); ++i) out[i] = at(static_cast<Index>(i), v[i]).on;
  }
  void advance(std::span<double> v, std::span<const double> step) const {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += step[i];
  }
  // The mean rises with V: Newton inside a bracket.
  void from_mean(std::span<const double> w, std::span<double> v) const {
    for (std::size_t i = 0; i < v.size(); ++i) {
      const auto feature = static_cast<Index>(i);
      double low = 0, high = 1, goal = std::abs(w[i]);
      while (mean_at(feature, high) < goal) high *= 2;
      double to = 0.5 * high;
      for (int step = 0; step < 200; ++step) {
        const double excess = mean_at(feature, to) - goal;
        (excess > 0 ? high : low) = to;
        double next = to - excess / variance_at(feature, to);
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (std::abs(next - to) <= 1e-16 * to || next == to) break;
        to = next;
      }
      v[i] = std::copysign(goal == 0 ? 0.0 : to, w[i]);
    }
  }

 private:
  struct At {
    double value, slope, variance, on;  // slope: the mean over V
  };
  At at(Index i, double v) const {
    const double p = p_[static_cast<std::size_t>(i)], weight[3] = {1 - p, p * (1 - q_), p * q_}, half = v * v / 2;
    const double most = half * *std::max_element(width_.begin(), width_.end());
    double all = 0, first = 0, second = 0, on = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double each = weight[k] * std::exp(half * width_[k] - most);
      all += each, first += each * width_[k], second += each * width_[k] * width_[k];
      if (k > 0) on += each;
    }
    const double mean = first / all, spread = second / all - mean * mean;
    return {std::log(all) + most, mean, mean + v * v * spread, on / all};
  }

  std::vector<double> p_;
  double q_;
  std::array<double, 3> width_;
};

static_assert(SeparablePartition<TwoWidths> && SwitchedPartition<TwoWidths>);
static_assert(!SlabbedPartition<TwoWidths> && !RelaxablePartition<TwoWidths> && !PiecewisePartition<TwoWidths>);

struct Drawn {
  Matrix x;
  Constraints constraints;
};
void draw(Drawn& into, bool classify, std::size_t examples, std::size_t features, unsigned seed, double zeros = 0) {
  const Sample drawn = sample(classify, examples, features, seed, zeros);
  into.x = zeros > 0 ? sparse(drawn.x) : dense(drawn.x);
  const std::vector<int> signs(drawn.y.begin(), drawn.y.end());
  into.constraints =
      classify ? classification_constraints(into.x, signs, {}) : regression_constraints(into.x, drawn.y, {});
}

TEST(OwnSlab, IsTheIntegralThatDefinesIt) {
  const TwoWidths prior(1, 0.3, 0.25, 0.2, 2);
  for (const double v : {0.0, 0.7, -2.5}) {
    const double slab = integrate_line(
        [&](double theta) {
          return 0.75 * std::exp(v * theta + log_normal_density(theta, 0, 0.2)) +
                 0.25 * std::exp(v * theta + log_normal_density(theta, 0, 2));
        },
        2 * v, 1);
    EXPECT_NEAR(prior.value_at(0, v), std::log(0.7 + 0.3 * slab), 1e-10);
  }
}

// F and J by their sums, with nothing of the library but the rows: a feasible pair, and the gap that was claimed.
template <class Psi, class A>
void expect_certified(const Drawn& drawn, const Psi& psi, const A& prior, const Solution& found, double tolerance) {
  const Constraints& all = drawn.constraints;
  const auto n = static_cast<std::size_t>(prior.dimension());
  std::vector<double> v(n, 0.0), w(n);
  prior.mean(found.primal.v, w);
  double dual = 0, primal = prior.conjugate_at(found.primal.v), balance = 0;
  for (std::size_t k = 0; k < all.example.size(); ++k) {
    const double lambda = found.dual.lambda[k];
    EXPECT_GE(lambda, 0);
    double f = found.primal.bias[0];
    for_each(drawn.x.row(all.example[k]), [&](Index i, double x) {
      f += x * w[static_cast<std::size_t>(i)];
      v[static_cast<std::size_t>(i)] += all.sign[k] * lambda * x;
    });
    primal += psi.loss(all.sign[k] * f - all.offset[k]);
    dual += psi.value(lambda) + all.offset[k] * lambda;
    balance += all.sign[k] * lambda;
  }
  dual -= prior.value(v);
  EXPECT_NEAR(balance, 0, 1e-9);
  EXPECT_LE(primal - dual, 1.01 * tolerance * primal + 1e-12);
  EXPECT_GE(primal - dual, -1e-9 * primal);
}

TEST(OwnSlab, EverySolverFindsTheOptimum) {
  constexpr double tolerance = 1e-8;
  const Limits limits{tolerance};
  struct Case {
    bool classify;
    std::size_t examples, features;
    double zeros;
  };
  for (const Case& each : {Case{true, 200, 6, 0}, {true, 30, 60, 0}, {true, 80, 40, 0.7}, {false, 100, 8, 0}}) {
    Drawn drawn;
    draw(drawn, each.classify, each.examples, each.features, 3, each.zeros);
    const Margin psi = each.classify ? Margin(ExponentialMargin{4, 1}) : Margin(TubeMargin{4, 0.1});
    const TwoWidths prior(static_cast<Index>(each.features), 0.3, 0.25, 0.2, 2);
    const Problem problem{psi, prior, drawn.constraints, BiasPrior{}};
    std::vector<double> objectives;
    for (const char* solver : {"auto", "ascent", "newton", "primal-newton"}) {
      const Solution found = maximise(problem, limits, nullptr, *read_word<SolverKind>(solver));
      EXPECT_EQ(found.report.status, Status::converged)
          << solver << ", " << each.examples << " examples: " << found.report.message;
      expect_certified(drawn, psi, prior, found, tolerance);
      objectives.push_back(found.report.objective);
    }
    objectives.push_back(Coordinate(problem, limits, nullptr, LineSearch::newton).solve().report.objective);
    for (const double objective : objectives) EXPECT_NEAR(objective, objectives[0], 3 * tolerance * objectives[0]);
  }
}

// With one width it is the built-in prior, whose slabs have a loop of their own.
TEST(OwnSlab, OfOneWidthIsTheBuiltInPrior) {
  constexpr double tolerance = 1e-8;
  Drawn drawn;
  draw(drawn, true, 40, 50, 5);
  const Margin psi = ExponentialMargin{4, 1};
  const TwoWidths mine(50, 0.3, 0, 1.3, 1.3);
  const SwitchPartition built_in(50, 0.3, 1.3);
  for (const char* solver : {"auto", "ascent", "newton", "primal-newton"}) {
    const Solution a = maximise(Problem{psi, mine, drawn.constraints, BiasPrior{}}, {tolerance}, nullptr,
                                *read_word<SolverKind>(solver));
    const Solution b = maximise(Problem{psi, built_in, drawn.constraints, BiasPrior{}}, {tolerance}, nullptr,
                                *read_word<SolverKind>(solver));
    EXPECT_EQ(a.report.status, Status::converged) << solver << ": " << a.report.message;
    EXPECT_NEAR(a.report.objective, b.report.objective, 2 * tolerance * b.report.primal) << solver;
  }
}

// Sweeps over few columns ask for the slabs of a part of the features.
TEST(OwnSlab, FewColumnsAreSweptByThemselves) {
  const Margin psi = HingeMargin{5, 1};  // it has kinks: no Newton steps come before the sweeps
  const TwoWidths prior(300, 1e-5, 0.25, 0.4, 2);
  for (unsigned seed = 1; seed <= 4; ++seed) {
    Drawn drawn;
    draw(drawn, true, 80, 300, seed);
    Limits limits{1e-6};
    limits.many_columns = 100;
    const Solution found =
        maximise(Problem{psi, prior, drawn.constraints, BiasPrior{}}, limits, nullptr, SolverKind::ascent);
    EXPECT_EQ(found.report.status, Status::converged) << "seed " << seed << ": " << found.report.message;
    EXPECT_NE(found.report.solver.find("few columns"), std::string::npos) << found.report.solver;
    expect_certified(drawn, psi, prior, found, 1e-6);
  }
}

// Those of some features of a row, and those of a part, are the features' own.
TEST(OwnSlab, APartHasTheSlabsOfItsFeatures) {
  const TwoWidths prior(6, 0.3, 0.25, 0.2, 2);
  AnySlabs<TwoWidths> all(prior), part = all.part(std::vector<Index>{1, 4});
  const float x[2] = {0.5f, -2};
  const Column columns[2] = {1, 4};
  float v[2] = {1, -1}, w[2], d[2], other_v[2] = {1, -1}, other_w[2], other_d[2];
  const float score = all.move(columns, x, 0.3f, v, w, d, 2);
  EXPECT_EQ(part.move(nullptr, x, 0.3f, other_v, other_w, other_d, 2), score);
  for (int j = 0; j < 2; ++j) {
    EXPECT_EQ(v[j], other_v[j]);
    EXPECT_FLOAT_EQ(w[j], static_cast<float>(prior.mean_at(columns[j], v[j])));
    EXPECT_FLOAT_EQ(d[j], static_cast<float>(prior.variance_at(columns[j], v[j])));
    EXPECT_EQ(w[j], other_w[j]);
    EXPECT_EQ(d[j], other_d[j]);
  }
}

}  // namespace
}  // namespace medlar::test::own_slabs
