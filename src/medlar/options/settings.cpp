// The table of options, chapter by chapter: name, values, default, meaning, and how its text is read and written. The
// command line, `medlar list`, model files and docs/options.md are made from this table and know no option of their
// own.
#include "medlar/settings.hpp"

#include <fmt/format.h>

#include "medlar/error.hpp"
#include "medlar/options/option_chapters.hpp"

namespace medlar {

std::span<const Option> options() {
  static const std::vector<Option> table = [] {
    std::vector<Option> all;
    for (const auto chapter : {model_options(), generative_options(), latent_options(), solving_options()}) {
      all.insert(all.end(), chapter.begin(), chapter.end());
    }
    return all;
  }();
  return table;
}

const Option& find_option(std::string_view name) {
  for (const Option& option : options()) {
    if (option.name == name) return option;
  }
  std::string known;
  for (const Option& option : options()) known += fmt::format("{}{}", known.empty() ? "" : ", ", option.name);
  throw OptionError(fmt::format("option '{}' is unknown; known are {}", name, known));
}

void set_option(Settings& settings, std::string_view name, std::string_view text) {
  find_option(name).set(settings, text);
}

}  // namespace medlar
