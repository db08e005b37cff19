// The kernel model: L(x) = a Gaussian process with covariance v k(x, x'), and a bias; no switches.   [MED 2.3, 3.1]
#include <fmt/format.h>

#include <cmath>

#include "medlar/data/kernel_map.hpp"
#include "medlar/error.hpp"
#include "medlar/kernels/gram.hpp"
#include "medlar/model/kernel_part.hpp"
#include "medlar/model/kinds.hpp"
#include "medlar/model/labels.hpp"
#include "medlar/model/prepare.hpp"
#include "medlar/model/priors.hpp"
#include "medlar/model/rows.hpp"
#include "medlar/model/solve_kernel.hpp"
#include "medlar/model/solver_fits.hpp"
#include "medlar/model/unused_options.hpp"

namespace medlar {

namespace {

// Switches, prior means and groups belong to features, which a kernel does not have.
void require_kernel_settings(Settings& settings) {
  if (settings.p0 != 1 && settings.p0 != Settings{}.p0) {
    throw OptionError(
        fmt::format("p0 = {}, but a kernel model selects no features; use --p0 1, or --model linear with --expand "
                    "fourier:D or nystrom:D to select among basis functions",
                    settings.p0));
  }
  settings.p0 = 1;
  if (is_kernel_map(settings.expand)) {
    throw OptionError(fmt::format(
        "expand = {} stands in for a kernel, but model = kernel has it in full; use --model linear, or leave "
        "it out",
        settings.expand));
  }
  const auto refuse = [](std::string_view option) {
    throw OptionError(fmt::format("{} speaks of features, but model = kernel has none; use --model linear", option));
  };
  if (!settings.feature_p0.empty()) refuse("feature-priors");
  if (!settings.prior_mean.empty()) refuse("prior-mean");
  if (settings.groups == "file") refuse("groups");
  if (settings.solver != "auto" && settings.solver != "smo" && settings.solver != "newton") {
    throw OptionError(fmt::format("solver '{}' needs features; model 'kernel' has none. Use 'auto', 'smo' or 'newton'.",
                                  settings.solver));
  }
  require_line_search(settings);
  const std::string who = "kernel " + settings.kernel;
  if (settings.kernel == "linear" || settings.kernel == "precomputed") refuse_unused(settings, {"gamma"}, who);
  if (settings.kernel != "poly" && settings.kernel != "sigmoid") refuse_unused(settings, {"coef0"}, who);
  if (settings.kernel != "poly") refuse_unused(settings, {"degree"}, who);
  if (settings.kernel != "precomputed") return;
  if (settings.scale == "auto") settings.scale = "none";
  if (settings.scale != "none" || settings.expand != "none") {
    throw OptionError(fmt::format(
        "{} = {} would change the numbers of a precomputed kernel; leave it out, or choose another --kernel",
        settings.scale != "none" ? "scale" : "expand", settings.scale != "none" ? settings.scale : settings.expand));
  }
}

// A square matrix that says the same of (t, u) as of (u, t).
void require_gram(const Dataset& data) {
  const Matrix& x = data.x;
  if (x.rows() != x.columns()) {
    throw DataError(
        fmt::format("{}: a precomputed kernel needs one column per example, but has {} examples and {} columns; row t "
                    "must hold k(x_t, x_1), k(x_t, x_2), ...",
                    data.source, x.rows(), x.columns()));
  }
  const auto count = static_cast<std::size_t>(x.rows());
  std::vector<double> whole(count * count, 0.0);
  double largest = 0;
  for (std::size_t t = 0; t < count; ++t) {
    for_each(x.row(static_cast<Index>(t)), [&](Index u, double value) {
      whole[t * count + static_cast<std::size_t>(u)] = value;
      largest = std::max(largest, std::abs(value));
    });
  }
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t u = 0; u < t; ++u) {
      const double a = whole[t * count + u], b = whole[u * count + t];
      if (std::abs(a - b) <= 1e-6 * largest) continue;
      throw DataError(fmt::format("{}: a precomputed kernel must be symmetric, but k({}, {}) = {} and k({}, {}) = {}",
                                  data.source, t + 1, u + 1, a, u + 1, t + 1, b));
    }
  }
}

// An indefinite kernel has no Gaussian process, and its problem no certificate.
void require_convex(const Kernel& kernel, const Gram& gram, const Settings& settings) {
  constexpr Index kSample = 500;
  if (kernel.surely_convex()) return;
  const Spectrum spectrum = sampled_spectrum(gram, kSample, static_cast<std::uint64_t>(settings.seed));
  if (spectrum.least >= -1e-7 * std::max(spectrum.largest, 0.0)) return;
  const bool given = kernel.kind == Kernel::Kind::precomputed;
  throw OptionError(fmt::format(
      "kernel = {}{} is indefinite: among {} examples its least eigenvalue is {:.3g} (the largest {:.3g}), so that the "
      "fit would not be convex; {}",
      settings.kernel, given ? "" : fmt::format(" with gamma = {}, coef0 = {}", kernel.gamma, kernel.coef0),
      spectrum.examples, spectrum.least, spectrum.largest,
      given ? "clip its negative eigenvalues to 0" : "use --kernel rbf, or another --gamma and --coef0"));
}

