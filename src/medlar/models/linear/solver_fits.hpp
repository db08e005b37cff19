// Whether the solver that the user named can serve the problem: a refusal is a sentence that names another.
#pragma once

#include "medlar/prepare/priors.hpp"
#include "medlar/settings.hpp"

namespace medlar {

// model = linear: solvers that need a separable or a quadratic log-partition, or a margin with curvature.
void require_solver(const Settings& settings, const ParameterPrior& prior);

// line-search serves two solvers only.
void require_line_search(const Settings& settings);

// model = linear without an expansion by a kernel: options of kernels would have no effect.
void require_no_kernel(const Settings& settings);

}  // namespace medlar
