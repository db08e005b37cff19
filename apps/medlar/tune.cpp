// medlar tune DATA -o MODEL: cross-validates p0, c and the prior variance on a grid, or how many features to keep, then
// fits the chosen one on all data.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>

#include "fitted.hpp"
#include "input.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "tune_metric.hpp"

namespace medlar::cli {
namespace {

struct TuneFlags {
  std::string data, output;
  std::vector<std::string> p0_grid{"1", "0.1", "1e-2", "1e-3", "1e-5"};
  std::vector<std::string> c_grid, variance_grid, keep_grid{"1", "2", "4", "8", "16", "32", "64"};
  std::string rule = "best", metric;
  bool relax = false;
  Index folds = 5, repeats = 1;
  bool p0_given = false;   // --p0-grid
  std::string overridden;  // an option whose values come from its grid
  ReadOptions reading;
  Settings settings;
};

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

// Every p0 with every c and prior variance, each checked as the option of that name is; with --relax also every number
// of features to keep with every c and prior variance.
std::vector<TuneCandidate> candidates(const TuneFlags& flags) {
  const auto c_values = numbers_of("c", flags.c_grid, &Settings::c, flags.settings);
  const auto variances = numbers_of("prior-variance", flags.variance_grid, &Settings::prior_variance, flags.settings);
  std::vector<TuneCandidate> grid;
  Settings tried = flags.settings;
  for (const std::string& p0 : flags.p0_grid) {
    set_option(tried, "p0", p0);
    for (const auto& c : c_values) {
      for (const auto& variance : variances) grid.push_back({tried.p0, c, variance, {}});
    }
  }
  if (!flags.relax) return grid;
  for (const std::string& text : flags.keep_grid) {
    Index kept = 0;
    if (!CLI::detail::lexical_cast(text, kept) || kept < 1) {
      throw OptionError(fmt::format("keep-grid has '{}', but must hold whole numbers >= 1", text));
    }
    for (const auto& c : c_values) {
      for (const auto& variance : variances) grid.push_back({1, c, variance, kept});
    }
  }
  return grid;
}

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json tuning_json(const Tuning& tuned, const TuneFlags& flags, std::size_t chosen) {
  Json scores = Json::array();
  for (const TuneScore& score : tuned.scores) {
    const TuneCandidate& candidate = score.candidate;
    scores.push_back({{"p0", candidate.p0},
                      {"c", optional_json(candidate.c)},
                      {"prior_variance", optional_json(candidate.prior_variance)},
                      {"kept", candidate.kept ? Json(*candidate.kept) : Json(nullptr)},
                      {"mean", score.mean},
                      {"standard_error", score.standard_error},
                      {"folds", score.folds},
                      {"selected", score.selected},
                      {"converged", score.converged}});
  }
  return {{"metric", tuned.metric}, {"folds", flags.folds},   {"repeats", flags.repeats}, {"rule", flags.rule},
          {"best", tuned.best},     {"one_se", tuned.one_se}, {"chosen", chosen},         {"candidates", scores}};
}

std::string tuning_table(const Tuning& tuned, std::size_t chosen) {
  const auto shown_value = [](const std::optional<double>& value) { return value ? brief(*value) : "default"; };
  std::vector<std::vector<std::string>> rows{{"p0", "c", "variance", "kept", tuned.metric, "s.e.", "selected", ""}};
  for (std::size_t k = 0; k < tuned.scores.size(); ++k) {
    const TuneScore& score = tuned.scores[k];
    const TuneCandidate& candidate = score.candidate;
    std::string remark = k == tuned.best ? "best" : "";
    if (k == chosen && k != tuned.best) remark = "chosen";
    if (!score.converged) remark += remark.empty() ? "not converged" : ", not converged";
    rows.push_back({brief(candidate.p0), shown_value(candidate.c), shown_value(candidate.prior_variance),
                    candidate.kept ? fmt::format("{}", *candidate.kept) : "", fmt::format("{:.5g}", score.mean),
                    fmt::format("{:.2g}", score.standard_error), fmt::format("{:.1f}", score.selected), remark});
  }
  return table(rows);
}

int run_tune(const Globals& globals, TuneFlags& flags) {
  const auto start = std::chrono::steady_clock::now();
  if (!flags.overridden.empty()) {
    throw OptionError(fmt::format("tune chooses {0} from --{0}-grid; leave --{0} out", flags.overridden));
  }
  apply_globals(globals, flags.settings);
  if (flags.settings.task == "anomaly") {
    throw OptionError("task = anomaly has no target to tune by; use train");
  }
  if (flags.settings.model == "generative" && flags.settings.switches == "none") {
    if (flags.p0_given) throw OptionError("p0-grid tunes switches, but switches = none; add --switches tied");
    flags.p0_grid = {"1"};
    if (flags.c_grid.empty()) flags.c_grid = {"1", "3"};
  }
  if (flags.settings.model == "kernel" && !flags.p0_given) flags.p0_grid = {"1"};
  if (flags.rule != "best" && flags.rule != "one-se") {
    throw OptionError(fmt::format("rule = '{}' is unknown; known are best, one-se", flags.rule));
  }
  const std::vector<TuneCandidate> grid = candidates(flags);
  const Measure measure = held_out_by(flags.metric);
  if (!flags.output.empty()) check_writable(flags.output, {flags.data});
  Dataset data = read_to_fit(flags.data, flags.reading, flags.settings);
  Seconds seconds;
  seconds.read = seconds_since(start);
  Tuning tuned = [&] {
    Progress progress(globals);
    return tune(data, flags.settings, grid, flags.folds, flags.repeats, measure, &progress);
  }();
  if (tuned.interrupted) {
    const std::string so_far = fmt::format("interrupted after {} of {} candidates; ", tuned.scores.size(), grid.size());
    if (tuned.scores.empty()) {
      const std::string message = so_far + "no model was written";
      if (globals.json) print_json({{"status", "interrupted"}, {"message", message}});
      if (!globals.json) talk(globals, message);
      return interrupted;
    }
    data.notes.push_back(so_far + "the best of those was fitted");
    talk(globals, data.notes.back());
  }
  const double tuning_seconds = seconds_since(start) - seconds.read;
  const std::size_t chosen = tuned.chosen = flags.rule == "best" ? tuned.best : tuned.one_se;
  Model model = [&] {
    Progress progress(globals);  // a new one: Ctrl-C during the last fit ends that fit
    return fit_candidate(data, flags.settings, tuned.scores[chosen].candidate, &progress);
  }();
  model.tuning = tuned;
  note_guesses(flags.settings, model, data);
  seconds.fit = model.report.seconds;
  seconds.prepare = seconds_since(start) - seconds.read - tuning_seconds - seconds.fit;
  if (!flags.output.empty()) save_model(model, flags.output);
  seconds.total = seconds_since(start);
  if (globals.json) {
    Json object = fitted_json(model, data, seconds, flags.output);
    object["seconds"]["tune"] = tuning_seconds;
    object["tuning"] = tuning_json(tuned, flags, chosen);
    print_json(object);
  } else if (!globals.quiet) {
    print(fmt::format("{}-fold cross-validation ({:.2f} s)\n{}\n", flags.folds, tuning_seconds,
                      tuning_table(tuned, chosen)) +
          fitted_text(model, data, seconds, flags.output));
  }
  // Even with --quiet: a fit that ended early is not to be taken for one that did not.
  if (globals.quiet && !globals.json && model.report.status != Status::converged) {
    std::fprintf(stderr, "medlar: %s\n", shown(model.report.message).c_str());
  }
  return tuned.interrupted ? interrupted : exit_code(model);
}

}  // namespace

void add_tune(CLI::App& program, Command& chosen) {
  CLI::App* command = program.add_subcommand(
      "tune", "Choose p0, c and the prior variance by cross-validation and fit the best on all data");
  auto flags = std::make_shared<TuneFlags>();
  command->add_option("DATA", flags->data, "as for train")->required();
  command->add_option("-o,--output", flags->output, "model file to write; without it nothing is written")
      ->type_name("MODEL");
  command->add_option("--folds", flags->folds, "parts of the data that are left out in turn [default: 5]")
      ->type_name("K");
  command->add_option("--repeats", flags->repeats, "times that the data is cut into folds anew [default: 1]")
      ->type_name("R");
  command
      ->add_option("--rule", flags->rule,
                   "best, or one-se: the fewest features within one standard error of the best [default: best]")
      ->type_name("WORD");
  command
      ->add_option(
          "--metric", flags->metric,
          "auc, log-loss, accuracy, brier; rmse, mae, eps-loss [default: auc, of several labels accuracy; rmse]")
      ->type_name("WORD");
  command->add_flag("--relax", flags->relax,
                    "also try to rank features at p0 = 1e-5, keep the best of them and fit these anew with p0 = 1");
  command
      ->add_option_function<std::string>(
          "--keep-grid", [flags](const std::string& list) { flags->keep_grid = entries_of("keep-grid", list); },
          "with --relax: numbers of features to keep [default: 1,2,4,8,16,32,64]")
      ->type_name("K,...");
  command
      ->add_option_function<std::string>(
          "--prior-variance-grid",
          [flags](const std::string& list) { flags->variance_grid = entries_of("prior-variance-grid", list); },
          "prior variances to try [default: that of --prior-variance]")
      ->type_name("V,...");
  command
      ->add_option_function<std::string>(
          "--p0-grid", [flags](const std::string& list) { flags->p0_grid = entries_of("p0-grid", list); },
          "values of p0 to try [default: 1,0.1,1e-2,1e-3,1e-5]")
      ->type_name("P,...");
  command
      ->add_option_function<std::string>(
          "--c-grid", [flags](const std::string& list) { flags->c_grid = entries_of("c-grid", list); },
          "values of c to try [default: that of --c]")
      ->type_name("C,...");
  add_reading_flags(*command, flags->reading);
  add_setting_flags(*command, flags->settings);
  command->callback([flags, command, &chosen] {
    flags->p0_given = command->count("--p0-grid") > 0;
    if (command->count("--c") > 0 && command->count("--c-grid") > 0) flags->overridden = "c";
    if (command->count("--p0") > 0) flags->overridden = "p0";
    if (command->count("--prior-variance") > 0 && command->count("--prior-variance-grid") > 0) {
      flags->overridden = "prior-variance";
    }
    if (command->count("--keep-grid") > 0 && !flags->relax) {
      throw OptionError("keep-grid is for relaxed refits; add --relax");
    }
    refuse_idle_flags(*command, flags->settings);
    chosen = [flags](const Globals& globals) { return run_tune(globals, *flags); };
  });
}

}  // namespace medlar::cli
