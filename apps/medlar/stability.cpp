// medlar stability DATA: how far the selection of each feature can be trusted. Inclusion in the fit to all examples,
// the fraction of refits that choose the feature again, and with --fdr whether it beats its knockoff.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <numeric>

#include "checks.hpp"
#include "feature_list.hpp"
#include "fitted.hpp"
#include "input.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace medlar::cli {
namespace {

struct StabilityFlags {
  std::string data, output, cluster = "0.95";
  StabilityOptions how;
  std::optional<double> fdr;
  bool own_strength = false;    // p0 or the prior variance was given
  std::optional<Index> listed;  // JSON has all unless told otherwise
  ReadOptions reading;
  Settings settings;
};

// By stability, then by |coefficient|.
std::vector<std::size_t> most_stable_first(const Model& model) {
  std::vector<std::size_t> order(model.features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t i) { return std::abs(model.features[i].coefficient); };
  const auto& fraction = model.stability->fraction;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return fraction[i] != fraction[j] ? fraction[i] > fraction[j] : size(i) > size(j);
  });
  return order;
}

Json trust_json(const Model& model, const std::vector<std::size_t>& order, double seconds) {
  const Stability& part = *model.stability;
  Json list = Json::array();
  for (const std::size_t i : order) list.push_back(feature_json(model, i));
  Json object = {{"status", model.report.status == Status::converged ? "ok" : to_string(model.report.status)},
                 {"selected", model.selected()},
                 {"selected_by", word_of(model.selected_by())},
                 {"stable", part.stable()},
                 {"total", model.features.size()},
                 {"refits", part.refits},
                 {"share", part.share},
                 {"top", part.top},
                 {"different", part.different},
                 {"threshold", part.threshold},
                 {"chosen", part.chosen},
                 {"false_bound", part.false_bound ? Json(*part.false_bound) : Json(nullptr)}};
  if (model.discoveries) {
    const Discoveries& found = *model.discoveries;
    object["discovered"] = found.discovered();
    object["knockoffs"] = {{"fdr", found.fdr},
                           {"construction", word_of(found.construction)},
                           {"threshold", json_number(found.threshold)},
                           {"draws", found.draws},
                           {"units", found.units},
                           {"expected", found.expected},
                           {"relative_gap", json_number(found.report.relative_gap)}};
  }
  if (model.clusters) object["clusters"] = clusters_json(model);
  object["seconds"] = seconds;
  object["features"] = std::move(list);
  return object;
}

std::string trust_text(const Globals& globals, const Model& model, const std::vector<std::size_t>& order,
                       double seconds) {
  const Stability& part = *model.stability;
  std::string text = feature_table(model, order, globals.verbose);
  if (order.size() < part.fraction.size()) {
    text += fmt::format("... and {} more (--list N)\n", part.fraction.size() - order.size());
  }
  text += "\n" + trust_remarks(model);
  return text + fmt::format("({:.2f} s)\n", seconds);
}

std::optional<double> cluster_correlation(const std::string& text) {
  if (text == "off") return {};
  double value = 0;
  if (!CLI::detail::lexical_cast(text, value) || !(value > 0 && value <= 1)) {
    throw OptionError(fmt::format("cluster = '{}', but must be a number in (0, 1] or off", text));
  }
  return value;
}

int nothing_measured(const Globals& globals, bool stopped) {
  const std::string message =
      stopped ? "interrupted; nothing was measured"
              : "nothing was measured: --max-seconds were over before two refits were done; allow more";
  if (globals.json)
    print_json({{"status", to_string(stopped ? Status::interrupted : Status::limit)}, {"message", message}});
  if (!globals.json) talk(globals, message);
  return stopped ? interrupted : not_converged;
}

// What is missing, and why.
std::string cut_short_text(const TrustedFit& measured, const StabilityFlags& flags) {
  const Index refits = measured.model.stability->refits;
  std::string text = measured.out_of_time ? "--max-seconds were over: " : "interrupted: ";
  text += fmt::format("the fractions are those of {} of {} refits", refits, flags.how.refits);
  if (flags.fdr && !measured.model.discoveries) text += ", and knockoffs were not fitted";
  return text;
}

