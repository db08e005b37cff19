// medlar tune DATA -o MODEL: cross-validates p0, c and the prior variance, or how many features to keep, then fits the
// chosen one on all data. The model keeps the table of what was tried.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "fitted.hpp"
#include "input.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "recalibrating.hpp"
#include "tune_grid.hpp"

namespace medlar::cli {
namespace {

struct TuneFlags {
  std::string data, output;
  TuneGrid grid;
  TuneOptions how;
  std::string rule = "best", metric, recalibrate = "folds";
  std::string overridden;  // an option whose values come from its grid
  ReadOptions reading;
  Settings settings;
};

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json tuning_json(const Tuning& tuned, const TuneFlags& flags) {
  Json scores = Json::array();
  for (const TuneScore& score : tuned.scores) {
    const TuneCandidate& candidate = score.candidate;
    scores.push_back({{"p0", candidate.p0},
                      {"c", optional_json(candidate.c)},
                      {"prior_variance", optional_json(candidate.prior_variance)},
                      {"epsilon", optional_json(candidate.epsilon)},
                      {"kept", candidate.ranking ? Json(candidate.ranking->kept) : Json(nullptr)},
                      {"ranking_p0", candidate.ranking ? Json(candidate.ranking->p0) : Json(nullptr)},
                      {"mean", score.mean},
                      {"standard_error", score.standard_error},
                      {"folds", score.folds},
                      {"selected", score.selected},
                      {"converged", score.converged},
                      {"dropped", score.dropped}});
    if (candidate.margin) scores.back()["margin"] = word_of(*candidate.margin);
    if (!candidate.competes) scores.back()["competes"] = false;
  }
  return {{"metric", tuned.metric}, {"folds", flags.how.folds}, {"repeats", tuned.repeats}, {"rule", flags.rule},
          {"best", tuned.best},     {"one_se", tuned.one_se},   {"chosen", tuned.chosen},   {"candidates", scores}};
}

std::string tuning_table(const Tuning& tuned) {
  const auto shown_value = [](const std::optional<double>& value) { return value ? brief(*value) : "default"; };
  const bool tubes = std::any_of(tuned.scores.begin(), tuned.scores.end(),
                                 [](const TuneScore& score) { return score.candidate.epsilon.has_value(); });
  std::vector<std::vector<std::string>> rows{{"p0", "c", "variance", "kept", tuned.metric, "s.e.", "in use", ""}};
  if (tubes) rows.front().insert(rows.front().begin() + 3, "epsilon");
  for (std::size_t k = 0; k < tuned.scores.size(); ++k) {
    const TuneScore& score = tuned.scores[k];
    const TuneCandidate& candidate = score.candidate;
    std::string remark = k == tuned.best ? "best" : "";
    if (k == tuned.chosen && k != tuned.best) remark = "chosen";
    if (score.dropped) remark = fmt::format("dropped after {} folds", score.folds.size());
    if (!candidate.competes) remark = "for the list";
    if (candidate.competes && candidate.margin)
      remark += fmt::format("{}{}", remark.empty() ? "" : ", ", word_of(*candidate.margin));
    if (!score.converged) remark += remark.empty() ? "not converged" : ", not converged";
    rows.push_back({brief(candidate.p0), shown_value(candidate.c), shown_value(candidate.prior_variance),
                    candidate.ranking ? fmt::format("{}", candidate.ranking->kept) : "",
                    fmt::format("{:.5g}", score.mean), fmt::format("{:.2g}", score.standard_error),
                    fmt::format("{:.1f}", score.selected), remark});
    if (tubes) rows.back().insert(rows.back().begin() + 3, shown_value(candidate.epsilon));
  }
  return table(rows);
}

void check_flags(const TuneFlags& flags) {
  if (!flags.overridden.empty()) {
    throw OptionError(fmt::format("tune chooses {0} from --{0}-grid; leave --{0} out", flags.overridden));
  }
  if (flags.settings.task == Task::anomaly) {
    throw OptionError("task = anomaly has no target to tune by; use train");
  }
  if (flags.rule != "best" && flags.rule != "one-se") {
    throw OptionError(fmt::format("rule = '{}' is unknown; known are best, one-se", flags.rule));
  }
  check_grid(flags.grid, flags.settings);
  if (!flags.grid.epsilon.empty() && flags.metric == "eps-loss") {
    throw OptionError(
        "eps-loss measures each candidate by its own epsilon, and the widest would win; leave out "
        "--epsilon-grid, or use --metric rmse or mae");
  }
  std::vector<std::string> inputs = files_read(flags.data, flags.reading, flags.settings);
  if (!flags.how.checkpoint.empty()) {
    check_writable(flags.how.checkpoint, inputs);
    inputs.push_back(flags.how.checkpoint);
  }
  if (!flags.output.empty()) check_model_writable(flags.output, inputs);
}

constexpr double kForFolds = 0.8;  // of --max-seconds; the rest is for the fit to all examples

Status ended_as(const Tuning& tuned) {
  return tuned.out_of_time ? Status::limit : Status::interrupted;
}
int exit_of(const Tuning& tuned) {
  return tuned.out_of_time ? not_converged : interrupted;
}

// Reports an interruption; the best finished candidate is fitted, if there is any.
int nothing_finished(const Globals& globals, const Tuning& tuned, const std::string& message) {
  if (globals.json) print_json({{"status", to_string(ended_as(tuned))}, {"message", message}});
  if (!globals.json) talk(globals, message);
  return exit_of(tuned);
}

int run_tune(const Globals& globals, TuneFlags& flags) {
  const auto start = std::chrono::steady_clock::now();
  apply_globals(globals, flags.settings);
  check_flags(flags);
  const Measure measure = held_out_by(flags.metric);
  flags.how.measured_by = flags.metric;
  Dataset data = read_to_fit(flags.data, flags.reading, flags.settings);
  Seconds seconds;
  seconds.read = seconds_since(start);
  const Deadline time(nullptr, flags.settings.max_seconds);
  const std::vector<TuneCandidate> grid = candidates_of(flags.grid, data, flags.settings);
  Tuning tuned = [&] {
    Progress progress(globals);
    Settings settings = flags.settings;
    settings.max_seconds = kForFolds * time.left();
    return tune(data, settings, grid, flags.how, measure, &progress);
  }();
  std::string ended;
  if (tuned.interrupted) {
    std::string so_far = fmt::format("{} with {} of {} candidates measured on {} folds; ",
                                     tuned.out_of_time ? "--max-seconds were over" : "interrupted", tuned.scores.size(),
                                     grid.size(), tuned.scores.empty() ? 0 : tuned.scores.front().folds.size());
    if (!flags.how.checkpoint.empty())
      so_far += fmt::format("the same command goes on from {}; ", flags.how.checkpoint);
    if (tuned.scores.empty()) return nothing_finished(globals, tuned, so_far + "no model was written");
    ended = so_far + "the best of those was fitted";
    data.notes.push_back(ended);
    talk(globals, ended);
  }
  const double tuning_seconds = seconds_since(start) - seconds.read;
  tuned.chosen = flags.rule == "best" ? tuned.best : tuned.one_se;
  Settings last = flags.settings;
  last.max_seconds = time.left();
  Model model = [&] {
    Progress progress(globals);  // a new one: Ctrl-C during the last fit ends that fit
    return fit_answer(data, last, tuned, {read_word<CurveKind>(flags.recalibrate)}, &progress);
  }();
  model.settings.max_seconds = flags.settings.max_seconds;
  note_guesses(flags.settings, model, data);
  seconds.fit = model.report.seconds;
  seconds.prepare = seconds_since(start) - seconds.read - tuning_seconds - seconds.fit;
  if (!flags.output.empty()) save_model(model, flags.output);
  seconds.total = seconds_since(start);
  if (globals.json) {
    Json object = fitted_json(model, data, seconds, flags.output);
    object["seconds"]["tune"] = tuning_seconds;
    object["tuning"] = tuning_json(tuned, flags);
    if (tuned.interrupted) {  // though the last fit converged
      object["status"] = to_string(ended_as(tuned));
      object["message"] = ended;
    }
    print_json(object);
  } else if (!globals.quiet) {
    std::string tried = fmt::format("{} settings were tried by {}-fold cross-validation ({:.2f} s)",
                                    tuned.scores.size(), flags.how.folds, tuning_seconds);
    tried += globals.verbose ? "\n\n" + tuning_table(tuned) : "; --verbose shows them\n";
    print(fitted_text(globals, model, data, seconds, flags.output) + tried);
  }
  // Even with --quiet: a fit that ended early is not to be taken for one that did not.
  if (globals.quiet && !globals.json && model.report.status != Status::converged) {
    std::fprintf(stderr, "medlar: %s\n", shown(model.report.message).c_str());
  }
  return tuned.interrupted ? exit_of(tuned) : exit_code(model);
}

}  // namespace

void add_tune(CLI::App& program, Command& chosen) {
  CLI::App* command = program.add_subcommand(
      "tune", "Choose p0, c and the prior variance by cross-validation and fit the best on all data");
  auto flags = std::make_shared<TuneFlags>();
  command->add_option("DATA", flags->data, "as for train")->required();
  command->add_option("-o,--output", flags->output, "model file to write; without it nothing is written")
      ->type_name("MODEL");
  command->add_option("--folds", flags->how.folds, "parts of the data that are left out in turn [default: 5]")
      ->type_name("K");
  command
      ->add_option("--repeats", flags->how.repeats,
                   "times that the data is cut into folds anew [default: 5 of at most 100 examples, unless of several "
                   "labels; else 1]")
      ->type_name("R");
  command
      ->add_option("--rule", flags->rule,
                   "best, or one-se: the fewest features within one standard error of the best [default: best]")
      ->type_name("WORD");
  command
      ->add_option("--metric", flags->metric,
                   "margin-loss, auc, log-loss, accuracy, brier; rmse, mae, eps-loss [default: margin-loss of linear "
                   "models, auc of "
                   "others, of several labels accuracy; rmse]")
      ->type_name("WORD");
  add_grid_flags(*command, flags->grid);
  command->add_flag("--exhaustive", flags->how.exhaustive,
                    "measure every candidate on every fold; else those that cannot win any more are dropped");
  command
      ->add_option("--checkpoint", flags->how.checkpoint,
                   "file that keeps what is finished; the same command with the same file goes on from there")
      ->type_name("FILE");
  command
      ->add_option("--fold-group", flags->reading.fold_group,
                   "column of groups, such as patients, that folds do not part; it is no feature")
      ->type_name("NAME");
  add_recalibrate_flag(*command, flags->recalibrate);
  add_reading_flags(*command, flags->reading);
  add_setting_flags(*command, flags->settings);
  command->callback([flags, command, &chosen] {
    if (command->count("--c") > 0 && command->count("--c-grid") > 0) flags->overridden = "c";
    if (command->count("--epsilon") > 0 && command->count("--epsilon-grid") > 0) flags->overridden = "epsilon";
    if (command->count("--p0") > 0) flags->overridden = "p0";
    if (command->count("--prior-variance") > 0 && command->count("--prior-variance-grid") > 0) {
      flags->overridden = "prior-variance";
    }
    refuse_idle_flags(*command, flags->settings);
    chosen = [flags](const Globals& globals) { return run_tune(globals, *flags); };
  });
}

}  // namespace medlar::cli
