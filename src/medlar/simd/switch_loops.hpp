// Loops over the switches of all features, in double (docs/theory.md#switches): the log-partition, its conjugate, mean
// and variance. Each feature costs one logarithm and one exponential. Vectorised by Highway and chosen at run time.
// They agree with the functions of one switch (numerics/log_mix.hpp) to a few units in the last place, also at p = 0,
// at p = 1 and for h of any size.
#pragma once

#include <cstddef>

namespace medlar {

// Each switch guards a coefficient from N(0, variance). It is on with probability p[i], or p[0] if all are alike.
struct SwitchPriors {
  const double* p;
  bool alike;
  double variance;
};

// sum_i log(1 - p_i + p_i e^{h_i}), h_i = variance V_i^2 / 2
double sum_of_switch_values(const SwitchPriors& priors, const double* v, std::size_t size);
// sum_i 2 h_i P_i - log(1 - p_i + p_i e^{h_i})
double sum_of_switch_conjugates(const SwitchPriors& priors, const double* v, std::size_t size);
// P_i variance V_i
void switch_means(const SwitchPriors& priors, const double* v, double* out, std::size_t size);
// variance P_i + P_i (1 - P_i) variance^2 V_i^2
void switch_variances(const SwitchPriors& priors, const double* v, double* out, std::size_t size);

}  // namespace medlar