int stability(const Globals& globals, StabilityFlags& flags) {
  const auto start = std::chrono::steady_clock::now();
  apply_globals(globals, flags.settings);
  const auto correlation = cluster_correlation(flags.cluster);
  if (!flags.output.empty()) check_model_writable(flags.output, files_read(flags.data, flags.reading, flags.settings));
  const Dataset data = read_to_fit(flags.data, flags.reading, flags.settings);
  TrustOptions how{flags.how, {}, correlation};
  if (flags.fdr) {
    how.knockoffs.emplace().fdr = *flags.fdr;
    if (flags.own_strength) how.knockoffs->strength.reset();
  }
  auto [measured, stopped] = [&] {
    Progress progress(globals);
    auto made = fit_with_trust(data, flags.settings, how, &progress);
    return std::make_pair(std::move(made), progress.stop_requested());
  }();
  if (!measured) return nothing_measured(globals, stopped);
  Model& model = measured->model;
  if (!flags.output.empty()) {
    save_model(model, flags.output);
    talk(globals, fmt::format("model written to {}", shown(flags.output)));
  }
  std::vector<std::size_t> order = most_stable_first(model);
  constexpr Index usually_listed = 20;
  const Index listed = flags.listed.value_or(globals.json ? std::ssize(order) : usually_listed);
  if (listed < std::ssize(order)) order.resize(static_cast<std::size_t>(listed));
  const double seconds = seconds_since(start);
  if (globals.json) {
    Json object = trust_json(model, order, seconds);
    if (!measured->complete) {
      object["status"] = to_string(measured->out_of_time ? Status::limit : Status::interrupted);
      object["message"] = cut_short_text(*measured, flags);
    }
    print_json(object);
  } else {
    print(trust_text(globals, model, order, seconds));
  }
  for (const std::string& note : data.notes) talk(globals, "note: " + note);
  if (same_target(data)) talk(globals, "note: every example has the same target, so every model is constant");
  if (model.discoveries && model.discoveries->construction == KnockoffKind::gaussian &&
      data.features() > data.examples()) {
    talk(globals,
         "note: with more features than examples the knockoffs rest on rough correlations; where features are "
         "strongly correlated, more of the discoveries may be false than was asked for");
  }
  if (!measured->complete) talk(globals, cut_short_text(*measured, flags));
  if (model.report.status != Status::converged) {
    talk(globals, fmt::format("the fit to all examples: {}", model.report.message));
  }
  if (!measured->complete) return measured->out_of_time ? not_converged : interrupted;
  return exit_code(model);
}

}  // namespace

void add_stability(CLI::App& program, Command& chosen) {
  CLI::App* command =
      program.add_subcommand("stability", "How often each feature is chosen again, and which beat their knockoffs");
  auto flags = std::make_shared<StabilityFlags>();
  command->add_option("DATA", flags->data, "as for train")->required();
  command
      ->add_option("-o,--output", flags->output,
                   "file for the model fitted to all examples, with what was measured; features and report show it")
      ->type_name("MODEL");
  command->add_option("--refits", flags->how.refits, "fits to parts of the examples [default: 100]")->type_name("B");
  command
      ->add_option("--top", flags->how.top,
                   "features that a refit chooses, by |coefficient| [default: 15, less where features are few]")
      ->type_name("K");
  command
      ->add_option("--share", flags->how.share,
                   "share of the examples in each refit; the bound on false selections is for 0.5 [default: 0.5]")
      ->type_name("S");
  command
      ->add_option("--threshold", flags->how.threshold,
                   "fraction of refits from which a feature is stable [default: where the bound is 1]")
      ->type_name("F");
  command
      ->add_option("--fold-group", flags->reading.fold_group,
                   "column of groups of examples, such as patients, that halves do not part")
      ->type_name("NAME");
  command
      ->add_option(
          "--fdr", flags->fdr,
          "also list features that beat their knockoffs, at this rate of false ones, and how probably each matters")
      ->type_name("Q");
  command
      ->add_option("--cluster", flags->cluster,
                   "features that correlate by this much or more are told as one cluster, or off [default: 0.95]")
      ->type_name("R");
  command->add_option("--list", flags->listed, "features to list, the most stable first [default: 20, with --json all]")
      ->type_name("N")
      ->check(number_from(Index{1}));
  add_reading_flags(*command, flags->reading);
  add_setting_flags(*command, flags->settings);
  command->callback([flags, command, &chosen] {
    refuse_idle_flags(*command, flags->settings);
    flags->own_strength = command->count("--p0") + command->count("--prior-variance") > 0;
    chosen = [flags](const Globals& globals) { return stability(globals, *flags); };
  });
}

}  // namespace medlar::cli
