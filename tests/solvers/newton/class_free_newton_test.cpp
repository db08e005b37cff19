// Newton's steps over the free multipliers reach the maximum that interior-point steps reach.
#include "medlar/solvers/newton/class_free_newton.hpp"

#include <gtest/gtest.h>

#include <random>

#include "medlar/priors/families/class_partition.hpp"
#include "medlar/priors/families/families.hpp"
#include "medlar/priors/margins/margin.hpp"
#include "medlar/solvers/interior/class_newton.hpp"

namespace medlar::test {
namespace {

constexpr Index kColumns = 4, kFreeClasses = 3, kFreeExamples = 60;

TEST(ClassFreeNewton, AgreesWithInteriorPointSteps) {
  std::mt19937 random(29);
  std::normal_distribution<double> normal;
  std::vector<Member> members;
  Index wide = 0;  // statistics of a class
  for (Index i = 0; i < kColumns; ++i) {
    members.push_back({find_family(FamilyKind::gaussian_diagonal)->make(1), {i}, wide});
    wide += members.back().family->statistics();
  }
  const auto size = static_cast<std::size_t>(wide);
  std::vector<double> values, chi(static_cast<std::size_t>(kFreeClasses) * size, 0.0);
  std::vector<Index> y;
  for (Index t = 0; t < kFreeExamples; ++t) {
    y.push_back(t % kFreeClasses);
    for (Index i = 0; i < kColumns; ++i) {
      const double x = normal(random) * (t % 9 == i ? 8 : 1) + 0.7 * static_cast<double>((y.back() + i) % kFreeClasses);
      for (const double u : {x, x * x, 1.0}) values.push_back(u);
    }
    for (std::size_t i = 0; i < size; ++i) {
      chi[static_cast<std::size_t>(y.back()) * size + i] += values[static_cast<std::size_t>(t) * size + i];
    }
  }
  for (double& each : chi) each += 1e-3;
  const ClassPartition partition(members, kFreeClasses, chi);
  const StatisticRows rows(Matrix::dense(kFreeExamples, wide, values), {}, {});
  ClassConstraints constraints = rival_constraints(y, kFreeClasses, {});
  constraints.rows = &rows;
  Limits limits;
  limits.tolerance = 1e-9;
  for (const BiasPrior bias : {BiasPrior{BiasPrior::Kind::gaussian, 2}, {BiasPrior::Kind::none, 0}, {}}) {
    for (const Margin& psi : {Margin(ExponentialMargin{1, 20}), Margin(GaussianMargin{0.3, 5})}) {
      const Problem problem{psi, partition, constraints, bias};
      const std::vector<double> wanted(static_cast<std::size_t>(kFreeClasses), 0.0);
      BestPair best(problem, limits.tolerance);
      best.consider(dual_point(problem, std::vector<double>(problem.count(), 0.0)));
      best.consider(best.primal_at(best.dual().v, wanted));
      const Solution from{best.dual(), best.primal(), {}};
      const Solution found = ClassFreeNewton(problem, limits, nullptr, from).solve();
      const Solution other = ClassNewton(problem, limits, nullptr, wanted).solve();
      EXPECT_EQ(found.report.status, Status::converged) << found.report.message;
      EXPECT_EQ(other.report.status, Status::converged) << other.report.message;
      EXPECT_GT(found.report.objective, 0.1);
      EXPECT_NEAR(found.report.objective, other.report.objective, 2e-9 * other.report.primal);
    }
  }
}

}  // namespace
}  // namespace medlar::test
