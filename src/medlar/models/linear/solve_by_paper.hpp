// The paper's own optimisers for linear models, --solver coordinate and bounded-qp.   [MED 2.1, appendix B]
#pragma once

#include "medlar/observer.hpp"
#include "medlar/prepare/priors.hpp"
#include "medlar/problem/run.hpp"
#include "medlar/solvers/solution.hpp"

namespace medlar {

// The prior is separable: a Gaussian, or a switch for each feature.
Solution solve_by_paper(const Settings& settings, const ParameterPrior& prior, const Constraints& constraints,
                        BiasPrior bias, const Limits& limits, Observer* observer);

}  // namespace medlar