// Rows and columns of examples that count.
Matrix selected_gram(const Matrix& x, std::span<const Index> rows) {
  std::vector<double> values;
  for (const Index t : rows) {
    std::vector<double> row(static_cast<std::size_t>(x.columns()), 0.0);
    for_each(x.row(t), [&](Index u, double value) { row[static_cast<std::size_t>(u)] = value; });
    for (const Index u : rows) values.push_back(row[static_cast<std::size_t>(u)]);
  }
  const auto count = std::ssize(rows);
  return Matrix::dense(count, count, std::move(values));
}

KernelPart part_of(const Matrix& x, const Kernel& kernel, const Gram& gram, std::span<const double> beta, double v) {
  KernelPart part;
  std::vector<Index> support;
  for (std::size_t t = 0; t < beta.size(); ++t) {
    part.mean_diagonal += gram.diagonal(static_cast<Index>(t)) / static_cast<double>(beta.size());
    if (beta[t] == 0) continue;
    support.push_back(static_cast<Index>(t));
    part.weights.push_back(v * beta[t]);
  }
  part.columns = x.columns();
  if (kernel.kind == Kernel::Kind::precomputed) return part;
  const Matrix vectors = select_rows(x, support);
  part.sparse = vectors.is_sparse();
  part.starts.assign(vectors.starts().begin(), vectors.starts().end());
  part.column_of.assign(vectors.column_of().begin(), vectors.column_of().end());
  for (Index a = 0; a < vectors.rows(); ++a) {
    for_each(vectors.row(a), [&](Index, double value) { part.values.push_back(value); });
  }
  return part;
}

}  // namespace

Model fit_kernel(const Dataset& data, const Settings& asked, Observer* observer) {
  Model model;
  Settings& settings = model.settings = asked;
  settings.task = model.task = resolve_task(data, asked);
  resolve_margin(settings);
  refuse_other_tasks(settings);
  require_kernel_settings(settings);
  const bool precomputed = settings.kernel == "precomputed";
  if (precomputed) require_gram(data);

  BinaryLabels binary;
  const bool classify = model.task == "classify";
  if (classify) binary = binary_labels(data, settings);
  const Examples examples = counted_examples(data, resolve_weights(data, settings, classify ? &binary : nullptr));
  Prepared prepared = prepare(data, examples, settings);
  if (precomputed) prepared.x = selected_gram(data.x, examples.rows);
  if (!settings.gamma) settings.gamma = 1 / static_cast<double>(prepared.x.columns());

  Constraints constraints;
  double centre = 0;
  if (classify) {
    if (!settings.c) settings.c = 3;
    if (!settings.prior_variance) settings.prior_variance = 1;
    const std::vector<int> y = at(binary.y, examples.rows);
    require_both_classes(y, settings, binary);
    constraints = classification_constraints(prepared.x, y, examples.weights);
    model.labels = binary.labels;
  } else {
    std::vector<double> y = at(real_targets(data), examples.rows);
    const Moments moments = weighted_moments(y, examples.weights);
    resolve_regression_scale(settings, moments.sd);
    if (settings.bias == "flat") centre = moments.mean;  // a flat bias takes it up
    for (double& value : y) value -= centre;
    constraints = regression_constraints(prepared.x, y, examples.weights);
  }

  const Kernel kernel = kernel_of(settings);
  Gram gram(kernel, prepared.x, settings.threads);
  require_convex(kernel, gram, settings);
  const BiasPrior bias = bias_prior(settings);
  const GaussianPartition prior(prepared.x.columns(), *settings.prior_variance);
  const Limits limits{settings.tolerance, settings.max_passes, settings.max_seconds,
                      static_cast<std::uint64_t>(settings.seed)};
  const KernelSolution solution =
      solve_kernel(margin_prior(settings), prior, constraints, bias, gram, settings, limits, observer);

  model.schema = data.schema;
  model.schema.features = data.features();
  model.transforms = std::move(prepared.transforms);
  model.kernel = part_of(prepared.x, kernel, gram, solution.beta, *settings.prior_variance);
  if (precomputed) model.kernel->columns = data.features();
  model.bias = solution.bias + centre;
  model.bias_sd = bias.kind == BiasPrior::Kind::gaussian ? std::sqrt(bias.variance) : 0;
  model.examples = data.examples();
  for (std::size_t t = 0; t < examples.rows.size(); ++t) {
    if (solution.beta[t] == 0) continue;
    model.support.push_back(examples.rows[t]);
    model.multipliers.push_back(solution.beta[t]);
  }
  model.report = solution.report;
  return model;
}

}  // namespace medlar
