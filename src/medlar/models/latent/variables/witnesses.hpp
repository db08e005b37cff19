// How many features count as one witness of an example's place.
//
// Neighbouring pixels err together, so as witnesses they are fewer than they seem. Let l_k be the eigenvalues of the
// covariance of what the template leaves unexplained, with each feature in units of its sd. The features are then worth
// (sum l)^2 / sum l^2 independent ones. Estimated from inner products of T examples, that number is too low, because T
// examples without any structure would give T: the inverses add, 1/T and the true one.
#pragma once

#include "medlar/models/latent/variables/mean_template.hpp"

namespace medlar {

// Features for each independent one, between 1 and all of them.
double features_that_err_together(const Maps& maps, const MeanTemplate& about, const Matrix& x);

}  // namespace medlar
