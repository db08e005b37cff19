// The coefficients of a linear discriminant after a fit.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "medlar/model.hpp"
#include "medlar/models/linear/solver_units.hpp"
#include "medlar/prepare/priors.hpp"

namespace medlar {

// The fitted distribution of each coefficient, at the V of the primal point and its mean w = A'(V). The prior is that
// of solvers, V and w are those of the model. Of several outputs: the length of the coefficients of a feature, and the
// root of their mean variance.
std::vector<Feature> fitted_features(const ParameterPrior& prior, const SolverUnits& units, std::vector<double> v,
                                     std::span<const double> w, std::span<const std::string> names,
                                     const Grouping& grouping);

}  // namespace medlar
