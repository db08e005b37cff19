// Loops over the margins of many examples, in double: the response of a margin prior to each
// (docs/theory.md#margins). Vectorised by Highway and chosen at run time. They agree with the functions of one margin
// (priors/margins/exponential.hpp, priors/margins/logistic.hpp) to a few units in the last place.
#pragma once

#include <cstddef>

namespace medlar {

// P0(gamma) = c e^{-c(s - gamma)}, gamma <= s.
struct ExponentialPrior {
  double c, location;
};

// With z = c(s - m) - 1 where that is above 0: the loss z - log(1 + z), the multiplier z / (s - m), always below c, and
// the bend (c - lambda)^2. All are 0 elsewhere. `loss` may be null if it is not wanted.
void exponential_responses(const ExponentialPrior& prior, const double* margin, double* loss, double* multiplier,
                           double* bend, std::size_t size);

// s lambda + log(1 - lambda / c), minus infinity outside [0, c).
void exponential_values(const ExponentialPrior& prior, const double* lambda, double* value, std::size_t size);

// psi = s lambda + c h(lambda / c), h(x) = -x log x - (1 - x) log(1 - x).
struct LogisticPrior {
  double c, location;
  double least;  // multiplier, where e^{-m} has no double
};

// The loss c log(1 + e^{s - m}), the multiplier c / (1 + e^{m - s}), always inside (0, c), and the bend lambda (1 -
// lambda / c). `loss` may be null if it is not wanted.
void logistic_responses(const LogisticPrior& prior, const double* margin, double* loss, double* multiplier,
                        double* bend, std::size_t size);

// psi, minus infinity outside [0, c].
void logistic_values(const LogisticPrior& prior, const double* lambda, double* value, std::size_t size);

}  // namespace medlar
