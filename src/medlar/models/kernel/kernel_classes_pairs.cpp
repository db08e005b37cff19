// The certificate is of the sum over pairs: J and F add up, and so do their gaps; each pair has the limits that those
// before it have left.
#include <fmt/format.h>

#include "medlar/models/kernel/kernel_checks.hpp"
#include "medlar/models/kernel/kernel_classes.hpp"
#include "medlar/models/kernel/kernel_part.hpp"
#include "medlar/models/kernel/solve_kernel.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/prepare/priors.hpp"
#include "medlar/prepare/rows.hpp"
#include "medlar/problem/relay.hpp"

namespace medlar {

KernelClassFit fit_two_by_two(const KernelClasses& given, Observer* observer) {
  const Settings& settings = given.settings;
  const BiasPrior bias = bias_prior(settings);
  const GaussianPartition prior(given.x.columns(), *settings.prior_variance);
  const bool precomputed = given.kernel.kind == Kernel::Kind::precomputed;
  const auto count = given.y.size(), K = at(given.labels.classes());
  KernelClassFit fit;
  Report& report = fit.report;
  const Limits limits = limits_of(settings);
  for (std::size_t a = 0; a < K; ++a) {
    for (std::size_t b = a + 1; b < K; ++b) {
      std::vector<Index> own;
      std::vector<int> side;
      std::vector<double> weights;
      for (std::size_t t = 0; t < count; ++t) {
        if (at(given.y[t]) != a && at(given.y[t]) != b) continue;
        own.push_back(static_cast<Index>(t));
        side.push_back(at(given.y[t]) == a ? 1 : -1);
        if (!given.weights.empty()) weights.push_back(given.weights[t]);
      }
      const Matrix x = precomputed ? selected_gram(given.x, own) : select_rows(given.x, own);
      Gram gram(given.kernel, x, settings.threads, gram_storage(settings));
      require_convex(given.kernel, gram, settings);
      const KernelSolution solution =
          solve_kernel_surely(margin_prior(settings), prior, classification_constraints(x, side, weights), bias,
                              given.kernel, x, gram, settings, what_is_left(limits, report), observer);
      const bool before = report.status == Status::interrupted;
      add_beside(report, solution.report);
      if (report.status == Status::interrupted && !before) {
        report.message += fmt::format("; at the pair of '{}' and '{}'", given.labels.labels[a], given.labels.labels[b]);
      }
      fit.beta.resize(fit.beta.size() + count, 0.0);
      for (std::size_t s = 0; s < own.size(); ++s) fit.beta[fit.beta.size() - count + at(own[s])] = solution.beta[s];
      fit.bias.push_back(solution.bias);
      fit.mean_diagonal += mean_diagonal(gram);
    }
  }
  fit.mean_diagonal /= static_cast<double>(fit.bias.size());
  report.why = fmt::format("{} pairs of {} classes, {} examples", fit.bias.size(), K, count);
  if (report.status == Status::converged) {
    report.message = fmt::format("converged: relative gap {:.1e} <= {:.1e} over {} pairs of classes",
                                 report.relative_gap, settings.tolerance, fit.bias.size());
  }
  return fit;
}

}  // namespace medlar
