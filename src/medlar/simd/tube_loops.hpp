// Loops over the residuals of many examples, in double: what the tube of a regression answers to each
// (docs/theory.md#regression). Vectorised by Highway, chosen at run time; as exact as the functions of one residual
// (priors/margins/tube.hpp) to some units in the last place.
#pragma once

#include <cstddef>

namespace medlar {

// Knots and cubics of a HermiteTable (numerics/hermite_table.hpp).
struct GuessTable {
  const double *knots, *cubics;
  std::size_t pieces;
};

// P0(gamma) flat on [0, epsilon], proportional to e^{c(epsilon - gamma)} beyond; E[gamma] at lambda = c/2; and first
// guesses of the smaller of lambda and c - lambda, by residual/middle - 2 below c/2 and by -middle/residual above.
struct TubePrior {
  double c, epsilon, middle;
  GuessTable guesses;
};

// For residuals above E0[gamma]: the loss, the multiplier, always below c, and the bend. A loss that is null is not
// wanted. A multiplier of -1 says that Newton's steps from the guess did not settle, and nothing of the others.
void tube_responses(const TubePrior& prior, const double* residual, double* loss, double* multiplier, double* bend,
                    std::size_t size);

// psi(lambda), minus infinity outside [0, c).
void tube_values(const TubePrior& prior, const double* lambda, double* value, std::size_t size);

}  // namespace medlar
