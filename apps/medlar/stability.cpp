// medlar stability DATA: how far the selection of each feature can be trusted. Inclusion in the fit to all examples,
// the fraction of refits that choose the feature again, and with --fdr whether it beats its knockoff.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <numeric>

#include "fitted.hpp"
#include "input.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace medlar::cli {
namespace {

struct StabilityFlags {
  std::string data;
  StabilityOptions how;
  std::optional<double> fdr;
  Index listed = 20;
  ReadOptions reading;
  Settings settings;
};

struct Trust {
  Model model;
  Stability stability;
  std::optional<Discoveries> discoveries;
};

// By stability, then by |coefficient|.
std::vector<std::size_t> most_stable_first(const Trust& trust) {
  std::vector<std::size_t> order(trust.stability.fraction.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t i) { return std::abs(trust.model.features[i].coefficient); };
  const auto& fraction = trust.stability.fraction;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return fraction[i] != fraction[j] ? fraction[i] > fraction[j] : size(i) > size(j);
  });
  return order;
}

Json trust_json(const Trust& trust, const std::vector<std::size_t>& order, double seconds) {
  const Stability& part = trust.stability;
  const auto& found = trust.discoveries;
  Json list = Json::array();
  for (const std::size_t i : order) {
    const Feature& feature = trust.model.features[i];
    list.push_back({{"name", feature.name},
                    {"inclusion", feature.inclusion},
                    {"coefficient", feature.coefficient},
                    {"sd", feature.sd},
                    {"selected", feature.inclusion > 0.5},
                    {"stability", part.fraction[i]},
                    {"stable", part.fraction[i] >= part.threshold}});
    if (!found) continue;
    list.back()["knockoff"] = found->statistic[i];
    list.back()["discovered"] = found->statistic[i] >= found->threshold;
  }
  Json object = {
      {"status", trust.model.report.status == Status::converged ? "ok" : to_string(trust.model.report.status)},
      {"selected", trust.model.selected()},
      {"stable", part.stable()},
      {"total", trust.model.features.size()},
      {"refits", part.refits},
      {"share", part.share},
      {"top", part.top},
      {"threshold", part.threshold},
      {"chosen", part.chosen},
      {"false_bound", part.false_bound ? Json(*part.false_bound) : Json(nullptr)}};
  if (found) {
    object["discovered"] = found->discovered();
    object["knockoffs"] = {{"fdr", found->fdr},
                           {"construction", found->construction},
                           {"threshold", json_number(found->threshold)},
                           {"relative_gap", json_number(found->report.relative_gap)}};
  }
  object["seconds"] = seconds;
  object["features"] = std::move(list);
  return object;
}

std::string trust_text(const Trust& trust, const std::vector<std::size_t>& order, double seconds) {
  const Stability& part = trust.stability;
  const auto& found = trust.discoveries;
  std::vector<std::vector<std::string>> rows{{"name", "inclusion", "coefficient", "stability"}};
  if (found) rows.front().push_back("knockoff");
  const auto marked = [](double value, double least) {  // * from the threshold on
    return fmt::format("{:.4g}{}", value, value >= least ? "*" : " ");
  };
  for (const std::size_t i : order) {
    const Feature& feature = trust.model.features[i];
    rows.push_back({clipped(shown(feature.name)), fmt::format("{:.4f}", feature.inclusion), brief(feature.coefficient),
                    marked(part.fraction[i], part.threshold)});
    if (found) rows.back().push_back(marked(found->statistic[i], found->threshold));
  }
  std::string text = table(rows);
  if (order.size() < part.fraction.size()) {
    text += fmt::format("... and {} more (--list N)\n", part.fraction.size() - order.size());
  }
  text += fmt::format("\n* stable: among the top {} in at least {} of {} refits: {} of {} features", part.top,
                      brief(part.threshold), part.refits, part.stable(), part.fraction.size());
  text += part.false_bound
              ? fmt::format(";\n  at most {} expected to be there by chance\n", brief(*part.false_bound))
              : fmt::format(";\n  no bound on those by chance is known for share = {}\n", brief(part.share));
  if (found) {
    text += fmt::format("* discovered: beats its {} knockoff, false-discovery rate {}: {} features\n",
                        found->construction, brief(found->fdr), found->discovered());
  }
  return text + fmt::format("({:.2f} s)\n", seconds);
}

int stability(const Globals& globals, StabilityFlags& flags) {
  const auto start = std::chrono::steady_clock::now();
  apply_globals(globals, flags.settings);
  const Dataset data = read_to_fit(flags.data, flags.reading, flags.settings);
  Trust trust;
  Progress progress(globals);
  if (flags.fdr) trust.discoveries = discover(data, flags.settings, *flags.fdr, &progress);
  auto measured = measure_stability(data, flags.settings, flags.how, &progress);
  if (measured) trust.model = fit(data, flags.settings, &progress);
  if (!measured || progress.stop_requested()) {
    const std::string message = "interrupted; nothing was measured";
    if (globals.json) print_json({{"status", "interrupted"}, {"message", message}});
    if (!globals.json) talk(globals, message);
    return interrupted;
  }
  trust.stability = std::move(*measured);
  std::vector<std::size_t> order = most_stable_first(trust);
  if (flags.listed < std::ssize(order)) order.resize(static_cast<std::size_t>(flags.listed));
  const double seconds = seconds_since(start);
  if (globals.json) {
    print_json(trust_json(trust, order, seconds));
  } else {
    print(trust_text(trust, order, seconds));
  }
  if (flags.fdr && trust.discoveries->construction == "gaussian" && data.features() > data.examples()) {
    talk(globals,
         "note: with more features than examples the knockoffs rest on shrunken correlations; where features are "
         "strongly correlated, more of the discoveries may be false than was asked for");
  }
  if (trust.model.report.status != Status::converged) {
    talk(globals, fmt::format("the fit to all examples: {}; the limits hold for each fit", trust.model.report.message));
  }
  return exit_code(trust.model);
}

}  // namespace

void add_stability(CLI::App& program, Command& chosen) {
  CLI::App* command =
      program.add_subcommand("stability", "How often each feature is chosen again, and which beat their knockoffs");
  auto flags = std::make_shared<StabilityFlags>();
  command->add_option("DATA", flags->data, "as for train")->required();
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
  command->add_option("--fdr", flags->fdr, "also list features that beat their knockoffs, at this rate of false ones")
      ->type_name("Q");
  command->add_option("--list", flags->listed, "features to list, the most stable first [default: 20]")
      ->type_name("N")
      ->check(CLI::Range(Index{1}, std::numeric_limits<Index>::max()));
  add_reading_flags(*command, flags->reading);
  add_setting_flags(*command, flags->settings);
  command->callback([flags, command, &chosen] {
    refuse_idle_flags(*command, flags->settings);
    chosen = [flags](const Globals& globals) { return stability(globals, *flags); };
  });
}

}  // namespace medlar::cli
