// L_k(x) = f_k(x) + b_k, each f_k a Gaussian process of its own, and for each example t and rival k
//   E[L_{y_t}(x_t) - L_k(x_t) - gamma_tk] >= 0                                                          [MED 2.4, 2.3]
#include "medlar/models/generative/generative.hpp"
#include "medlar/models/kernel/kernel_checks.hpp"
#include "medlar/models/kernel/kernel_classes.hpp"
#include "medlar/models/kernel/kernel_part.hpp"
#include "medlar/prepare/priors.hpp"
#include "medlar/solvers/kernel/class_kernel_ascent.hpp"

namespace medlar {

KernelClassFit fit_jointly(const KernelClasses& given, Observer* observer) {
  const Settings& settings = given.settings;
  Gram gram(given.kernel, given.x, settings.threads, gram_storage(settings));
  require_convex(given.kernel, gram, settings);
  const GaussianPartition prior(given.x.columns(), *settings.prior_variance);
  const ClassConstraints constraints = rival_constraints(given.y, given.labels.classes(), given.weights);
  const Problem problem{margin_prior(settings), prior, constraints, bias_prior(settings)};
  const Limits limits = limits_of(settings);
  ClassKernelAscent solver(problem, gram, settings.cache_mb, limits, observer);
  Report report = solver.solve(settings.solver != SolverKind::smo);
  return {solver.state().best_primal_beta(), solver.state().best_primal_bias(), mean_diagonal(gram), std::move(report)};
}

}  // namespace medlar
