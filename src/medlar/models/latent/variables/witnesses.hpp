// How many features count as one witness of where an example stands.
//
// Neighbouring pixels err together: as witnesses of where an example stands they are fewer than they seem. With l_k the
// eigenvalues of the covariance of what the template leaves unexplained, each feature in units of its own sd, they are
// worth (sum l)^2 / sum l^2 independent ones. That number, from the inner products of T examples, is too low by as much
// as T examples without any order would be: their inverses add, 1/T and the true one.
#pragma once

#include "medlar/models/latent/variables/mean_template.hpp"

namespace medlar {

// Features for each independent one, between 1 and all of them.
double features_that_err_together(const Maps& maps, const MeanTemplate& about, const Matrix& x);

}  // namespace medlar
