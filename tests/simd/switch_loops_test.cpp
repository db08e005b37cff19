// Loops over the switches of all features, under every instruction set: against the functions of one switch, which have
// their own tests against many digits.
#include "medlar/simd/switch_loops.hpp"

#include "medlar/numerics/log_mix.hpp"
#include "simd/instruction_sets.hpp"

namespace medlar::test {
namespace {

constexpr double kVariance = 0.7;
// Expm1 is right to 4 units in the last place, Log1p to 2; their arguments, quotients and products add a few.
constexpr double kFewUnits = 16 * kRounding<double>;

struct One {
  double value, conjugate, mean, variance;
};
One one_switch(double p, double v) {
  const double h = 0.5 * kVariance * v * v;
  const MixWeights weights = mix_weights(p, h);
  const double value = log_mix(p, h);
  return {value, p == 1 || h == 0 ? h : 2 * h * weights.on - value, weights.on * (kVariance * v),
          kVariance * weights.on + weights.on * weights.off * (kVariance * v) * (kVariance * v)};
}

// Every size that a V may have, 0 and overflow of e^h among them, and every p, 0 and 1 among them.
std::vector<double> some_v(std::size_t size, unsigned seed) {
  std::vector<double> v = over_decades<double>(size, 2, seed);
  for (std::size_t i = 0; i < size; i += 7) v[i] = i % 14 == 0 ? 0.0 : 1e-20 * v[i];
  for (std::size_t i = 3; i < size; i += 29) v[i] *= 1e4;
  return v;
}
std::vector<double> some_p(std::size_t size, unsigned seed) {
  std::vector<double> p = over_decades<double>(size, 9, seed);
  for (std::size_t i = 0; i < size; ++i) p[i] = std::min(1.0, std::abs(p[i]));
  for (std::size_t i = 1; i < size; i += 5) p[i] = i % 2 == 0 ? 0.0 : 1.0;
  for (std::size_t i = 2; i < size; i += 31) p[i] = 1e-300;
  return p;
}

void expect_like_one(const SwitchPriors& priors, std::size_t size, unsigned seed) {
  ArrayAtTheEdge<double> v(some_v(size, seed));
  with_every_instruction_set([&] {
    ArrayAtTheEdge<double> mean(std::vector<double>(size, -1)), variance(std::vector<double>(size, -1));
    switch_means(priors, v.data(), mean.data(), size);
    switch_variances(priors, v.data(), variance.data(), size);
    long double value = 0, conjugate = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const One one = one_switch(priors.p[priors.alike ? 0 : i], v[i]);
      value += one.value, conjugate += one.conjugate;
      ASSERT_NEAR(mean[i], one.mean, kFewUnits * std::abs(one.mean)) << i << " of " << size << ", V = " << v[i];
      ASSERT_NEAR(variance[i], one.variance, 2 * kFewUnits * one.variance) << i << " of " << size << ", V = " << v[i];
    }
    // A* = 2 h P - A is at least half of 2 h P: one digit in two may go.
    EXPECT_NEAR(sum_of_switch_values(priors, v.data(), size), static_cast<double>(value),
                kFewUnits * static_cast<double>(value));
    EXPECT_NEAR(sum_of_switch_conjugates(priors, v.data(), size), static_cast<double>(conjugate),
                3 * kFewUnits * static_cast<double>(conjugate));
  });
}

TEST(SwitchLoops, AreThoseOfOneSwitch) {
  for (const std::size_t size : loop_sizes()) {
    const std::vector<double> p = some_p(size + 1, 2);
    expect_like_one({p.data(), false, kVariance}, size, 1);
    for (const double alike : {0.0, 1e-300, 1e-5, 0.3, 1.0}) expect_like_one({&alike, true, kVariance}, size, 3);
  }
}

TEST(SwitchLoops, AreExactWhereEverySwitchIsOn) {
  const double p = 1;
  const std::vector<double> v = some_v(100, 5);
  with_every_instruction_set([&] {
    std::vector<double> mean(v.size()), variance(v.size());
    switch_means({&p, true, kVariance}, v.data(), mean.data(), v.size());
    switch_variances({&p, true, kVariance}, v.data(), variance.data(), v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
      EXPECT_EQ(mean[i], kVariance * v[i]);
      EXPECT_EQ(variance[i], kVariance);
    }
  });
}

}  // namespace
}  // namespace medlar::test
