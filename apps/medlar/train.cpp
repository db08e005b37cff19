// medlar train DATA [-o MODEL]: fits a model and certifies it.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>

#include "fitted.hpp"
#include "input.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "recalibrating.hpp"

namespace medlar::cli {
namespace {

struct TrainFlags {
  std::string data, output, recalibrate, checkpoint, resume;
  ReadOptions reading;
  Settings settings;
};

Model fitted(const Dataset& data, const TrainFlags& flags, Progress& progress) {
  if (flags.checkpoint.empty() && flags.resume.empty()) return fit(data, flags.settings, &progress);
  Continuation continuation;
  Model from;
  if (!flags.resume.empty()) {
    from = load_model(flags.resume);
    continuation.from = &from;
  }
  if (!flags.checkpoint.empty()) {
    continuation.keep = [&](const Model& so_far) { save_model(so_far, flags.checkpoint); };
  }
  return fit(data, flags.settings, &progress, continuation);
}

int train(const Globals& globals, TrainFlags& flags) {
  const auto start = std::chrono::steady_clock::now();
  apply_globals(globals, flags.settings);
  const std::vector<std::string> inputs = files_read(flags.data, flags.reading, flags.settings);
  if (!flags.output.empty()) check_model_writable(flags.output, inputs);
  if (!flags.checkpoint.empty()) check_model_writable(flags.checkpoint, inputs);
  // An anomaly detector learns from all columns, unless one is named as the target.
  if (flags.settings.task == Task::anomaly) {
    flags.reading.target_required = false;
    flags.reading.other_level = true;  // what was never seen is odd
  }
  Dataset data = read_to_fit(flags.data, flags.reading, flags.settings);
  Seconds seconds;
  seconds.read = seconds_since(start);
  Model model = [&] {
    Progress progress(globals);
    return fitted(data, flags, progress);
  }();
  if (!flags.recalibrate.empty()) {
    recalibrate_model(globals, model, data, flags.recalibrate,
                      [&](const Dataset& part, Observer* observer) { return fit(part, flags.settings, observer); });
  }
  note_guesses(flags.settings, model, data);
  seconds.fit = model.report.seconds;
  seconds.prepare = seconds_since(start) - seconds.read - seconds.fit;
  if (!flags.output.empty()) save_model(model, flags.output);
  seconds.total = seconds_since(start);
  if (globals.json) {
    print_json(fitted_json(model, data, seconds, flags.output));
  } else if (!globals.quiet) {
    print(fitted_text(globals, model, data, seconds, flags.output));
  }
  // Even with --quiet: a fit that ended early is not to be taken for one that did not.
  if (globals.quiet && !globals.json && model.report.status != Status::converged) {
    std::fprintf(stderr, "medlar: %s\n", shown(model.report.message).c_str());
  }
  return exit_code(model);
}

}  // namespace

void add_train(CLI::App& program, Command& chosen) {
  CLI::App* command = program.add_subcommand("train", "Fit a model and certify it by its duality gap");
  auto flags = std::make_shared<TrainFlags>();
  command
      ->add_option("DATA", flags->data,
                   "csv, tsv, svm, libsvm, npy or ts (sequences), also .gz .xz .zst; - is standard input")
      ->required();
  command->add_option("-o,--output", flags->output, "model file to write; without it nothing is written")
      ->type_name("MODEL");
  command
      ->add_option("--checkpoint", flags->checkpoint,
                   "file for the best model so far of a long linear fit: after 10 seconds, 30, 70, ... and at the end")
      ->type_name("FILE");
  command
      ->add_option(
          "--resume", flags->resume,
          "go on from a checkpoint or a model that was fitted to the same data; p0 and c may differ. A fit with a very "
          "large c keeps what is certified and begins its path anew")
      ->type_name("FILE");
  add_recalibrate_flag(*command, flags->recalibrate);
  add_reading_flags(*command, flags->reading);
  add_setting_flags(*command, flags->settings);
  command->callback([flags, command, &chosen] {
    if (flags->settings.task == Task::anomaly && command->count("--model") == 0)
      flags->settings.model = ModelKind::generative;
    refuse_idle_flags(*command, flags->settings);
    chosen = [flags](const Globals& globals) { return train(globals, *flags); };
  });
}

}  // namespace medlar::cli
