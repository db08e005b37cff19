// The solver for kernels with the user's margin: the one place where its templates meet the potentials.
#pragma once

#include <vector>

#include "medlar/kernels/gram.hpp"
#include "medlar/observer.hpp"
#include "medlar/prepare/priors.hpp"
#include "medlar/problem/run.hpp"
#include "medlar/solvers/solution.hpp"

namespace medlar {

struct KernelSolution {
  std::vector<double> beta;  // of the primal point: what predicts
  double bias = 0;
  Report report;
  std::vector<double> dual_beta;  // of the largest J, which may be another's
};

// settings.solver: smo alone; else Newton steps on the free multipliers may finish.
KernelSolution solve_kernel(const Margin& margin, const GaussianPartition& prior, const Constraints& constraints,
                            BiasPrior bias, Gram& gram, const Settings& settings, const Limits& limits,
                            Observer* observer);

// The same, and where rows in single precision end it before its tolerance, once more with rows in double; the better
// one is kept. `x` are the examples that the Gram matrix is of.
KernelSolution solve_kernel_surely(const Margin& margin, const GaussianPartition& prior, const Constraints& constraints,
                                   BiasPrior bias, const Kernel& kernel, const Matrix& x, Gram& gram,
                                   const Settings& settings, const Limits& limits, Observer* observer);

// A linear model without switches through its linear kernel; the certificate is that of the features.
Solution solve_linear_by_smo(const Margin& margin, const GaussianPartition& prior, const Constraints& constraints,
                             BiasPrior bias, const Settings& settings, const Limits& limits, Observer* observer);

}  // namespace medlar
