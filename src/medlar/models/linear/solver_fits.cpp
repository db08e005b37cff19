#include "medlar/models/linear/solver_fits.hpp"

#include <fmt/format.h>

#include "medlar/error.hpp"
#include "medlar/options/unused_options.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/kernel_map.hpp"

namespace medlar {

namespace {

[[noreturn]] void refuse(const Settings& settings, std::string_view needs, std::string_view what,
                         std::string_view remedy) {
  throw OptionError(fmt::format("solver '{}' needs {}; {}. Use {}.", settings.solver, needs, what, remedy));
}

}  // namespace

void require_solver(const Settings& settings, const ParameterPrior& prior) {
  const SolverKind solver = settings.solver;
  const bool groups = std::holds_alternative<GroupPartition>(prior);
  if (solver == SolverKind::smo) {
    constexpr std::string_view needs = "a quadratic log-partition";
    if (groups) refuse(settings, needs, "prior 'groups' is not", "'auto' or 'newton'");
    if (std::holds_alternative<SwitchPartition>(prior)) {
      refuse(settings, needs, "prior 'switches' is not", "'auto' or 'coordinate'");
    }
    if (!settings.prior_mean.empty()) {
      refuse(settings, "a prior mean of 0", "prior-mean gives others", "'auto' or 'coordinate'");
    }
  }
  const bool by_coordinates =
      solver == SolverKind::ascent || solver == SolverKind::coordinate || solver == SolverKind::bounded_qp;
  if (groups && (by_coordinates || solver == SolverKind::primal_newton)) {
    refuse(settings, "a separable log-partition", "prior 'groups' is not", "'auto' or 'newton', or --groups none");
  }
  require_line_search(settings);
  const bool kinked = !(margin_at(settings, location_of(settings)).curvature(0) < 0);
  if (solver == SolverKind::primal_newton && kinked) {
    refuse(settings, "a margin with curvature", fmt::format("margin '{}' has none", settings.margin),
           "'auto' or 'ascent'");
  }
}

void require_line_search(const Settings& settings) {
  if (settings.line_search != Settings{}.line_search && settings.solver != SolverKind::coordinate &&
      settings.solver != SolverKind::bounded_qp) {
    throw OptionError(
        fmt::format("line-search = {} serves solver coordinate or bounded-qp, but solver = {}; name one of them, or "
                    "leave it out",
                    settings.line_search, settings.solver));
  }
}

void require_no_kernel(const Settings& settings) {
  if (settings.solver != SolverKind::smo)
    refuse_unused(settings, {"cache-mb", "gram-precision"}, "a linear model without --solver smo");
  if (is_kernel_map(settings.expand.kind)) {
    if (settings.kernel != KernelKind::precomputed) return;
    throw OptionError(
        fmt::format("expand = {} computes its kernel, but kernel = precomputed; use another --kernel, or "
                    "--model kernel without --expand",
                    settings.expand));
  }
  const Settings defaults;
  const auto refuse = [](std::string_view option, const auto& value) {
    throw OptionError(
        fmt::format("{} = {} belongs to a kernel, but model = linear has none; add --model kernel, or --expand "
                    "nystrom:D, or leave it out",
                    option, value));
  };
  if (settings.kernel != defaults.kernel) refuse("kernel", settings.kernel);
  if (settings.gamma) refuse("gamma", *settings.gamma);
  if (settings.coef0 != defaults.coef0) refuse("coef0", settings.coef0);
  if (settings.degree != defaults.degree) refuse("degree", settings.degree);
}

}  // namespace medlar
