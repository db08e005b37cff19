// The solve of a linear model of K > 2 classes (docs/theory.md#several-classes), from nothing or from a neighbour with
// another p0, c or prior variance.
#pragma once

#include <variant>

#include "medlar/prepare/priors.hpp"
#include "medlar/problem/class_best.hpp"

namespace medlar {

// The prior over the coefficients of all classes, class by class: features of a group, and one feature in all classes,
// share a switch.
using ClassPrior = std::variant<GaussianPartition, GroupPartition>;

// The certified pair of a problem over the same examples and features.
struct ClassNeighbour {
  ClassDual dual;
  ClassPrimal primal;
  bool same_margins = true;  // else the multipliers are taken from the margins, for psi has another domain
};

ClassSolution solve_multiclass(const ClassPrior& prior, const StatisticRows& rows, const ClassConstraints& constraints,
                               const Settings& settings, Observer* observer, const ClassNeighbour* from = nullptr);

}  // namespace medlar
