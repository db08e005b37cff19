// Loops over the residuals of many examples, in double: the response of a regression's tube to each
// (docs/theory.md#regression). Vectorised by Highway and chosen at run time. They agree with the functions of one
// residual (priors/margins/tube.hpp) to a few units in the last place.
#pragma once

#include <cstddef>

namespace medlar {

// Knots and cubics of a HermiteTable (numerics/hermite_table.hpp).
struct GuessTable {
  const double *knots, *cubics;
  std::size_t pieces;
};

// P0(gamma) is flat on [0, epsilon] and proportional to e^{c(epsilon - gamma)} beyond. `middle` is E[gamma] at lambda =
// c/2. The guesses are for the smaller of lambda and c - lambda, at residual/middle - 2 below c/2 and at
// -middle/residual above.
struct TubePrior {
  double c, epsilon, middle;
  GuessTable guesses;
};

// For residuals above E0[gamma]: the loss, the multiplier, always below c, and the bend. `loss` may be null if it is
// not wanted. A multiplier of -1 means that Newton's steps did not settle; loss and bend are then worthless.
void tube_responses(const TubePrior& prior, const double* residual, double* loss, double* multiplier, double* bend,
                    std::size_t size);

// psi(lambda), minus infinity outside [0, c).
void tube_values(const TubePrior& prior, const double* lambda, double* value, std::size_t size);

}  // namespace medlar
