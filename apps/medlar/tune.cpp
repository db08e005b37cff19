// medlar tune DATA -o MODEL: cross-validates p0 and c on a grid, then fits the best on all data.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>

#include "fitted.hpp"
#include "input.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace medlar::cli {
namespace {

struct TuneFlags {
  std::string data, output;
  std::vector<std::string> p0_grid{"1", "0.1", "1e-2", "1e-3", "1e-5"};
  std::vector<std::string> c_grid;
  Index folds = 5;
  bool p0_given = false;   // --p0-grid
  std::string overridden;  // an option whose values come from its grid
  ReadOptions reading;
  Settings settings;
};

// Every p0 with every c, each checked as the option of that name is.
std::vector<Candidate> candidates(const TuneFlags& flags) {
  std::vector<Candidate> grid;
  Settings tried = flags.settings;
  for (const std::string& p0 : flags.p0_grid) {
    set_option(tried, "p0", p0);
    if (flags.c_grid.empty()) grid.push_back({tried.p0, flags.settings.c});
    for (const std::string& c : flags.c_grid) {
      set_option(tried, "c", c);
      grid.push_back({tried.p0, tried.c});
    }
  }
  return grid;
}

Json tuning_json(const CrossValidation& tuned, const TuneFlags& flags) {
  Json scores = Json::array();
  for (const CandidateScore& score : tuned.scores) {
    scores.push_back({{"p0", score.candidate.p0},
                      {"c", score.candidate.c ? Json(*score.candidate.c) : Json(nullptr)},
                      {"mean", score.mean},
                      {"standard_error", score.standard_error},
                      {"folds", score.folds},
                      {"selected", score.selected},
                      {"converged", score.converged}});
  }
  return {{"metric", tuned.metric}, {"folds", flags.folds}, {"best", tuned.best}, {"candidates", scores}};
}

std::string tuning_table(const CrossValidation& tuned) {
  std::vector<std::vector<std::string>> rows{{"p0", "c", tuned.metric, "s.e.", "selected", ""}};
  for (std::size_t k = 0; k < tuned.scores.size(); ++k) {
    const CandidateScore& score = tuned.scores[k];
    std::string remark = k == tuned.best ? "best" : "";
    if (!score.converged) remark += remark.empty() ? "not converged" : ", not converged";
    rows.push_back({brief(score.candidate.p0), score.candidate.c ? brief(*score.candidate.c) : "default",
                    fmt::format("{:.5g}", score.mean), fmt::format("{:.2g}", score.standard_error),
                    fmt::format("{:.1f}", score.selected), remark});
  }
  return table(rows);
}

int tune(const Globals& globals, TuneFlags& flags) {
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
  const std::vector<Candidate> grid = candidates(flags);
  if (!flags.output.empty()) check_writable(flags.output, {flags.data});
  Dataset data = read_to_fit(flags.data, flags.reading, flags.settings);
  Seconds seconds;
  seconds.read = seconds_since(start);
  const CrossValidation tuned = [&] {
    Progress progress(globals);
    return cross_validate(data, flags.settings, grid, flags.folds, held_out_score, &progress);
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
  flags.settings.p0 = grid[tuned.best].p0;
  flags.settings.c = grid[tuned.best].c;
  const Model model = [&] {
    Progress progress(globals);  // a new one: Ctrl-C during the last fit ends that fit
    return fit(data, flags.settings, &progress);
  }();
  note_guesses(flags.settings, model, data);
  seconds.fit = model.report.seconds;
  seconds.prepare = seconds_since(start) - seconds.read - tuning_seconds - seconds.fit;
  if (!flags.output.empty()) save_model(model, flags.output);
  seconds.total = seconds_since(start);
  if (globals.json) {
    Json object = fitted_json(model, data, seconds, flags.output);
    object["seconds"]["tune"] = tuning_seconds;
    object["tuning"] = tuning_json(tuned, flags);
    print_json(object);
  } else if (!globals.quiet) {
    print(fmt::format("{}-fold cross-validation ({:.2f} s)\n{}\n", flags.folds, tuning_seconds, tuning_table(tuned)) +
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
  CLI::App* command =
      program.add_subcommand("tune", "Choose p0 and c by cross-validation (AUC or RMSE) and fit the best on all data");
  auto flags = std::make_shared<TuneFlags>();
  command->add_option("DATA", flags->data, "as for train")->required();
  command->add_option("-o,--output", flags->output, "model file to write; without it nothing is written")
      ->type_name("MODEL");
  command->add_option("--folds", flags->folds, "parts of the data that are left out in turn [default: 5]")
      ->type_name("K");
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
    refuse_idle_flags(*command, flags->settings);
    chosen = [flags](const Globals& globals) { return tune(globals, *flags); };
  });
}

}  // namespace medlar::cli
