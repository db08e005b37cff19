// The parser knows what went wrong and in which command, but its messages are about its own internals. They are turned
// into sentences that name the option, its value and what to do.
#include "misuse.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace medlar::cli {
namespace {

std::string commands_of(const CLI::App& program) {
  std::string names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", command->get_name());
  }
  return names;
}

// The parser returns unknown words in no particular order. A flag says more than the values after it.
std::string of_extras(const CLI::App& program, const std::vector<std::string>& extras) {
  const auto flag = std::find_if(extras.begin(), extras.end(), [](const auto& word) { return word.starts_with("-"); });
  const auto chosen = program.get_subcommands();
  if (flag == extras.end()) {
    if (chosen.empty()) {
      return fmt::format("'{}' is no command; the commands are {}", extras.back(), commands_of(program));
    }
    return fmt::format("'{}' is one word too many for {}; medlar {} --help tells what it takes", extras.back(),
                       chosen.front()->get_name(), chosen.front()->get_name());
  }
  const std::string name = flag->substr(0, flag->find('='));
  if (chosen.empty()) return fmt::format("{} is no option; the commands are {}", name, commands_of(program));
  return fmt::format("{} is no option of {}; medlar {} --help lists them", name, chosen.front()->get_name(),
                     chosen.front()->get_name());
}

// "Could not convert: --folds = abc"
std::string of_conversion(std::string_view words) {
  const std::size_t colon = words.find(": "), equals = words.find(" = ");
  if (colon == words.npos || equals == words.npos || equals < colon) return std::string(words);
  return fmt::format("{} = '{}' cannot be read; it must be a number that fits",
                     words.substr(colon + 2, equals - colon - 2), words.substr(equals + 3));
}

// The option with too few values or given twice; `words` begins with its name.
std::string of_count(const CLI::App& program, std::string_view words) {
  const std::string name(words.substr(0, words.find(':')));
  const auto chosen = program.get_subcommands();
  const CLI::App& app = chosen.empty() ? program : *chosen.front();
  const CLI::Option* option = app.get_option_no_throw(name);
  if (option == nullptr) option = program.get_option_no_throw(name);
  if (option == nullptr) return std::string(words);
  if (option->results().size() > 1)
    return fmt::format("{} is given {} times; give it once", name, option->results().size());
  return fmt::format("{} is given without its value; write {} {}", name, name, option->get_type_name());
}

}  // namespace

std::string misuse_sentence(const CLI::App& program, const CLI::ParseError& error) {
  const std::string words = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    if (const auto extras = program.remaining(true); !extras.empty()) return of_extras(program, extras);
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) return of_conversion(words);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return of_count(program, words);
  return words;
}

}  // namespace medlar::cli
