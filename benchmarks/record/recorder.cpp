#include "recorder.hpp"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "medlar/error.hpp"
#include "medlar/fit.hpp"

namespace medlar::bench {

Settings settings_from(const std::string& words) {
  Settings settings;
  settings.threads = 1;
  std::istringstream in(words);
  for (std::string word; in >> word;) {
    const auto equals = word.find('=');
    set_option(settings, word.substr(0, equals), word.substr(equals + 1));
  }
  return settings;
}

void Recorder::fit(const std::string& data_name, const Dataset& data, const std::string& words) {
  fit(data_name + " " + words, data, settings_from(words));
}

void Recorder::fit(const std::string& name, const Dataset& data, const Settings& settings) {
  lines(name, [&] { return std::vector<Line>{line_of(name, medlar::fit(data, settings), data)}; });
}

void Recorder::lines(const std::string& name, const std::function<std::vector<Line>()>& make) {
  if (!wants(name)) return;
  try {
    for (const Line& line : make()) write(line);
  } catch (const Error& error) {
    write(line_of_refusal(name, error.what()));
  }
}

void Recorder::write(const Line& line) {
  const auto name = line.at("name").get<std::string>();
  if (!names_.insert(name).second) throw std::logic_error(fmt::format("two lines of the name '{}'", name));
  out_ << line.dump() << '\n';
  ++written_;
}

}  // namespace medlar::bench
