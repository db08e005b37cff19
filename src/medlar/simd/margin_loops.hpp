// Loops over the margins of many examples, in double: the response of an exponential margin prior to each
// (docs/theory.md#margins). Vectorised by Highway and chosen at run time. They agree with the functions of one margin
// (priors/margins/exponential.hpp) to a few units in the last place.
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

}  // namespace medlar
