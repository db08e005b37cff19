// medlar path DATA: fits along p0 (or c, or the prior variance), each from the one before it, and lists the steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "checks.hpp"
#include "fitted.hpp"
#include "input.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "terminal.hpp"

namespace medlar::cli {
namespace {

struct PathFlags {
  std::string data, output, over = "p0";
  std::string values;
  Index steps = 50;
  Index top = 30;
  bool values_given = false, even = false;
  TuneOptions folds;
  std::string metric, metric_name;
  std::string overridden;  // an option that the path itself sets
  bool folds_cut = false;  // interrupted or out of time while folds were left out
  bool out_of_time = false;
  ReadOptions reading;
  Settings settings;
};

// The listed values; empty for those of the usual range.
std::vector<double> listed(const PathFlags& flags) {
  if (flags.over != "p0" && flags.over != "c" && flags.over != "prior-variance") {
    throw OptionError(fmt::format("over = '{}' is unknown; known are p0, c, prior-variance", flags.over));
  }
  if (flags.overridden == "steps") throw OptionError("--values lists the values; leave --steps out");
  if (!flags.overridden.empty()) {
    throw OptionError(
        fmt::format("the path goes over {0}; leave --{0} out, or sweep something else", flags.overridden));
  }
  std::vector<double> values;
  if (!flags.values_given) return values;
  Settings tried;
  for (const std::string& text : entries_of("values", flags.values)) {
    if (text == "auto") throw OptionError(fmt::format("values = '{}', but must be numbers", flags.values));
    set_option(tried, flags.over, text);
    values.push_back(flags.over == "p0"  ? tried.p0
                     : flags.over == "c" ? tried.c.value()
                                         : tried.prior_variance.value());
  }
  return values;
}

Path path_along(const Dataset& data, const PathFlags& flags, const std::vector<double>& values, Observer* observer) {
  const Swept over = *read_word<Swept>(flags.over);
  if (!values.empty()) return fit_path(data, flags.settings, over, values, observer);
  const PathRange range = usual_range(data, flags.settings, over);
  constexpr Index few = 4;
  if (flags.even || flags.steps < few) {
    return fit_path(data, flags.settings, over, even_values(range, flags.steps), observer);
  }
  return fit_adaptive_path(data, flags.settings, over, range, flags.steps, observer);
}

std::string path_csv(const Path& path, const std::string& metric) {
  const bool several = !path.labels.empty();  // each has a bias: JSON tells them
  std::string text = std::string(word_of(path.over)) + ",status,relative_gap,objective,primal,selected,support,";
  text += several ? "passes,seconds,training_error" : "bias,passes,seconds,training_error";
  text += metric.empty() ? "\n" : fmt::format(",{},standard_error\n", metric);
  for (const PathStep& step : path.steps) {
    const Report& report = step.report;
    text += fmt::format("{},{},{},{},{},{},{},", step.value, to_string(report.status), report.relative_gap,
                        report.objective, report.primal, step.selected, step.support);
    if (!several) text += fmt::format("{},", step.bias);
    text += fmt::format("{},{},{}", report.passes, report.seconds, step.training_error);
    if (step.left_out) text += fmt::format(",{},{}", *step.left_out, *step.standard_error);
    if (!step.left_out && !metric.empty()) text += ",,";  // folds that were cut short did not reach it
    text += "\n";
  }
  return text;
}

// Every step on the folds that are left out in turn, by the metric of tune. Steps of p0 go along it there too.
void measure_folds(const Dataset& data, const Settings& settings, PathFlags& flags, Path& path, Observer* observer) {
  std::vector<TuneCandidate> candidates;
  for (const PathStep& step : path.steps) {
    TuneCandidate candidate{flags.settings.p0, {}, {}, {}};
    if (path.over == Swept::p0) candidate.p0 = step.value;
    if (path.over == Swept::c) candidate.c = step.value;
    if (path.over == Swept::prior_variance) candidate.prior_variance = step.value;
    candidates.push_back(candidate);
  }
  const Tuning tuned = tune(data, settings, candidates, flags.folds, held_out_by(flags.metric), observer);
  flags.metric_name = tuned.metric;
  flags.folds_cut = tuned.interrupted;
  flags.out_of_time = tuned.out_of_time;
  for (const TuneScore& score : tuned.scores) {
    const auto place = std::find(candidates.begin(), candidates.end(), score.candidate) - candidates.begin();
    PathStep& step = path.steps[static_cast<std::size_t>(place)];
    step.left_out = score.mean;
    step.standard_error = score.standard_error;
  }
}

// The features that came to the largest inclusion times |coefficient| anywhere on the path.
std::vector<std::size_t> leading(const Path& path, Index top) {
  std::vector<double> weight(path.names.size(), 0.0);
  for (const PathStep& step : path.steps) {
    for (std::size_t i = 0; i < weight.size(); ++i) {
      weight[i] = std::max(weight[i], step.inclusion[i] * std::abs(step.coefficient[i]));
    }
  }
  std::vector<std::size_t> order(weight.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto shown = std::min(order.size(), static_cast<std::size_t>(top));
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
      [&](std::size_t a, std::size_t b) { return weight[a] != weight[b] ? weight[a] > weight[b] : a < b; });
  order.resize(shown);
  return order;
}

// With several classes: one value for each.
template <class Of>
Json by_label(const Path& path, Of of) {
  Json object = Json::object();
  for (std::size_t k = 0; k < path.labels.size(); ++k) object[path.labels[k]] = of(k);
  return object;
}

Json path_json(const Path& path, const PathFlags& flags) {
  Json steps = Json::array(), features = Json::array();
  for (const PathStep& step : path.steps) {
    const Json bias =
        step.classes ? by_label(path, [&](std::size_t k) { return step.classes->class_bias[k]; }) : Json(step.bias);
    steps.push_back({{std::string(word_of(path.over)), step.value},
                     {"status", to_string(step.report.status)},
                     {"gap", step.report.gap},
                     {"relative_gap", step.report.relative_gap},
                     {"objective", step.report.objective},
                     {"primal", step.report.primal},
                     {"selected", step.selected},
                     {"support", step.support},
                     {"bias", bias},
                     {"solver", step.report.solver},
                     {"passes", step.report.passes},
                     {"seconds", step.report.seconds},
                     {"training_error", step.training_error}});
    if (!step.left_out) continue;
    steps.back()["left_out"] = *step.left_out;
    steps.back()["standard_error"] = *step.standard_error;
  }
  for (const std::size_t i : leading(path, flags.top)) {
    Json inclusion = Json::array(), coefficient = Json::array();
    for (const PathStep& step : path.steps) {
      inclusion.push_back(step.inclusion[i]);
      coefficient.push_back(step.coefficient[i]);
    }
    features.push_back({{"name", shown(path.names[i])}, {"inclusion", inclusion}, {"coefficient", coefficient}});
    if (path.labels.empty()) continue;
    features.back()["coefficients"] = by_label(path, [&](std::size_t k) {
      Json course = Json::array();
      for (const PathStep& step : path.steps) {
        course.push_back(step.classes->coefficient[i * path.labels.size() + k]);
      }
      return course;
    });
  }
  Status status = Status::converged;  // of the last step that did not converge, if any
  for (const PathStep& step : path.steps) {
    if (step.report.status != Status::converged) status = step.report.status;
  }
  if (flags.folds_cut) status = flags.out_of_time ? Status::limit : Status::interrupted;
  return {{"status", to_string(status)},
          {"over", word_of(path.over)},
          {"task", word_of(path.settings.task)},
          {"margin", word_of(path.settings.margin)},
          {"labels", path.labels.empty() ? Json(nullptr) : Json(path.labels)},
          {"complete", path.complete && !flags.folds_cut},
          {"metric", flags.metric_name.empty() ? Json(nullptr) : Json(flags.metric_name)},
          {"features", path.names.size()},
          {"steps", steps},
          {"leading", features}};
}

// For people at a terminal: a table, with a bar for the share of features that are selected.
std::string path_table(const Path& path, const std::string& metric, const Terminal& shown_on) {
  std::vector<std::vector<std::string>> rows{
      {std::string(word_of(path.over)), "status", "relative gap", "support", "selected"}};
  if (!metric.empty()) rows.front().insert(rows.front().end(), {metric, "s.e."});
  std::vector<Bar> bars;
  for (const PathStep& step : path.steps) {
    rows.push_back({brief(step.value), to_string(step.report.status), fmt::format("{:.1e}", step.report.relative_gap),
                    fmt::format("{}", step.support), fmt::format("{}", step.selected)});
    if (!metric.empty()) {
      rows.back().push_back(step.left_out ? fmt::format("{:.5g}", *step.left_out) : "");
      rows.back().push_back(step.left_out ? fmt::format("{:.2g}", *step.standard_error) : "");
    }
    bars.push_back({static_cast<double>(step.selected) / static_cast<double>(path.names.size()), true});
  }
  return with_bars(table(rows), bars, shown_on);
}

int run_path(const Globals& globals, PathFlags& flags) {
  apply_globals(globals, flags.settings);
  const std::vector<double> values = listed(flags);
  if (!flags.output.empty()) check_writable(flags.output, files_read(flags.data, flags.reading, flags.settings));
  Dataset data = read_to_fit(flags.data, flags.reading, flags.settings);
  const Path path = [&] {
    Progress progress(globals);
    const Deadline time(nullptr, flags.settings.max_seconds);
    Path made = path_along(data, flags, values, &progress);
    if (flags.folds.folds > 0 && made.complete) {
      Settings left = flags.settings;
      left.max_seconds = time.left();
      measure_folds(data, left, flags, made, &progress);
    }
    return made;
  }();
  const Terminal screen = terminal();
  if (!flags.output.empty()) {
    const bool json = flags.output.ends_with(".json");
    write_file_atomically(flags.output,
                          json ? path_json(path, flags).dump(1) + "\n" : path_csv(path, flags.metric_name));
    talk(globals, fmt::format("{} steps written to {}", path.steps.size(), flags.output));
  }
  if (globals.json) {
    print_json(path_json(path, flags));
  } else if (flags.output.empty()) {
    print(screen.present ? path_table(path, flags.metric_name, screen) : path_csv(path, flags.metric_name));
  }
  for (const std::string& note : data.notes) talk(globals, "note: " + note);
  if (same_target(data)) talk(globals, "note: every example has the same target, so every model is constant");
  Index short_of = 0;
  for (const PathStep& step : path.steps) short_of += step.report.status != Status::converged ? 1 : 0;
  if (!path.complete) {
    const std::size_t wanted = values.empty() ? static_cast<std::size_t>(flags.steps) : values.size();
    // On an adaptive path any step may be the one that was cut short.
    const bool by_user = std::any_of(path.steps.begin(), path.steps.end(),
                                     [](const PathStep& step) { return step.report.status == Status::interrupted; });
    talk(globals, fmt::format("{}: ended after {} of {} values", by_user ? "interrupted" : "--max-seconds were over",
                              path.steps.size(), wanted));
    return by_user ? interrupted : not_converged;
  }
  if (flags.folds_cut) {
    talk(globals, fmt::format("{}; the path is whole, what the folds left out is not",
                              flags.out_of_time ? "--max-seconds were over" : "interrupted"));
    return flags.out_of_time ? not_converged : interrupted;
  }
  if (short_of > 0)
    talk(globals, fmt::format("{} of {} fits did not reach the tolerance", short_of, path.steps.size()));
  return short_of > 0 ? not_converged : ok;
}

}  // namespace

void add_path(CLI::App& program, Command& chosen) {
  CLI::App* command = program.add_subcommand(
      "path", "Fit along p0 (or c, or the prior variance) by warm starts; CSV, or JSON with --json");
  auto flags = std::make_shared<PathFlags>();
  flags->folds.folds = 0;
  flags->folds.exhaustive = true;
  command->add_option("DATA", flags->data, "as for train")->required();
  command
      ->add_option("-o,--output", flags->output,
                   "file to write: JSON if its name ends in .json, else CSV; without it standard output")
      ->type_name("FILE");
  command->add_option("--over", flags->over, "what is swept: p0, c or prior-variance [default: p0]")->type_name("NAME");
  command
      ->add_option("--values", flags->values,
                   "its values, in this order [default: p0 from 1 to 1e-8, c from 100 to 0.01 (exponential margin: "
                   "1.1; numbers: from 100 / sd(y) to 0.1 / sd(y)), variance from 10 to 1e-4 of its default]")
      ->type_name("X,...");
  command->add_option("--steps", flags->steps, "how many values, without --values [default: 50]")
      ->type_name("N")
      ->check(number_from(Index{1}, Index{100000}));
  command->add_option("--top", flags->top, "JSON: features whose course is listed [default: 30]")
      ->type_name("N")
      ->check(number_from(Index{1}));
  command->add_flag("--even", flags->even,
                    "steps evenly spaced in their logarithm; else closer together where coefficients change more");
  command
      ->add_option("--folds", flags->folds.folds, "also measure each step on so many folds that are left out in turn")
      ->type_name("K")
      ->check(number_from(Index{2}));
  command->add_option("--metric", flags->metric, "with --folds: as for tune")->type_name("WORD");
  command
      ->add_option("--fold-group", flags->reading.fold_group, "with --folds: column of groups that folds do not part")
      ->type_name("NAME");
  add_reading_flags(*command, flags->reading);
  add_setting_flags(*command, flags->settings);
  command->callback([flags, command, &chosen] {
    flags->values_given = command->count("--values") > 0;
    if (flags->values_given && command->count("--steps") > 0) flags->overridden = "steps";
    if (command->count("--folds") == 0) {
      for (const char* idle : {"--metric", "--fold-group"}) {
        if (command->count(idle) > 0) throw OptionError(fmt::format("{} is for folds; add --folds K", idle));
      }
    }
    if (flags->even && flags->values_given) {
      throw OptionError("even spaces the steps, but --values lists them; leave one out");
    }
    for (const char* swept : {"p0", "c", "prior-variance"}) {
      if (flags->over == swept && command->count(std::string("--") + swept) > 0) flags->overridden = swept;
    }
    refuse_idle_flags(*command, flags->settings);
    chosen = [flags](const Globals& globals) { return run_path(globals, *flags); };
  });
}

}  // namespace medlar::cli
