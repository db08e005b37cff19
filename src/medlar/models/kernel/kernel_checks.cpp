// Whether an unknown kernel is convex is judged from the spectrum of a sample: that of all examples would cost more
// than the fit.
#include "medlar/models/kernel/kernel_checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "medlar/error.hpp"
#include "medlar/models/linear/solver_fits.hpp"
#include "medlar/options/unused_options.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/kernel_map.hpp"
#include "medlar/thresholds/digits.hpp"

namespace medlar {

void require_kernel_settings(Settings& settings) {
  if (settings.p0 != 1 && settings.p0 != Settings{}.p0) {
    throw OptionError(
        fmt::format("p0 = {}, but a kernel model selects no features; use --p0 1, or --model linear with --expand "
                    "fourier:D or nystrom:D to select among basis functions",
                    settings.p0));
  }
  settings.p0 = 1;
  if (is_kernel_map(settings.expand.kind)) {
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
  if (settings.groups == GroupsKind::file) refuse("groups");
  if (settings.solver != SolverKind::automatic && settings.solver != SolverKind::smo &&
      settings.solver != SolverKind::newton) {
    throw OptionError(fmt::format("solver '{}' needs features; model 'kernel' has none. Use 'auto', 'smo' or 'newton'.",
                                  settings.solver));
  }
  require_line_search(settings);
  const std::string who = "kernel " + text_of(settings.kernel);
  if (settings.kernel == KernelKind::linear || settings.kernel == KernelKind::precomputed)
    refuse_unused(settings, {"gamma"}, who);
  if (settings.kernel != KernelKind::poly && settings.kernel != KernelKind::sigmoid)
    refuse_unused(settings, {"coef0"}, who);
  if (settings.kernel != KernelKind::poly) refuse_unused(settings, {"degree"}, who);
  if (settings.kernel != KernelKind::precomputed) return;
  if (settings.scale == ScaleKind::automatic) settings.scale = ScaleKind::none;
  if (settings.scale != ScaleKind::none || settings.expand != ExpansionKind::none) {
    throw OptionError(fmt::format(
        "{} = {} would change the numbers of a precomputed kernel; leave it out, or choose another --kernel",
        settings.scale != ScaleKind::none ? "scale" : "expand",
        settings.scale != ScaleKind::none ? text_of(settings.scale) : text_of(settings.expand)));
  }
}

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

void require_convex(const Kernel& kernel, const Gram& gram, const Settings& settings) {
  constexpr Index kSample = 500;
  if (is_kernel_lost(gram.rounding())) {
    throw OptionError(
        fmt::format("gamma = {:g} leaves no digits of exp(-gamma |x - x'|^2) in double precision, for the features are "
                    "too large beside it; use a --gamma below {:.1g}, or --scale standard",
                    kernel.gamma, kernel.gamma * kMostRoundingOfKernel / gram.rounding()));
  }
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

}  // namespace medlar
