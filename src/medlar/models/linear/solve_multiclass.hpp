// The solve of a linear model of K > 2 classes (docs/theory.md#several-classes), from nothing or from a neighbour with
// another p0, c or prior variance.
#pragma once

#include "medlar/prepare/priors.hpp"
#include "medlar/solvers/neighbour.hpp"

namespace medlar {

// The prior is over the coefficients of all classes, class by class: a Gaussian, or groups, for one feature in all
// classes shares a switch.
Solution solve_multiclass(const ParameterPrior& prior, const ClassConstraints& constraints, const Settings& settings,
                          Observer* observer, const Neighbour* from);

}  // namespace medlar
