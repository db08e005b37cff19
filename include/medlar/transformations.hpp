// What a latent model of transformations infers about each example: how it was shifted or mapped.
#pragma once

#include <vector>

#include "medlar/model.hpp"

namespace medlar {

// How far an example is from the template. A signal is shifted to the right; an image also down and turned, in degrees.
struct Shift {
  Index down = 0, right = 0;
  double turn = 0;
};

// The shifts of a model with --latent shifts:R, in the order of the probabilities below. The first one changes nothing.
// Empty for other transformations.
std::vector<Shift> shifts_of(const Model& model);

// For each row, the probability P0(U | x) of every transformation, given the row alone and no label; uniform for a
// literal model. Throws OptionError for a model without a finite set of transformations.
std::vector<std::vector<double>> transformation_probabilities(const Model& model, const Matrix& x);

}  // namespace medlar
