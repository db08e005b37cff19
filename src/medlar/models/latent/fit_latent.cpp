// The latent model: a linear discriminant of examples about which something is unknown.
//
// docs/theory.md#latent; [MED 7]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "medlar/core/margin.hpp"
#include "medlar/error.hpp"
#include "medlar/models/latent/latent_labels.hpp"
#include "medlar/models/latent/latent_maps.hpp"
#include "medlar/models/linear/solver_fits.hpp"
#include "medlar/options/unused_options.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/prepare.hpp"

namespace medlar {

std::vector<Index> labelled_rows(const Dataset& data) {
  std::vector<Index> rows;
  for (Index t = 0; t < data.examples() && data.target.present; ++t) {
    const auto k = static_cast<std::size_t>(t);
    if (data.target.numeric ? !std::isnan(data.target.values[k]) : data.target.codes[k] >= 0) rows.push_back(t);
  }
  if (rows.empty()) {
    throw DataError(fmt::format("{}: no example has a label; latent labels need some of each class", data.source));
  }
  return rows;
}

void check_latent_settings(const Settings& settings) {
  if (settings.margin == MarginKind::hinge || (settings.own_margin && !(settings.own_margin->curvature(0) < 0))) {
    throw OptionError(fmt::format(
        "margin = {} has no margin prior, which latent labels need; use exponential, laplace, gaussian or logistic",
        settings.margin));
  }
  if (settings.solver != SolverKind::automatic) {
    throw OptionError(
        fmt::format("solver = {}, but latent labels have a solver of their own; leave it at auto", settings.solver));
  }
  refuse_unused(settings, {"epsilon", "cache-mb", "gram-precision", "line-search"}, "a fit by descent on the total KL");
}

void resolve_latent_scale(Settings& settings, const Matrix& x) {
  if (!settings.prior_variance && settings.p0 == 1 && settings.feature_p0.empty()) {
    double squares = 0;
    for (Index t = 0; t < x.rows(); ++t) for_each(x.row(t), [&](Index, double value) { squares += value * value; });
    if (squares > 0) settings.prior_variance = 3 * static_cast<double>(x.rows()) / squares;
  }
  resolve_classification_scale(settings, x);
}

void resolve_latent_scale_of(const Dataset& data, Settings& settings) {
  Settings copy = settings;
  Examples all{std::vector<Index>(static_cast<std::size_t>(data.examples())), {}};
  std::iota(all.rows.begin(), all.rows.end(), Index{0});
  resolve_latent_scale(settings, prepare(data, all, copy).x);
}

Model fit_expected(const Dataset& data, const Settings& asked, Observer* observer) {
  const bool certain = data.beliefs.empty() && std::ssize(labelled_rows(data)) == data.examples();
  if (!certain) return fit_latent_labels(data, asked, observer);
  refuse_unused(asked, {"balance", "unlabelled-weight"}, "a fit in which every example has a label");
  Settings settings = asked;
  settings.task = resolve_task(data, asked);
  resolve_margin_and_bias(settings);
  if (settings.task == Task::classify) resolve_latent_scale_of(data, settings);
  Model model = fit_linear(data, settings, observer);
  model.latent.emplace();
  model.latent->kl = {model.report.primal};
  return model;
}

Model fit_latent(const Dataset& data, const Settings& asked, Observer* observer) {
  require_no_kernel(asked);
  const LatentKind kind = asked.latent.kind;
  if (kind == LatentKind::none) {
    throw OptionError(
        "model = latent needs to know what is latent; use --latent labels, shifts:R, matrices:FILE, translation:FILE "
        "or "
        "alignment:S");
  }
  const auto only_for = [&](std::initializer_list<std::string_view> names, LatentKind wanted) {
    for (const std::string_view name : names) {
      const Option& option = find_option(name);
      if (kind == wanted || option.get(asked) == option.get(Settings{})) continue;
      throw OptionError(fmt::format("{} = {}, but latent = {}; it goes with --latent {} only", name, option.get(asked),
                                    asked.latent, wanted));
    }
  };
  only_for({"image", "rotation"}, LatentKind::shifts);
  only_for({"state-path", "state-statistics"}, LatentKind::alignment);
  if (kind == LatentKind::labels) return fit_latent_labels(data, asked, observer);
  if (kind == LatentKind::alignment) return fit_latent_alignment(data, asked, observer);
  return fit_latent_transformation(data, asked, observer);
}

}  // namespace medlar
