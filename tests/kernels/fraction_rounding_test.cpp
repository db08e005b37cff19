// What rounding rows to fractions does, against the same sums in double, and whole fits by such rows against fits by
// rows in double.
#include "medlar/solvers/sweeps/fraction_rounding.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "medlar/kernels/gram_cache.hpp"
#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/margins/exponential.hpp"
#include "medlar/priors/margins/hinge.hpp"
#include "medlar/problem/problem.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

const Kernel kRounded{Kernel::Kind::rbf, 0.2, 0, 3};

std::vector<int> signs_of(const Sample& s) {
  std::vector<int> y;
  for (const double value : s.y) y.push_back(value > 0 ? 1 : -1);
  return y;
}

TEST(FractionRounding, TheGapIsTheOneForetold) {
  const Sample s = sample(true, 500, 3, 5);
  const Matrix x = dense(s.x);
  Gram gram(kRounded, x, 1);
  const Constraints constraints = classification_constraints(x, signs_of(s), std::vector<double>(500, 1.0));
  const GaussianPartition prior(3, 1.7);
  const Problem problem{ExponentialMargin{5, 1}, prior, constraints, BiasPrior{}};
  KernelState state(problem, gram);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> draw(0, 0.02);  // few enough for J to be above 0
  std::vector<double> weights, f(500, 0.0), rough(500, 0.0);
  std::vector<Index> all(500);
  std::iota(all.begin(), all.end(), Index{0});
  for (std::size_t t = 0; t < 500; ++t) {
    state.beta()[t] = s.y[t] * draw(random);
    weights.push_back(state.scale() * state.beta()[t]);
  }
  gram.add_scores(all, weights, f);
  GramCache cache(gram, 1, GramStorage::fractions);
  GramRows rows;
  cache.fetch(all, rows);
  rows.add(weights, 0, rough.data(), 500);
  double gap = 0, objective = 0;
  for (std::size_t t = 0; t < 500; ++t) {
    const double lambda = std::abs(state.beta()[t]), off = rough[t] - f[t];
    gap += 0.5 * off * off * (5 - lambda) * (5 - lambda);
    objective += lambda + std::log(1 - lambda / 5) - 0.5 * state.beta()[t] * f[t];
  }
  const double foretold = rounding_gap(state, std::vector<double>(500, 0.0), f);
  EXPECT_GT(gap / objective, 0.6 * foretold);
  EXPECT_LT(gap / objective, 1.6 * foretold);
  EXPECT_EQ(rounding_gap(state, state.beta(), f), 0);
}

TEST(FractionRounding, RowsAreFractionsWhereThePotentialBendsEnough) {
  const Sample s = sample(true, 100, 3, 5);
  const Matrix x = dense(s.x);
  const Gram gram(kRounded, x, 1), poly({Kernel::Kind::poly, 0.2, 1, 3}, x, 1),
      wide(kRounded, x, 1, GramStorage::doubles);
  const Constraints constraints = classification_constraints(x, signs_of(s), std::vector<double>(100, 1.0));
  std::vector<double> one_heavy(100, 1.0);
  one_heavy[7] = 1e4;
  const Constraints heavy = classification_constraints(x, signs_of(s), one_heavy);
  const GaussianPartition prior(3, 1);
  const auto kept = [&](const auto& psi, const Constraints& of, const Gram& rows) {
    return working_storage(Problem{psi, prior, of, BiasPrior{}}, rows);
  };
  EXPECT_EQ(kept(ExponentialMargin{5, 1}, constraints, gram), GramStorage::fractions);
  EXPECT_EQ(kept(ExponentialMargin{500, 1}, constraints, gram), GramStorage::floats);
  EXPECT_EQ(kept(ExponentialMargin{5, 1}, heavy, gram), GramStorage::floats);
  EXPECT_EQ(kept(HingeMargin{5, 1}, constraints, gram), GramStorage::floats);
  EXPECT_EQ(kept(ExponentialMargin{5, 1}, constraints, poly), GramStorage::floats);
  EXPECT_EQ(kept(ExponentialMargin{5, 1}, constraints, wide), GramStorage::doubles);
}

// Tight enough for scores to be computed without fractions on the way, more than once.
TEST(FractionRounding, FitsAreThoseOfRowsInDouble) {
  const Sample s = sample(true, 600, 3, 5);
  const Dataset data = dataset(s.x, s.y);
  for (const char* margin : {"exponential", "laplace", "gaussian"}) {
    for (const char* bias : {"flat", "none", "1"}) {
      SCOPED_TRACE(fmt::format("{} bias {}", margin, bias));
      Settings settings;
      settings.model = ModelKind::kernel;
      set_option(settings, "margin", margin);
      set_option(settings, "bias", bias);
      settings.gamma = 2;
      settings.c = 11;
      settings.solver = SolverKind::smo;
      settings.tolerance = 1e-8;
      settings.cache_mb = 1;
      Settings exact = settings;
      exact.gram_precision = GramPrecision::doubles;
      const Model model = fit(data, settings), other = fit(data, exact);
      EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
      EXPECT_EQ(other.report.status, Status::converged) << other.report.message;
      EXPECT_NEAR(model.report.objective, other.report.objective, 3e-8 * other.report.objective);
      const auto a = model.predict(data.x), b = other.predict(data.x);
      for (std::size_t t = 0; t < a.size(); ++t) ASSERT_NEAR(a[t].score, b[t].score, 1e-3);
    }
  }
}

}  // namespace
}  // namespace medlar::test
