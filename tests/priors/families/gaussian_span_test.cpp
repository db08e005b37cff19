// Fewer examples than columns that are normal together: the law in the directions of the examples is the whole one; and
// the law of some columns is the marginal.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "medlar/priors/families/gaussian_full.hpp"
#include "support/derivatives.hpp"

namespace medlar::test {
namespace {

constexpr Index kSpanColumns = 7, kSpanRows = 3;
constexpr double kStrength = 1.3;

using Numbers = std::vector<double>;

// The same examples by the whole law and by that of their directions.
struct Both {
  std::vector<Numbers> x;
  std::vector<ColumnMoments> moments;
  GaussianFull whole{kSpanColumns};
  std::shared_ptr<const Family> narrow;
};

Both both_of(unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, 1);
  Both both;
  Numbers flat;
  for (Index i = 0; i < kSpanColumns; ++i) {
    both.moments.push_back({0.3 * static_cast<double>(i) - 1, i == 2 ? 0.0 : 0.5 + static_cast<double>(i), kSpanRows});
  }
  for (Index t = 0; t < kSpanRows; ++t) {
    Numbers row;
    for (const ColumnMoments& each : both.moments) row.push_back(each.mean + (1 + each.variance) * normal(random));
    flat.insert(flat.end(), row.begin(), row.end());
    both.x.push_back(row);
  }
  both.narrow = both.whole.for_examples(flat, both.moments, kStrength);
  return both;
}

Numbers u_of(const Family& family, const Numbers& x) {
  Numbers u(static_cast<std::size_t>(family.statistics()));
  family.statistics_of(x, u);
  u[static_cast<std::size_t>(family.count())] = 1;
  return u;
}

// The prior with each example counted this many times.
Numbers chi_of(const Family& family, const Both& both, const Numbers& times) {
  Numbers chi(static_cast<std::size_t>(family.statistics()));
  family.prior(kStrength, both.moments, chi);
  for (std::size_t t = 0; t < times.size(); ++t) {
    const Numbers u = u_of(family, both.x[t]);
    for (std::size_t i = 0; i < u.size(); ++i) chi[i] += times[t] * u[i];
  }
  return chi;
}

// Everything that one example asks of both laws.
void expect_alike(const Family& a, const Numbers& chi_a, const Family& b, const Numbers& chi_b, const Numbers& x) {
  const auto near = [](double left, double right) { EXPECT_NEAR(left, right, 1e-9 * (1 + std::abs(right))); };
  Numbers slope[2], curvature[2], parts[2];
  const Family* const family[2] = {&a, &b};
  const Numbers* const chi[2] = {&chi_a, &chi_b};
  Numbers u[2];
  for (std::size_t k = 0; k < 2; ++k) {
    slope[k].resize(chi[k]->size());
    family[k]->gradient(*chi[k], slope[k]);
    curvature[k].resize(static_cast<std::size_t>(family[k]->curvature_size()));
    family[k]->curvature(*chi[k], curvature[k]);
    u[k] = u_of(*family[k], x);
    parts[k].resize(x.size());
    family[k]->contributions(slope[k], curvature[k], x, u[k], parts[k]);
  }
  near(a.score(chi_a, u[0]), b.score(chi_b, u[1]));
  near(std::inner_product(u[0].begin(), u[0].end(), slope[0].begin(), 0.0), b.score(chi_b, u[1]));
  near(a.variance(curvature[0], u[0]), b.variance(curvature[1], u[1]));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto column = static_cast<Index>(i);
    near(parts[0][i], parts[1][i]);
    near(a.coefficient(slope[0], column), b.coefficient(slope[1], column));
    near(a.coefficient_variance(curvature[0], column), b.coefficient_variance(curvature[1], column));
  }
}

