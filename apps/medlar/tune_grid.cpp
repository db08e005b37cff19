// The grids are checked twice: once before the data are read, so that a typing error costs no time, and once after,
// when the standard deviation of the target is known and units can be resolved.
#include "tune_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "input.hpp"

namespace medlar::cli {
namespace {

// A number in units of the target: C/sd for c, Esd for epsilon. Until sd is known, it is taken as 1.
std::string in_units(const std::string& option, std::string text, double sd) {
  const std::string unit = option == "c" ? "/sd" : option == "epsilon" ? "sd" : "";
  if (unit.empty() || !text.ends_with(unit)) return text;
  text.resize(text.size() - unit.size());
  double number = 0;
  if (!CLI::detail::lexical_cast(text, number)) return text + unit;  // the option refuses it
  return fmt::format("{}", option == "c" ? number / sd : number * sd);
}

bool has_units(const TuneGrid& grid) {
  const auto of_sd = [](const std::string& text) { return text.ends_with("sd"); };
  return std::any_of(grid.c.begin(), grid.c.end(), of_sd) ||
         std::any_of(grid.epsilon.begin(), grid.epsilon.end(), of_sd);
}

// sd(y) if an entry needs it, else 1.
double unit_of(const TuneGrid& grid, const Dataset& data, const Settings& settings) {
  if (!has_units(grid)) return 1;
  if (settings.model != ModelKind::linear || !data.target.numeric || settings.task == Task::classify) {
    throw OptionError("c-grid and epsilon-grid in units of sd are for linear models of numbers; give plain values");
  }
  Settings numbers = settings;
  numbers.task = Task::regress;
  return 100 / usual_range(data, numbers, Swept::c).from;
}

// Each entry is checked like the option of that name.
std::vector<std::optional<double>> numbers_of(const std::string& option, const std::vector<std::string>& texts,
                                              std::optional<double> Settings::*field, const Settings& settings,
                                              double sd = 1) {
  if (texts.empty()) return {settings.*field};
  std::vector<std::optional<double>> values;
  Settings tried = settings;
  for (const std::string& text : texts) {
    set_option(tried, option, in_units(option, text, sd));
    values.push_back(tried.*field);
  }
  return values;
}

std::vector<double> p0_of(const TuneGrid& grid, const Settings& settings) {
  if (grid.p0.empty()) {
    if (settings.model == ModelKind::kernel ||
        (settings.model == ModelKind::generative && settings.switches == SwitchKind::none))
      return {1};
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

std::vector<std::optional<double>> c_of(const TuneGrid& grid, const Settings& settings, double sd = 1) {
  const bool plain_generative = settings.model == ModelKind::generative && settings.switches == SwitchKind::none;
  if (plain_generative && grid.c.empty()) return {1.0, 3.0};
  return numbers_of("c", grid.c, &Settings::c, settings, sd);
}

bool usual(const TuneGrid& grid, const Settings& settings) {
  return grid.p0.empty() && grid.prior_variance.empty() && settings.model == ModelKind::linear &&
         !settings.prior_variance && settings.feature_p0.empty() && settings.feature_prior_variance.empty() &&
         settings.prior_mean.empty();
}

// The usual candidates for each c and epsilon of the grids.
std::vector<TuneCandidate> usual_with(const TuneGrid& grid, const Dataset& data, const Settings& settings,
                                      const std::vector<std::optional<double>>& cs,
                                      const std::vector<std::optional<double>>& epsilons) {
  const std::optional<bool> relaxed = grid.relax ? std::optional(false) : std::nullopt;  // the ones asked for come
                                                                                         // later
  std::vector<TuneCandidate> list;
  Settings tried = settings;
  for (const auto& c : cs) {
    for (const auto& epsilon : epsilons) {
      tried.c = c;
      tried.epsilon = epsilon;
      for (TuneCandidate& each : usual_candidates(data, tried, relaxed)) {
        if (!grid.c.empty()) each.c = c;
        if (!grid.epsilon.empty()) each.epsilon = epsilon;
        list.push_back(std::move(each));
      }
    }
  }
  return list;
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
  listed("c-grid", grid.c, "values of c to try; of numbers also in units, as 10/sd [default: that of --c]", "C,...");
  listed("prior-variance-grid", grid.prior_variance,
         "prior variances to try [default: several, or that of --prior-variance]", "V,...");
  listed("epsilon-grid", grid.epsilon,
         "regress: values of epsilon to try, also in units, as 0.1sd [default: that of --epsilon]", "E,...");
  CLI::Option* relax = command.add_flag_function(
      "--relax", [&grid](std::int64_t times) { grid.relax = times > 0; },
      "also try to rank features by a fit with small p0, and to fit the best of them anew with p0 = 1, dropping "
      "the weakest step by step [default: of more features than examples, and of two labels at least 200, unless p0 or "
      "the variance have a grid]");
  command
      .add_flag_callback(
          "--no-relax", [&grid] { grid.relax = false; }, "try no such refits")
      ->excludes(relax);
  listed("keep-grid", grid.kept, "with --relax: numbers of features to keep [default: 1 to 12,14,16,20,24,32,64]",
         "K,...");
}

void check_grid(const TuneGrid& grid, const Settings& settings) {
  if (!grid.kept.empty() && !grid.relax.value_or(false))
    throw OptionError("keep-grid is for relaxed refits; add --relax");
  if (grid.relax.value_or(false) && settings.model != ModelKind::linear) {
    throw OptionError(
        fmt::format("relax refits linear models, but model = {}; leave out --relax", word_of(settings.model)));
  }
  if (!grid.p0.empty() && settings.model == ModelKind::generative && settings.switches == SwitchKind::none) {
    throw OptionError("p0-grid tunes switches, but switches = none; add --switches tied");
  }
  p0_of(grid, settings);
  kept_of(grid);
  c_of(grid, settings);
  numbers_of("prior-variance", grid.prior_variance, &Settings::prior_variance, settings);
  numbers_of("epsilon", grid.epsilon, &Settings::epsilon, settings);
}

std::vector<TuneCandidate> candidates_of(const TuneGrid& grid, const Dataset& data, const Settings& settings) {
  std::vector<TuneCandidate> list;
  const double sd = unit_of(grid, data, settings);
  const auto epsilons = numbers_of("epsilon", grid.epsilon, &Settings::epsilon, settings, sd);
  if (usual(grid, settings)) {
    list = usual_with(grid, data, settings, c_of(grid, settings, sd), epsilons);
  } else {
    const auto variances = numbers_of("prior-variance", grid.prior_variance, &Settings::prior_variance, settings);
    const auto widths = grid.epsilon.empty() ? std::vector<std::optional<double>>{{}} : epsilons;
    for (const double p0 : p0_of(grid, settings)) {
      for (const auto& c : c_of(grid, settings, sd)) {
        for (const auto& variance : variances) {
          for (const auto& epsilon : widths) list.push_back({p0, c, variance, {}, epsilon});
        }
      }
    }
  }
  if (!grid.relax.value_or(false)) return list;
  std::vector<double> variances;
  for (const auto& each : numbers_of("prior-variance", grid.prior_variance, &Settings::prior_variance, settings)) {
    if (each) variances.push_back(*each);
  }
  Settings tried = settings;
  for (const auto& c : c_of(grid, settings, sd)) {
    for (const auto& epsilon : epsilons) {
      tried.c = c;
      tried.epsilon = epsilon;
      for (TuneCandidate& each : relaxed_candidates(data, tried, kept_of(grid), variances)) {
        each.c = c;
        if (!grid.epsilon.empty()) each.epsilon = epsilon;
        list.push_back(std::move(each));
      }
    }
  }
  return list;
}

}  // namespace medlar::cli
