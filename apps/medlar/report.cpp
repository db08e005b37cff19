// medlar report MODEL [DATA] -o REPORT.html: one self-contained page about a model.
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>

#include "input.hpp"
#include "output.hpp"

namespace medlar::cli {
namespace {

struct ReportFlags {
  std::string model, data, output;
  Index top = 5000;
  ReadOptions reading;
};

int report(const Globals& globals, const ReportFlags& flags) {
  check_writable(flags.output, {flags.model, flags.data});
  const Model model = load_model(flags.model);
  std::optional<Dataset> data;
  if (!flags.data.empty()) data = read_for(globals, model, flags.data, flags.reading);
  write_file_atomically(flags.output, html_report(model, data ? &*data : nullptr, flags.top));
  if (globals.json) {
    print_json({{"status", "ok"}, {"output", flags.output}});
  } else {
    talk(globals, fmt::format("report written to {}", flags.output));
  }
  return ok;
}

}  // namespace

void add_report(CLI::App& program, Command& chosen) {
  CLI::App* command = program.add_subcommand("report", "Write one self-contained HTML page about a model");
  auto flags = std::make_shared<ReportFlags>();
  command->add_option("MODEL", flags->model, "model file")->required();
  command->add_option("DATA", flags->data, "examples with their target, to show how well the model predicts");
  command->add_option("-o,--output", flags->output, "page to write")->type_name("REPORT.html")->required();
  command->add_option("--top", flags->top, "how many features the page has, by inclusion [default: 5000]")
      ->type_name("N")
      ->check(CLI::Range(Index{1}, std::numeric_limits<Index>::max()));
  add_replay_flags(*command, flags->reading);
  command->callback([flags, &chosen] { chosen = [flags](const Globals& globals) { return report(globals, *flags); }; });
}

}  // namespace medlar::cli
