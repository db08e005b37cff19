// The potentials and partitions that the typed tests run over: one list, so that a new part is tested by adding it
// here.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/coefficients/groups.hpp"
#include "medlar/priors/coefficients/switches.hpp"
#include "medlar/priors/margins/exponential.hpp"
#include "medlar/priors/margins/gaussian.hpp"
#include "medlar/priors/margins/hinge.hpp"
#include "medlar/priors/margins/laplace.hpp"
#include "medlar/priors/margins/logistic.hpp"
#include "medlar/priors/margins/svr.hpp"
#include "medlar/priors/margins/tube.hpp"

namespace medlar::test {

using Potentials = ::testing::Types<ExponentialMargin, LaplaceMargin, GaussianMargin, HingeMargin, LogisticMargin,
                                    TubeMargin, SvrMargin>;
using Partitions = ::testing::Types<GaussianPartition, SwitchPartition, GroupPartition>;

// Second parameter: the margin's location (also 0 and negative), or the tube's epsilon.
template <class P>
std::vector<P> potential_samples() {
  constexpr bool kTube = std::is_same_v<P, TubeMargin> || std::is_same_v<P, SvrMargin>;
  const std::vector<double> seconds = kTube ? std::vector{0.0, 1e-6, 0.1, 3.0} : std::vector{1.0, 0.0, -2.5, 0.3};
  std::vector<P> all;
  for (const double c : {0.05, 1.0, 3.0, 200.0, 1e5}) {
    for (const double second : seconds) all.push_back(P{c, second});
  }
  return all;
}

// Multipliers across the domain, close to both of its ends.
template <class P>
std::vector<double> multipliers(const P& psi) {
  const double upper = std::isinf(psi.domain().upper) ? 10 * psi.c * psi.c : psi.domain().upper;
  std::vector<double> all;
  for (const double x : {1e-6, 1e-3, 0.03, 0.2, 0.5, 0.7, 0.95, 0.999, 1 - 1e-6}) all.push_back(x * upper);
  return all;
}

// Location or epsilon, whichever the potential has beside c.
template <class P>
double second_parameter(const P& psi) {
  if constexpr (requires { psi.epsilon; }) {
    return psi.epsilon;
  } else {
    const auto& [c, location] = psi;
    return location;
  }
}

// The size of the prior's margins, in whose rounding errors slopes are measured.
template <class P>
double margin_size(const P& psi) {
  return std::abs(second_parameter(psi)) + 1 / psi.c;
}

// Margins on both sides of every kink, from deep inside the zero of the loss to far out; of a loss that is never 0 on
// both sides of the location.
template <class P>
std::vector<double> margins(const P& psi) {
  std::vector<double> all;
  const double edge = psi.domain().steep ? second_parameter(psi) : psi.slope(0);
  for (const double d : {-5.0, -0.1, -1e-4, 0.0, 1e-6, 1e-3, 0.02, 0.3, 1.0, 2.0, 17.0, 1e4}) all.push_back(edge - d);
  return all;
}

// Five features; the groups are {0, 2}, {1, 3} and {4}.
template <class A>
std::vector<A> partition_samples();

template <>
inline std::vector<GaussianPartition> partition_samples() {
  return {GaussianPartition(5, 1.0), GaussianPartition(5, 0.3, {1, -2, 0, 0.5, 3})};
}
template <>
inline std::vector<SwitchPartition> partition_samples() {
  return {SwitchPartition(5, 0.5, 1.0), SwitchPartition(5, 1e-5, 2.0), SwitchPartition(5, 1.0, 0.7),
          SwitchPartition({0, 1, 0.3, 1e-3, 0.999}, 0.4)};
}
template <>
inline std::vector<GroupPartition> partition_samples() {
  const std::vector<Index> group_of{0, 1, 0, 1, 2};
  return {GroupPartition(group_of, {0.5, 0.5, 0.5}, 1.0), GroupPartition(group_of, {1e-5, 0.2, 0.99}, 2.0),
          GroupPartition(group_of, {1, 0, 1e-3}, 0.4)};
}

inline std::vector<std::vector<double>> partition_points() {
  return {{0, 0, 0, 0, 0}, {1, -1, 0.5, 2, -3}, {4, 3.9, -0.01, 0, 5}, {-6, 0.2, 4, -4, 1e-3}};
}

}  // namespace medlar::test
