// The solve of a linear model of K > 2 classes (docs/theory.md#several-classes), from nothing or from a neighbour with
// another p0, c or prior variance.
#pragma once

#include <variant>

#include "medlar/prepare/priors.hpp"
#include "medlar/solvers/neighbour.hpp"

namespace medlar {

// The prior over the coefficients of all classes, class by class: features of a group, and one feature in all classes,
// share a switch.
using ClassPrior = std::variant<GaussianPartition, GroupPartition>;

Solution solve_multiclass(const ClassPrior& prior, const ClassConstraints& constraints, const Settings& settings,
                          Observer* observer, const Neighbour* from = nullptr);

}  // namespace medlar
