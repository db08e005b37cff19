// See the header.
#include "tune_grid.hpp"

#include <fmt/format.h>

#include "input.hpp"

namespace medlar::cli {
namespace {

// Each entry is checked as the option of that name is.
std::vector<std::optional<double>> numbers_of(const std::string& option, const std::vector<std::string>& texts,
                                              std::optional<double> Settings::*field, const Settings& settings) {
  if (texts.empty()) return {settings.*field};
  std::vector<std::optional<double>> values;
  Settings tried = settings;
  for (const std::string& text : texts) {
    set_option(tried, option, text);
    values.push_back(tried.*field);
  }
  return values;
}

std::vector<double> p0_of(const TuneGrid& grid, const Settings& settings) {
  if (grid.p0.empty()) {
    if (settings.model == "kernel" || (settings.model == "generative" && settings.switches == "none")) return {1};
    return {1, 0.1, 1e-2, 1e-3, 1e-5};
  }
  std::vector<double> values;
  Settings tried = settings;
  for (const std::string& text : grid.p0) {
    set_option(tried, "p0", text);
    values.push_back(tried.p0);
  }
  return values;
}

std::vector<Index> kept_of(const TuneGrid& grid) {
  std::vector<Index> values;
  for (const std::string& text : grid.kept) {
    Index kept = 0;
    if (!CLI::detail::lexical_cast(text, kept) || kept < 1) {
      throw OptionError(fmt::format("keep-grid has '{}', but must hold whole numbers >= 1", text));
    }
    values.push_back(kept);
  }
  return values;
}

std::vector<std::optional<double>> c_of(const TuneGrid& grid, const Settings& settings) {
  const bool plain_generative = settings.model == "generative" && settings.switches == "none";
  if (plain_generative && grid.c.empty()) return {1.0, 3.0};
  return numbers_of("c", grid.c, &Settings::c, settings);
}

bool usual(const TuneGrid& grid, const Settings& settings) {
  return grid.p0.empty() && grid.c.empty() && grid.prior_variance.empty() && settings.model == "linear" &&
         !settings.prior_variance && settings.feature_p0.empty() && settings.prior_mean.empty();
}

}  // namespace

void add_grid_flags(CLI::App& command, TuneGrid& grid) {
  const auto listed = [&](const std::string& option, std::vector<std::string>& into, const std::string& meaning,
                          const std::string& type) {
    command
        .add_option_function<std::string>(
            "--" + option, [option, &into](const std::string& list) { into = entries_of(option, list); }, meaning)
        ->type_name(type);
  };
  listed("p0-grid", grid.p0, "values of p0 to try [default: 1,0.1,1e-2,1e-3,1e-5 and several strengths of selection]",
         "P,...");
  listed("c-grid", grid.c, "values of c to try [default: that of --c]", "C,...");
  listed("prior-variance-grid", grid.prior_variance,
         "prior variances to try [default: several, or that of --prior-variance]", "V,...");
  command.add_flag_function(
      "--relax,!--no-relax", [&grid](std::int64_t times) { grid.relax = times > 0; },
      "also try to rank features by a fit with small p0, and to fit the best of them anew with p0 = 1, dropping "
      "the weakest step by step [default: of more features than examples, and of two labels at least 200, unless a "
      "grid is given]");
  listed("keep-grid", grid.kept, "with --relax: numbers of features to keep [default: 1 to 12,14,16,20,24,32,64]",
         "K,...");
}

void check_grid(const TuneGrid& grid, const Settings& settings) {
  if (!grid.kept.empty() && !grid.relax.value_or(false))
    throw OptionError("keep-grid is for relaxed refits; add --relax");
  if (grid.relax.value_or(false) && settings.model != "linear") {
    throw OptionError(fmt::format("relax refits linear models, but model = {}; leave out --relax", settings.model));
  }
  if (!grid.p0.empty() && settings.model == "generative" && settings.switches == "none") {
    throw OptionError("p0-grid tunes switches, but switches = none; add --switches tied");
  }
  p0_of(grid, settings);
  kept_of(grid);
  c_of(grid, settings);
  numbers_of("prior-variance", grid.prior_variance, &Settings::prior_variance, settings);
}

std::vector<TuneCandidate> candidates_of(const TuneGrid& grid, const Dataset& data, const Settings& settings) {
  std::vector<TuneCandidate> list;
  if (usual(grid, settings)) {
    if (!grid.relax) return usual_candidates(data, settings);
    list = usual_candidates(data, settings, false);
  } else {
    const auto variances = numbers_of("prior-variance", grid.prior_variance, &Settings::prior_variance, settings);
    for (const double p0 : p0_of(grid, settings)) {
      for (const auto& c : c_of(grid, settings)) {
        for (const auto& variance : variances) list.push_back({p0, c, variance, {}});
      }
    }
  }
  if (!grid.relax.value_or(false)) return list;
  std::vector<double> variances;
  for (const auto& each : numbers_of("prior-variance", grid.prior_variance, &Settings::prior_variance, settings)) {
    if (each) variances.push_back(*each);
  }
  Settings tried = settings;
  for (const auto& c : c_of(grid, settings)) {
    tried.c = c;
    for (TuneCandidate& each : relaxed_candidates(data, tried, kept_of(grid), variances)) {
      each.c = c;
      list.push_back(std::move(each));
    }
  }
  return list;
}

}  // namespace medlar::cli
