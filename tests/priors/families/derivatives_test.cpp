// Gradients, curvatures, scores and variances of every family by finite differences; and of the partition over classes,
// with each kind of switch.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "medlar/priors/families/class_partition.hpp"
#include "medlar/priors/families/families.hpp"
#include "support/derivatives.hpp"

namespace medlar::test {
namespace {

// A point inside the domain: a prior and a few examples.
struct Case {
  std::shared_ptr<const Family> family;
  std::vector<double> chi, u;  // u: one example, with its count
  std::vector<double> x;
};

Case random_case(const FamilyRow& row, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0.2, 3);
  const Index columns = row.joint ? 3 : 1;
  Case made{row.make(columns), {}, {}, {}};
  const Family& family = *made.family;
  std::vector<ColumnMoments> moments(static_cast<std::size_t>(columns), {1.1, 0.8, 10});
  made.chi.resize(static_cast<std::size_t>(family.statistics()));
  family.prior(1.5, moments, made.chi);
  std::vector<double> u(made.chi.size());
  for (int t = 0; t < 4; ++t) {
    made.x.assign(static_cast<std::size_t>(columns), 0.0);
    for (double& x : made.x) {
      x = row.kind == FamilyKind::bernoulli ? static_cast<double>(t % 2)
          : row.kind == FamilyKind::poisson ? std::floor(uniform(random))
                                            : uniform(random);
    }
    EXPECT_EQ(family.objection(made.x[0]), "");
    family.statistics_of(made.x, u);
    if (family.count() >= 0) u[static_cast<std::size_t>(family.count())] = 1;
    for (std::size_t i = 0; i < u.size(); ++i) made.chi[i] += u[i];
  }
  made.u = u;
  return made;
}

TEST(Families, GradientAndCurvatureAreDerivatives) {
  for (const FamilyRow& row : families()) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const Case made = random_case(row, seed);
      const Family& family = *made.family;
      const std::size_t n = made.chi.size();
      std::vector<double> gradient(n), product(n), curvature(static_cast<std::size_t>(family.curvature_size()));
      family.gradient(made.chi, gradient);
      family.curvature(made.chi, curvature);
      const auto moved = [&](std::span<const double> d, double step) {
        std::vector<double> at(made.chi);
        for (std::size_t i = 0; i < n; ++i) at[i] += step * d[i];
        return at;
      };
      for (std::size_t i = 0; i < n; ++i) {
        std::vector<double> unit(n, 0.0);
        unit[i] = 1;
        const double slope = finite_difference([&](double h) { return family.value(moved(unit, h)); }, 0, 1e-3);
        EXPECT_NEAR(gradient[i], slope, 1e-8 * (1 + std::abs(slope)))
            << word_of(row.kind) << " " << i << " seed " << seed;
        family.product(curvature, unit, product);
        if (static_cast<Index>(i) >= family.columns()) continue;
        EXPECT_NEAR(family.coefficient_variance(curvature, static_cast<Index>(i)), product[i],
                    1e-12 * (1 + std::abs(product[i])));
      }
      family.product(curvature, made.u, product);
      for (std::size_t i = 0; i < n; ++i) {
        const double second = finite_difference(
            [&](double h) {
              std::vector<double> there(n);
              family.gradient(moved(made.u, h), there);
              return there[i];
            },
            0, 1e-3);
        EXPECT_NEAR(product[i], second, 1e-8 * (1 + std::abs(second)))
            << word_of(row.kind) << " " << i << " seed " << seed;
      }
      EXPECT_NEAR(family.score(made.chi, made.u),
                  std::inner_product(gradient.begin(), gradient.end(), made.u.begin(), 0.0), 1e-11);
      EXPECT_NEAR(family.variance(curvature, made.u),
                  std::inner_product(product.begin(), product.end(), made.u.begin(), 0.0), 1e-10);
      std::vector<double> parts(static_cast<std::size_t>(family.columns()));
      family.contributions(gradient, curvature, made.x, made.u, parts);
      EXPECT_NEAR(std::accumulate(parts.begin(), parts.end(), 0.0),
                  family.score(made.chi, made.u) + family.base_measure(made.x), 1e-11)
          << word_of(row.kind);
    }
  }
}

// u_s . K'' u_t in closed form is that of the products.
TEST(Families, CrossesAreProductsOfPairs) {
  for (const FamilyRow& row : families()) {
    const Case made = random_case(row, 4);
    const Family& family = *made.family;
    const auto r = static_cast<std::size_t>(family.products());
    if (r == 0) continue;
    std::vector<double> curvature(static_cast<std::size_t>(family.curvature_size())), z;
    family.curvature(made.chi, curvature);
    std::vector<std::vector<double>> u;
    for (const double shift : {0.0, 0.7, -1.3}) {
      std::vector<double> x = made.x;
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += shift * (i == 1 ? 2 : 1);
      u.emplace_back(made.chi.size());
      family.statistics_of(x, u.back());
      u.back()[static_cast<std::size_t>(family.count())] = 1;
      z.insert(z.end(), u.back().begin(), u.back().begin() + family.products());
    }
    std::vector<double> out(9), turned(made.chi.size());
    family.crosses(curvature, z, out);
    for (std::size_t s = 0; s < 3; ++s) {
      family.product(curvature, u[s], turned);
      for (std::size_t t = 0; t < 3; ++t) {
        const double direct = std::inner_product(turned.begin(), turned.end(), u[t].begin(), 0.0);
        EXPECT_NEAR(out[s * 3 + t], direct, 1e-10 * (1 + std::abs(direct))) << word_of(row.kind);
      }
    }
  }
}

