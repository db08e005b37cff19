// What sweeps over counts keep is what the partition says: scores, their curvature, and both after a move.
#include <gtest/gtest.h>

#include <random>

#include "medlar/priors/families/class_partition.hpp"
#include "medlar/priors/families/families.hpp"

namespace medlar::test {
namespace {

constexpr Index kClasses = 3, kColumns = 4, kExamples = 5;

ClassPartition counts() {
  std::vector<double> chi;
  for (Index i = 0; i < kClasses * kColumns; ++i) chi.push_back(1 + 0.7 * static_cast<double>(i % 5));
  return {{{find_family(FamilyKind::multinomial)->make(kColumns), {0, 1, 2, 3}, 0}}, kClasses, chi};
}

Matrix drawn() {
  std::mt19937_64 random(4);
  std::vector<double> values;
  for (Index i = 0; i < kExamples * kColumns; ++i) values.push_back(std::poisson_distribution<int>(1.5)(random));
  return Matrix::dense(kExamples, kColumns, values);
}

// Scores and curvature of example t from the partition alone.
void expect_look(const ClassPartition& partition, std::span<const double> v, const Matrix& x, Index t,
                 const CountSweep::Look& look) {
  std::vector<double> w(v.size()), u(v.size()), turned(v.size());
  partition.mean(v, w);
  for (Index k = 0; k < kClasses; ++k) {
    std::fill(u.begin(), u.end(), 0.0);
    double f = 0, q = 0;
    for_each(x.row(t), [&](Index i, double value) {
      u[static_cast<std::size_t>(k * kColumns + i)] = value;
      f += value * w[static_cast<std::size_t>(k * kColumns + i)];
    });
    partition.curvature(v).product(u, turned);
    for (std::size_t i = 0; i < u.size(); ++i) q += u[i] * turned[i];
    EXPECT_NEAR(look.f[k], f, 1e-12 * (1 + std::abs(f)));
    EXPECT_NEAR(look.q(k, k), q, 1e-12 * (1 + q));
  }
}

TEST(CountSweep, KeepsWhatThePartitionSays) {
  const ClassPartition partition = counts();
  ASSERT_TRUE(partition.counts_only());
  const Matrix x = drawn();
  std::vector<double> v(static_cast<std::size_t>(partition.dimension()), 0.25);
  CountSweep sweep = partition.sweep(x);
  sweep.start(v);
  CountSweep::Look look;
  sweep.look(2, look);
  expect_look(partition, v, x, 2, look);
  CountSweep::Scores change(kClasses);
  change << 0.5, -0.1, 0;
  ASSERT_EQ(sweep.largest_part(2, change), 1);
  sweep.move(2, change, look.f);
  for (Index k = 0; k < kClasses; ++k) {
    for_each(x.row(2),
             [&](Index i, double value) { v[static_cast<std::size_t>(k * kColumns + i)] += value * change[k]; });
  }
  for (Index t = 0; t < kExamples; ++t) {
    sweep.look(t, look);
    expect_look(partition, v, x, t, look);
  }
}

TEST(CountSweep, LeavesEveryCountHalfOfWhatItWas) {
  const ClassPartition partition = counts();
  const Matrix x = drawn();
  CountSweep sweep = partition.sweep(x);
  sweep.start(std::vector<double>(static_cast<std::size_t>(partition.dimension()), 0.0));
  CountSweep::Scores change(kClasses), f;
  change << 5, -50, 0;
  const double part = sweep.largest_part(0, change);
  double least = 1;
  for_each(x.row(0), [&](Index i, double value) {
    if (value == 0) return;
    const double before = partition.prior()[static_cast<std::size_t>(kColumns + i)];
    least = std::min(least, (before - part * 50 * value) / before);
  });
  EXPECT_NEAR(least, 0.5, 1e-12);
}

}  // namespace
}  // namespace medlar::test