TEST(GaussianSpan, IsTheWholeLaw) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Both both = both_of(seed);
    ASSERT_TRUE(both.narrow);
    EXPECT_LT(both.narrow->statistics(), both.whole.statistics());
    const Numbers none{0, 0, 0}, some{1.5, 0.4, 2};
    const Numbers narrow = chi_of(*both.narrow, both, some), whole = chi_of(both.whole, both, some);
    EXPECT_NEAR(both.narrow->value(narrow) - both.narrow->value(chi_of(*both.narrow, both, none)),
                both.whole.value(whole) - both.whole.value(chi_of(both.whole, both, none)), 1e-9);
    Numbers later = both.x[1];
    for (std::size_t i = 0; i < later.size(); ++i) later[i] += std::cos(static_cast<double>(i * seed));
    for (const Numbers& x : {both.x[0], later}) expect_alike(*both.narrow, narrow, both.whole, whole, x);
    const Numbers u = u_of(*both.narrow, both.x[0]), v = u_of(both.whole, both.x[0]);
    Numbers bend(static_cast<std::size_t>(both.narrow->curvature_size())),
        bent(static_cast<std::size_t>(both.whole.curvature_size()));
    both.narrow->curvature(narrow, bend);
    both.whole.curvature(whole, bent);
    for (const double counted : {1.0, 0.3}) {
      EXPECT_NEAR(both.narrow->left_out(narrow, bend, counted, u), both.whole.left_out(whole, bent, counted, v), 1e-8);
    }
    const auto again = both.whole.shaped(both.narrow->shape());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->value(narrow), both.narrow->value(narrow));
  }
}

TEST(GaussianSpan, GradientAndCurvatureAreDerivatives) {
  const Both both = both_of(5);
  const Family& family = *both.narrow;
  Numbers chi = chi_of(family, both, {1, 1, 1}), slope(chi.size()), product(chi.size());
  chi[chi.size() - 2] = 0.7;  // as if something had been seen outside
  family.gradient(chi, slope);
  Numbers curvature(static_cast<std::size_t>(family.curvature_size()));
  family.curvature(chi, curvature);
  Numbers later = both.x[1];
  later[0] += 1;
  const Numbers u = u_of(family, later);
  family.product(curvature, u, product);
  const auto moved = [&](const Numbers& d, double step) {
    Numbers at(chi);
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += step * d[i];
    return at;
  };
  for (std::size_t i = 0; i < chi.size(); ++i) {
    Numbers unit(chi.size(), 0.0);
    unit[i] = 1;
    EXPECT_NEAR(slope[i], finite_difference([&](double h) { return family.value(moved(unit, h)); }, 0, 1e-3), 1e-8);
    const auto along = [&](double h) {
      Numbers there(chi.size());
      family.gradient(moved(u, h), there);
      return there[i];
    };
    EXPECT_NEAR(product[i], finite_difference(along, 0, 1e-4), 1e-7 * (1 + std::abs(product[i]))) << i;
  }
}

TEST(GaussianSpan, SomeColumnsOfItAreThoseOfTheWholeLaw) {
  const Both both = both_of(9);
  const Numbers times{1, 2, 0.5};
  const Numbers narrow = chi_of(*both.narrow, both, times), whole = chi_of(both.whole, both, times);
  for (const std::vector<Index>& there : {std::vector<Index>{0, 1, 2, 4, 5, 6}, {1, 3}, {2}}) {
    Numbers part, whole_part, x;
    const auto some = both.narrow->marginal(there, narrow, part),
               wholly = both.whole.marginal(there, whole, whole_part);
    for (const Index i : there) x.push_back(0.2 * static_cast<double>(i) + 0.4);
    expect_alike(*some, part, *wholly, whole_part, x);
  }
}

TEST(GaussianSpan, AsManyExamplesAsColumnsNeedNone) {
  const Both both = both_of(2);
  Numbers flat;
  for (int t = 0; t < 6; ++t) flat.insert(flat.end(), both.x[0].begin(), both.x[0].end());
  EXPECT_FALSE(both.whole.for_examples(flat, both.moments, kStrength));
  EXPECT_FALSE(both.whole.shaped(Numbers{1.0, 2.0}));
}