TEST(Families, LeavingAnExampleOutChangesItsScore) {
  for (const FamilyRow& row : families()) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const Case made = random_case(row, seed);
      const Family& family = *made.family;
      std::vector<double> curvature(static_cast<std::size_t>(family.curvature_size()));
      // The last is so far off that next to nothing is left of the scatter along it when it goes.
      for (const auto& [counted, far] : {std::pair{1.0, 0.0}, {0.4, 0.0}, {1.0, 1e4}}) {
        Case odd = made;
        if (row.joint && far > 0) {
          for (double& x : odd.x) x += far;
          family.statistics_of(odd.x, odd.u);
          if (family.count() >= 0) odd.u[static_cast<std::size_t>(family.count())] = 1;
          for (std::size_t i = 0; i < odd.u.size(); ++i) odd.chi[i] += odd.u[i];
        }
        family.curvature(odd.chi, curvature);
        std::vector<double> without(odd.chi);
        for (std::size_t i = 0; i < odd.u.size(); ++i) without[i] -= counted * odd.u[i];
        const double change = family.score(without, odd.u) - family.score(odd.chi, odd.u);
        EXPECT_NEAR(family.left_out(odd.chi, curvature, counted, odd.u), change, 1e-9 * (1 + std::abs(change)))
            << word_of(row.kind) << " seed " << seed << " counted " << counted;
      }
    }
  }
}

ClassPartition two_classes(SwitchKind kind, std::vector<double>& chi) {
  std::vector<Member> members;
  for (const FamilyRow& row : families()) members.push_back({row.make(row.joint ? 3 : 1), {}, 0});
  for (unsigned k = 0; k < 2; ++k) {
    for (const FamilyRow& row : families()) {
      const Case made = random_case(row, 10 + k);
      chi.insert(chi.end(), made.chi.begin(), made.chi.end());
    }
  }
  return {members, 2, chi, kind,
          kind == SwitchKind::none ? std::vector<double>() : std::vector<double>(members.size(), 0.2)};
}

TEST(ClassPartition, MeanAndCurvatureAreDerivatives) {
  for (const SwitchKind kind : {SwitchKind::none, SwitchKind::tied, SwitchKind::per_class}) {
    std::vector<double> chi;
    const ClassPartition partition = two_classes(kind, chi);
    const auto n = static_cast<std::size_t>(partition.dimension());
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal(0, 0.05);
    std::vector<double> v(n), d(n), mean(n), product(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = normal(random), d[i] = normal(random);
    EXPECT_EQ(partition.value(std::vector<double>(n, 0.0)), 0);  // A(0) = 0
    ASSERT_TRUE(std::isfinite(partition.value(v)));
    const auto at = [&](double step) {
      std::vector<double> moved(v);
      for (std::size_t i = 0; i < n; ++i) moved[i] += step * d[i];
      return moved;
    };
    partition.mean(v, mean);
    partition.curvature(v).product(d, product);
    const double along = std::inner_product(mean.begin(), mean.end(), d.begin(), 0.0);
    EXPECT_NEAR(along, finite_difference([&](double h) { return partition.value(at(h)); }, 0, 1e-2),
                1e-8 * (1 + std::abs(along)));
    for (std::size_t i = 0; i < n; ++i) {
      const double second = finite_difference(
          [&](double h) {
            std::vector<double> there(n);
            partition.mean(at(h), there);
            return there[i];
          },
          0, 1e-2);
      EXPECT_NEAR(product[i], second, 1e-7 * (1 + std::abs(second))) << "kind " << static_cast<int>(kind) << " " << i;
    }
  }
}

// Theory 7: unit-variance Gaussians with mu ~ N(0, 1), a switch for each class, S = 0 and S != 0.
TEST(ClassPartition, IsTheFormulaOfSectionSeven) {
  const double p = 0.3, w = 0.7, q = 1.3;
  const ClassPartition partition({{find_family(FamilyKind::gaussian)->make(1), {0}, 0}}, 2, {0, 1, 0, 1},
                                 SwitchKind::per_class, {p});
  for (const double s : {0.0, 0.4, -0.25}) {
    const auto exponent = [&](double sign) {
      const double S = sign * s, Q = sign * q;
      return w * w / (2 * (1 + S)) - 0.5 * Q - 0.5 * std::log(1 + S) - 0.5 * S * std::log(2 * M_PI);
    };
    const double expected = std::log(1 - p + p * std::exp(exponent(1))) + std::log(1 - p + p * std::exp(exponent(-1)));
    // Statistics: sum of x, count, and the base measure -x^2/2, in each class.
    const std::vector<double> v{w, s, -0.5 * q, -w, -s, 0.5 * q};
    EXPECT_NEAR(partition.value(v), expected, 1e-13) << "S = " << s;
  }
}

TEST(ClassPartition, CutsStepsThatShrinkAQuantityMoreThanTenfold) {
  const ClassPartition partition({{find_family(FamilyKind::poisson)->make(1), {0}, 0}}, 1, {2, 1});
  const std::vector<double> origin{0, 0};
  EXPECT_EQ(partition.largest_step(origin, std::vector<double>{-1, 0}), 1);
  const double part = partition.largest_step(origin, std::vector<double>{-10, 0});
  EXPECT_GE(2 - 10 * part, 0.2);
  EXPECT_GT(part, 0.1);
}

}  // namespace
}  // namespace medlar::test
