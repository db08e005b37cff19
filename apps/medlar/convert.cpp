// medlar convert IN OUT: from one format of data to another.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "input.hpp"
#include "output.hpp"

namespace medlar::cli {
namespace {

struct ConvertFlags {
  std::string input, output;
  ReadOptions reading;
};

// By the ending of its name, before that of a compression.
bool is_svmlight(const std::string& path) {
  std::filesystem::path name(path);
  for (const char* packed : {".gz", ".xz", ".zst"}) {
    if (name.extension() == packed) name.replace_extension();
  }
  const std::string ending = name.extension().string();
  return ending == ".svm" || ending == ".libsvm" || ending == ".svmlight";
}

int convert(const Globals& globals, const ConvertFlags& flags) {
  ReadOptions reading = flags.reading;
  reading.target_required = false;
  reading.target_guessed = true;
  apply_globals(globals, reading);
  check_writable(flags.output, {flags.input, flags.reading.target_file});
  const Dataset data = read_dataset(flags.input, reading);
  if (!data.target.present && is_svmlight(flags.output)) {
    throw OptionError(fmt::format(
        "{}: lines of svmlight begin with a target, but none was read; name its column with --target", flags.output));
  }
  write_dataset(flags.output, data);
  if (globals.json) {
    print_json({{"status", "ok"},
                {"examples", data.examples()},
                {"features", data.features()},
                {"notes", data.notes},
                {"output", flags.output}});
    return ok;
  }
  for (const std::string& note : data.notes) talk(globals, "note: " + note);
  talk(globals,
       fmt::format("{} examples with {} features written to {}", data.examples(), data.features(), flags.output));
  return ok;
}

}  // namespace

void add_convert(CLI::App& program, Command& chosen) {
  CLI::App* command = program.add_subcommand("convert", "Write data in another format, named by the ending of OUT");
  auto flags = std::make_shared<ConvertFlags>();
  command->add_option("IN", flags->input, "data to read; - is standard input")->required();
  command->add_option("OUT", flags->output, "file to write: .csv .tsv .svm .npy, also .gz .xz .zst")->required();
  add_reading_flags(*command, flags->reading);
  command->callback(
      [flags, &chosen] { chosen = [flags](const Globals& globals) { return convert(globals, *flags); }; });
}

}  // namespace medlar::cli
