// What the commands share: the flags of every command, exit codes, and how a command registers itself with main.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "medlar/medlar.hpp"

namespace medlar::cli {

using Json = nlohmann::ordered_json;

// Exit codes; scripts rely on them.
enum Exit { ok = 0, refused = 1, not_converged = 2, interrupted = 130 };

// Flags of every command.
struct Globals {
  bool json = false;     // one JSON object on standard output, all talk on standard error
  bool quiet = false;    // results and errors only
  bool verbose = false;  // also what only the method's own words describe: inclusion, sd, J and F
  std::string threads, seed;
};

using Command = std::function<int(const Globals&)>;

// Each adds its command to the program. If the user chose it, it is left in `chosen`.
void add_train(CLI::App& program, Command& chosen);
void add_predict(CLI::App& program, Command& chosen);
void add_evaluate(CLI::App& program, Command& chosen);
void add_features(CLI::App& program, Command& chosen);
void add_path(CLI::App& program, Command& chosen);
void add_tune(CLI::App& program, Command& chosen);
void add_stability(CLI::App& program, Command& chosen);
void add_report(CLI::App& program, Command& chosen);
void add_reproduce(CLI::App& program, Command& chosen);
void add_convert(CLI::App& program, Command& chosen);
void add_list(CLI::App& program, Command& chosen);

}  // namespace medlar::cli
