// Every partition against the integral that defines it, A(V) = log E0[e^{V.s(Theta)}]: enumeration over the switches
// and a grid over theta, in one to three dimensions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/coefficients/groups.hpp"
#include "medlar/priors/coefficients/switches.hpp"
#include "support/brute_force.hpp"
#include "support/derivatives.hpp"

namespace medlar::test {
namespace {

constexpr double kGridError = 1e-11;  // of plain sums over 10^5 grid points, and E[xy] - E[x]E[y] of them

template <class A>
void expect_moments(const A& a, const std::vector<double>& v, const BruteMoments& exact) {
  const std::size_t n = v.size();
  std::vector<double> mean(n), inclusion(n), variance(n);
  a.mean(v, mean);
  a.inclusion(v, inclusion);
  a.variance(v, variance);
  const auto covariance = hessian(a, v);
  EXPECT_NEAR(a.value(v), exact.log_partition, kGridError * (1 + a.value(v)));
  double inner = 0;
  for (std::size_t i = 0; i < n; ++i) {
    inner += v[i] * exact.mean[i];
    EXPECT_NEAR(mean[i], exact.mean[i], kGridError * (1 + std::abs(mean[i])));
    EXPECT_NEAR(inclusion[i], exact.inclusion[i], kGridError);
    EXPECT_NEAR(variance[i], exact.covariance[i][i], kGridError * (1 + variance[i]));
    for (std::size_t j = 0; j < n; ++j) {
      EXPECT_NEAR(covariance[i][j], exact.covariance[i][j], kGridError * (1 + variance[i] + variance[j]))
          << i << ", " << j;
    }
  }
  EXPECT_NEAR(a.conjugate_at(v), inner - exact.log_partition, kGridError * (1 + inner));
}

const std::vector<std::vector<double>> kPoints{{0, 0, 0}, {0.5, -1, 2}, {-3, 1e-3, 4}};

TEST(PartitionEnumeration, Switches) {
  const std::vector<Index> own_group{0, 1, 2};
  for (const auto& p : std::vector<std::vector<double>>{{0.5, 0.5, 0.5}, {1e-3, 0.9, 0}, {1, 0.2, 1e-6}}) {
    for (const double variance : {1.0, 0.3}) {
      for (const auto& v : kPoints) {
        expect_moments(SwitchPartition(p, variance), v, brute_force(v, own_group, p, variance));
      }
    }
  }
}

TEST(PartitionEnumeration, GroupsOfOneTwoAndThree) {
  for (const auto& group_of : std::vector<std::vector<Index>>{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {2, 0, 1}}) {
    const std::vector<double> p{0.05, 0.7, 1e-4};
    const auto used = static_cast<std::size_t>(*std::max_element(group_of.begin(), group_of.end())) + 1;
    const std::vector<double> p_used(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(used));
    for (const auto& v : kPoints) {
      expect_moments(GroupPartition(group_of, p_used, 0.6), v, brute_force(v, group_of, p_used, 0.6));
    }
  }
}

TEST(PartitionEnumeration, GaussianWithAPriorMean) {
  const std::vector<double> prior_mean{1, -0.5, 2};
  const std::vector<Index> group_of{0, 0, 0};
  const std::vector<double> always{1};
  for (const auto& v : kPoints) {
    expect_moments(GaussianPartition(3, 0.6, prior_mean), v, brute_force(v, group_of, always, 0.6, prior_mean));
  }
}

}  // namespace
}  // namespace medlar::test
