// medlar report MODEL [DATA] -o REPORT.html: one self-contained page about a model.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "checks.hpp"
#include "input.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace medlar::cli {
namespace {

struct ReportFlags {
  std::string model, data, output, path;
  Index top = 5000, steps = 25;
  bool steps_given = false;
  ReadOptions reading;
};

// The model's settings over many p0, its own among them, fitted to the data that it was trained on.
Path path_of(const Globals& globals, const Model& model, const ReportFlags& flags) {
  if (model.settings.model != ModelKind::linear) {
    throw OptionError(
        fmt::format("path = {}: the page has a path for linear models, but this is a {} model; leave "
                    "--path out",
                    flags.path, word_of(model.settings.model)));
  }
  const Dataset training = read_for(globals, model, flags.path, flags.reading);
  if (training.examples() != model.examples) {
    throw OptionError(
        fmt::format("path = {}: it has {} examples, but the model was trained on {}; give its training data",
                    flags.path, training.examples(), model.examples));
  }
  Settings settings = model.settings;
  apply_globals(globals, settings);
  std::vector<double> values = usual_p0_path(flags.steps);
  values.push_back(settings.p0);
  std::sort(values.begin(), values.end(), std::greater<>());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  Progress progress(globals);
  return fit_path(training, settings, Swept::p0, values, &progress);
}

// Features that stand for each other in this data, unless the model has its own clusters. Only where comparing all
// features takes no more than a second or two.
void add_clusters(Model& model, const Dataset& data) {
  constexpr double most_products = 1e10;
  const auto n = static_cast<double>(model.features.size());
  const bool linear = model.settings.model == ModelKind::linear && model.settings.expand != ExpansionKind::fourier &&
                      model.settings.expand != ExpansionKind::nystrom;
  if (model.clusters || !linear || data.examples() < 3) return;
  if (n * n * static_cast<double>(data.examples()) > most_products) return;
  model.clusters = find_clusters(model, data);
}

int report(const Globals& globals, const ReportFlags& flags) {
  check_writable(flags.output, {flags.model, flags.data, flags.path});
  if (flags.steps_given && flags.path.empty()) throw OptionError("steps is for a path; add --path TRAIN");
  Model model = load_model(flags.model);
  ReadOptions reading = flags.reading;
  if (model.task == Task::anomaly) reading.target_required = false;
  std::optional<Dataset> data;
  if (!flags.data.empty()) data = read_for(globals, model, flags.data, reading);
  std::optional<Path> path;
  if (!flags.path.empty()) path = path_of(globals, model, flags);
  if (data) add_clusters(model, *data);
  write_file_atomically(flags.output, html_report(model, data ? &*data : nullptr, flags.top, path ? &*path : nullptr));
  if (globals.json) {
    print_json({{"status", "ok"}, {"output", flags.output}});
  } else {
    talk(globals, fmt::format("report written to {}", flags.output));
  }
  if (path && !path->complete) {
    talk(globals, fmt::format("the path ended after {} values", path->steps.size()));
    return path->steps.back().report.status == Status::interrupted ? interrupted : not_converged;
  }
  return ok;
}

}  // namespace

void add_report(CLI::App& program, Command& chosen) {
  CLI::App* command = program.add_subcommand("report", "Write one self-contained HTML page about a model");
  auto flags = std::make_shared<ReportFlags>();
  command->add_option("MODEL", flags->model, "model file")->required();
  command->add_option(
      "DATA", flags->data,
      "examples with their target, to show how well the model predicts; an anomaly detector needs no target");
  command->add_option("-o,--output", flags->output, "page to write")->type_name("REPORT.html")->required();
  command->add_option("--top", flags->top, "how many features the page has, by inclusion [default: 5000]")
      ->type_name("N")
      ->check(number_from(Index{1}));
  command
      ->add_option(
          "--path", flags->path,
          "the data that a linear model was trained on: fits a path over p0 to it, and the page shows what each "
          "p0 selects")
      ->type_name("TRAIN");
  command->add_option("--steps", flags->steps, "with --path: how many values of p0 from 1 to 1e-8 [default: 25]")
      ->type_name("N")
      ->check(number_from(2, 200));
  add_replay_flags(*command, flags->reading);
  command->callback([flags, command, &chosen] {
    flags->steps_given = command->count("--steps") > 0;
    chosen = [flags](const Globals& globals) { return report(globals, *flags); };
  });
}

}  // namespace medlar::cli