// E[log p(x_1, x_3 | theta)] of the marginal against draws of theta: Lambda by Bartlett's factors, mu given it.
TEST(GaussianFull, TheLawOfSomeColumnsIsTheMarginal) {
  constexpr Index d = 3;
  const GaussianFull family(d);
  Numbers chi(static_cast<std::size_t>(family.statistics()));
  family.prior(4, std::vector<ColumnMoments>{{0.5, 1.0, 9}, {-1, 2.0, 9}, {0, 0.5, 9}}, chi);
  for (const Numbers& x : {Numbers{1, 0, 0.4}, Numbers{0, -2, -0.7}, Numbers{2, 1, 1.5}}) {
    const Numbers u = u_of(family, x);
    for (std::size_t i = 0; i < u.size(); ++i) chi[i] += u[i];
  }
  const double nu = chi.back(), n = d + nu;
  double m[d], M[d][d];
  for (int i = 0; i < d; ++i) m[i] = chi[static_cast<std::size_t>(i)] / nu;
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) M[i][j] = chi[static_cast<std::size_t>(d + i * d + j)] - nu * m[i] * m[j];
  }
  // Sigma = L A^-T A^-1 L^T with M = L L^T and A Bartlett's factor of a Wishart matrix of n degrees.
  double L[d][d] = {};
  for (int j = 0; j < d; ++j) {
    for (int i = j; i < d; ++i) {
      double rest = M[i][j];
      for (int k = 0; k < j; ++k) rest -= L[i][k] * L[j][k];
      L[i][j] = i == j ? std::sqrt(rest) : rest / L[j][j];
    }
  }
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal(0, 1);
  const double x1 = 0.9, x3 = -0.6;
  constexpr int draws = 100000;
  double sum = 0, squares = 0;
  for (int t = 0; t < draws; ++t) {
    double A[d][d] = {}, inverse[d][d] = {}, B[d][d] = {}, z[d];
    for (int i = 0; i < d; ++i) {
      std::chi_squared_distribution<double> chi_squared(n - i);
      A[i][i] = std::sqrt(chi_squared(random));
      for (int j = 0; j < i; ++j) A[i][j] = normal(random);
      z[i] = normal(random);
    }
    for (int j = 0; j < d; ++j) {  // A^-1, lower triangular
      inverse[j][j] = 1 / A[j][j];
      for (int i = j + 1; i < d; ++i) {
        double rest = 0;
        for (int k = j; k < i; ++k) rest -= A[i][k] * inverse[k][j];
        inverse[i][j] = rest / A[i][i];
      }
    }
    for (int i = 0; i < d; ++i) {  // B = L A^-T, Sigma = B B^T
      for (int j = 0; j < d; ++j) {
        for (int k = 0; k < d; ++k) B[i][j] += L[i][k] * inverse[j][k];
      }
    }
    double mu[d], sigma[d][d] = {};
    for (int i = 0; i < d; ++i) {
      mu[i] = m[i];
      for (int k = 0; k < d; ++k) mu[i] += B[i][k] * z[k] / std::sqrt(nu);
      for (int j = 0; j < d; ++j) {
        for (int k = 0; k < d; ++k) sigma[i][j] += B[i][k] * B[j][k];
      }
    }
    const double a = sigma[0][0], b = sigma[0][2], c = sigma[2][2], det = a * c - b * b, p = x1 - mu[0], q = x3 - mu[2];
    const double log_p =
        -std::log(2 * M_PI) - 0.5 * std::log(det) - 0.5 * (c * p * p - 2 * b * p * q + a * q * q) / det;
    sum += log_p;
    squares += log_p * log_p;
  }
  const double mean = sum / draws, error = std::sqrt((squares / draws - mean * mean) / draws);
  Numbers part;
  const auto some = family.marginal(std::vector<Index>{0, 2}, chi, part);
  EXPECT_NEAR(some->score(part, u_of(*some, {x1, x3})), mean, 4 * error);
  EXPECT_LT(error, 0.01);
}

}  // namespace
}  // namespace medlar::test
