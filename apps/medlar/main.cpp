// The medlar program: one subcommand per file beside this one.
//   exit 0 converged or done, 1 refused, 2 stopped before converging, 130 interrupted
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>
#include <sstream>
#include <string_view>

#include "command.hpp"
#include "misuse.hpp"
#include "output.hpp"

namespace medlar::cli {
namespace {

// Prints one line on standard error and, with --json, one object on standard output, unless standard output is what
// failed.
int refuse(bool json, std::string message) {
  while (!message.empty() && message.back() == '\n') message.pop_back();
  std::fprintf(stderr, "medlar: %s\n", shown(message).c_str());
  try {
    if (json) print_json({{"status", "refused"}, {"message", message}});
  } catch (const Error&) {
    return refused;
  }
  return refused;
}

bool json_wanted(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
}

void add_globals(CLI::App& program, Globals& globals) {
  program.add_flag("--json", globals.json, "one JSON object on standard output");
  program.add_flag("--quiet", globals.quiet, "results and errors only");
  program.add_flag("--verbose", globals.verbose, "also inclusion and sd of each feature, solver, objective and gap");
  program.add_option("--threads", globals.threads, "processor cores to use [default: all]")->type_name("N");
  program.add_option("--seed", globals.seed, "seed of every random choice [default: 1]")->type_name("N");
}

bool interrupted_as_json = false;

// Fits end with their best model (progress.hpp); outside of them there is nothing to keep.
void end_when_interrupted(int argc, char** argv) {
  interrupted_as_json = json_wanted(argc, argv);
  std::signal(SIGINT, [](int) {
    constexpr std::string_view as_json = "{\"status\": \"interrupted\", \"message\": \"nothing was fitted\"}\n";
    constexpr std::string_view as_text = "medlar: interrupted; nothing was fitted\n";
    const auto written = interrupted_as_json ? write(STDOUT_FILENO, as_json.data(), as_json.size())
                                             : write(STDERR_FILENO, as_text.data(), as_text.size());
    _exit(written < 0 ? refused : interrupted);
  });
}

// A variable that is not set, or an option in the place of a name.
std::string file_name_fault(const std::string& name) {
  if (name.empty()) return "'' is no file name";
  if (!name.starts_with("--")) return {};
  return fmt::format("'{}' is an option and no file name; if it is one, write ./{}", name, name);
}

int help(const CLI::App& program, const CLI::Success& asked, bool json) {
  std::ostringstream words;
  program.exit(asked, words, words);
  try {
    print(words.str());
  } catch (const Error& error) {
    return refuse(json, error.what());
  }
  return ok;
}

int run(int argc, char** argv) {
  Globals globals;
  Command chosen;
  CLI::App program("Maximum entropy discrimination: sparse linear models with a certificate", "medlar");
  program.set_version_flag("--version", "medlar " MEDLAR_VERSION);
  program.require_subcommand(0, 1);
  program.fallthrough();
  program.failure_message([](const CLI::App*, const CLI::Error& error) { return std::string(error.what()) + "\n"; });
  add_globals(program, globals);
  for (const auto add : {add_train, add_predict, add_evaluate, add_features, add_path, add_tune, add_stability,
                         add_report, add_reproduce, add_convert, add_list}) {
    add(program, chosen);
  }
  for (CLI::App* command : program.get_subcommands({})) {
    command->fallthrough();
    if (CLI::Option* output = command->get_option_no_throw("--output")) output->check(file_name_fault, "");
    command->footer("Every command also takes --json, --quiet, --verbose, --threads N and --seed N.");
  }
  const bool json = json_wanted(argc, argv);
  try {
    program.parse(argc, argv);
    if (!chosen) {
      std::fputs(program.help().c_str(), stderr);
      return refuse(json, "no command was given");
    }
    return chosen(globals);
  } catch (const CLI::Success& success) {  // --help, --version
    return help(program, success, json);
  } catch (const CLI::ParseError& error) {
    return refuse(json, misuse_sentence(program, error));
  } catch (const Error& error) {
    return refuse(json, error.what());
  } catch (const std::bad_alloc&) {
    return refuse(json, "there is not enough memory for this");
  } catch (const std::exception& error) {
    return refuse(json, fmt::format("unexpected: {}", error.what()));
  }
}

}  // namespace
}  // namespace medlar::cli

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is told by the write that fails
  std::signal(SIGXFSZ, SIG_IGN);  // likewise a file that may grow no further
  medlar::cli::end_when_interrupted(argc, argv);
  return medlar::cli::run(argc, argv);
}
