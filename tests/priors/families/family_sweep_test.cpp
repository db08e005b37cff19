// What sweeps over any product of families keep is what the partition says: scores, their curvature, and both after a
// move.
#include "medlar/priors/families/family_sweep.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "medlar/priors/families/families.hpp"

namespace medlar::test {
namespace {

constexpr Index kMixedClasses = 3, kMixedExamples = 4;

// A normal column, a column of counts, two that are normal together and one with three levels.
struct Mixed {
  std::vector<Member> members;
  Index statistics = 0;
  std::vector<double> chi;
  std::vector<std::vector<double>> rows;

  Mixed() {
    Index column = 0;
    for (const char* name : {"gaussian-diagonal", "poisson", "gaussian-full", "multinomial"}) {
      const Index columns = std::string_view(name) == "gaussian-full" ? 2 : name[0] == 'm' ? 3 : 1;
      std::vector<Index> own;
      for (Index i = 0; i < columns; ++i) own.push_back(column++);
      members.push_back({find_family(*read_word<FamilyKind>(name))->make(columns), own, statistics});
      statistics += members.back().family->statistics();
    }
    for (Index k = 0; k < kMixedClasses; ++k) {
      for (const Member& member : members) {
        const std::vector<ColumnMoments> moments(member.columns.size(), {0.5 + 0.1 * static_cast<double>(k), 2, 10});
        chi.resize(chi.size() + static_cast<std::size_t>(member.family->statistics()));
        const auto size = static_cast<std::ptrdiff_t>(member.family->statistics());
        member.family->prior(4, moments, {chi.end() - size, chi.end()});
      }
    }
    for (Index t = 0; t < kMixedExamples; ++t) {
      std::vector<double>& row = rows.emplace_back(static_cast<std::size_t>(statistics));
      const auto at = static_cast<double>(t);
      const std::vector<double> x{0.3 * at, at, -0.2 * at, 0.5, at == 1 ? 1.0 : 0.0, at == 2 ? 1.0 : 0.0, 1.0};
      for (const Member& member : members) {
        const auto first = static_cast<std::size_t>(member.first);
        const auto size = static_cast<std::size_t>(member.family->statistics());
        const auto from = static_cast<std::size_t>(member.columns.front());
        member.family->statistics_of(std::span(x).subspan(from, member.columns.size()),
                                     std::span(row).subspan(first, size));
        if (member.family->count() >= 0) row[first + static_cast<std::size_t>(member.family->count())] = 1;
      }
    }
  }
  ClassPartition partition() const { return {members, kMixedClasses, chi}; }
  FamilySweep::Row row() const {
    return [this](Index t, std::span<double> u) {
      std::copy(rows[static_cast<std::size_t>(t)].begin(), rows[static_cast<std::size_t>(t)].end(), u.begin());
    };
  }
};

// Scores and curvature of example t from the partition alone.
void expect_mixed_look(const Mixed& mixed, const ClassPartition& partition, std::span<const double> v, Index t,
                       const FamilySweep::Look& look) {
  std::vector<double> w(v.size()), u(v.size()), turned(v.size());
  partition.mean(v, w);
  const std::vector<double>& row = mixed.rows[static_cast<std::size_t>(t)];
  for (Index k = 0; k < kMixedClasses; ++k) {
    std::fill(u.begin(), u.end(), 0.0);
    std::copy(row.begin(), row.end(), u.begin() + static_cast<std::ptrdiff_t>(k * mixed.statistics));
    partition.curvature(v).product(u, turned);
    double f = 0, q = 0;
    for (std::size_t i = 0; i < u.size(); ++i) f += u[i] * w[i], q += u[i] * turned[i];
    EXPECT_NEAR(look.f[k], f, 1e-11 * (1 + std::abs(f)));
    EXPECT_NEAR(look.q(k, k), q, 1e-11 * (1 + q));
  }
}

TEST(FamilySweep, KeepsWhatThePartitionSays) {
  const Mixed mixed;
  const ClassPartition partition = mixed.partition();
  std::vector<double> v(static_cast<std::size_t>(partition.dimension()), 0.0);
  FamilySweep sweep = partition.sweep_families(mixed.row());
  sweep.start(v);
  FamilySweep::Look look;
  sweep.look(2, look);
  expect_mixed_look(mixed, partition, v, 2, look);
  FamilySweep::Scores change(kMixedClasses);
  change << 0.5, -0.1, 0;
  ASSERT_EQ(sweep.largest_part(2, change), 1);
  sweep.move(2, change, look.f);
  for (Index k = 0; k < kMixedClasses; ++k) {
    for (Index i = 0; i < mixed.statistics; ++i) {
      v[static_cast<std::size_t>(k * mixed.statistics + i)] += change[k] * mixed.rows[2][static_cast<std::size_t>(i)];
    }
  }
  for (Index t = 0; t < kMixedExamples; ++t) {
    sweep.look(t, look);
    expect_mixed_look(mixed, partition, v, t, look);
  }
}

TEST(FamilySweep, LeavesTheDomainHalfOfWhatItWas) {
  const Mixed mixed;
  const ClassPartition partition = mixed.partition();
  FamilySweep sweep = partition.sweep_families(mixed.row());
  sweep.start(std::vector<double>(static_cast<std::size_t>(partition.dimension()), 0.0));
  FamilySweep::Scores change(kMixedClasses);
  change << 5, -50, 0;
  const double part = sweep.largest_part(1, change);
  EXPECT_LT(part, 0.1);
  for (const double times : {1.0, 1.5}) {  // what is left of the quantities of the second class
    double least = 1;
    for (const Member& member : mixed.members) {
      std::vector<double> chi, before(static_cast<std::size_t>(member.family->barriers())), after(before);
      for (Index i = 0; i < member.family->statistics(); ++i)
        chi.push_back(mixed.chi[static_cast<std::size_t>(mixed.statistics + member.first + i)]);
      member.family->barriers_at(chi, before);
      for (std::size_t i = 0; i < chi.size(); ++i)
        chi[i] -= 50 * times * part * mixed.rows[1][static_cast<std::size_t>(member.first) + i];
      member.family->barriers_at(chi, after);
      for (std::size_t i = 0; i < after.size(); ++i) least = std::min(least, after[i] / before[i]);
    }
    EXPECT_EQ(least >= 0.5, times == 1) << least;
  }
}

}  // namespace
}  // namespace medlar::test
