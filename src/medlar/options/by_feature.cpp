// Values by feature name: one line per feature, "name value" or "name,value". The value is what follows the last comma
// (or, without a comma, the last blank), so names may hold blanks; a name in double quotes may hold anything. Blank
// lines and lines that begin with # are skipped, and so is a first line that begins with the word name or feature and
// does not end in a number.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <unordered_map>

#include "medlar/error.hpp"
#include "medlar/options/option_text.hpp"

namespace medlar {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// "say ""x""" -> say "x"; text without quotes stays as it is.
std::string unquoted(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::string(text);
  std::string plain;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    plain += text[i];
    if (text[i] == '"' && text[i + 1] == '"' && i + 2 < text.size()) ++i;
  }
  return plain;
}

struct Line {
  Index number;
  std::string name, value;
};

std::vector<Line> lines_of(std::string_view option, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw DataError(fmt::format("{}: cannot open the file of --{}: {}", path, option, std::strerror(errno)));
  std::vector<Line> lines;
  std::string text;
  for (Index number = 1; std::getline(file, text); ++number) {
    const std::string_view line = trimmed(text);
    if (line.empty() || line.front() == '#') continue;
    auto cut = line.find_last_of(',');
    if (cut == line.npos) cut = line.find_last_of(blanks);
    if (cut == line.npos || trimmed(line.substr(cut + 1)).empty()) {
      throw DataError(
          fmt::format("{}:{}: '{}' has no value; each line is a feature's name and its value", path, number, line));
    }
    Line entry{number, unquoted(trimmed(line.substr(0, cut))), unquoted(trimmed(line.substr(cut + 1)))};
    const bool heading = number == 1 && (entry.name == "name" || entry.name == "feature") && !number_in(entry.value);
    if (!heading) lines.push_back(std::move(entry));
  }
  if (file.bad()) throw DataError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  if (lines.empty()) throw DataError(fmt::format("{}: the file of --{} names no feature", path, option));
  return lines;
}

template <class Value>
std::vector<Value> laid_out(const ByFeature<Value>& given, std::span<const std::string> names, const Value& fallback,
                            std::string_view option) {
  std::vector<Value> values(names.size(), fallback);
  if (given.empty()) return values;
  std::unordered_map<std::string_view, std::size_t> place;
  for (std::size_t i = 0; i < names.size(); ++i) place.emplace(names[i], i);
  std::vector<bool> seen(names.size(), false);
  const auto where = [&](std::size_t k) {
    if (given.source.empty()) return std::string(option);
    if (given.lines.empty()) return fmt::format("{} of {}", option, given.source);
    return fmt::format("{}:{}: {}", given.source, given.lines[k], option);
  };
  for (std::size_t k = 0; k < given.entries.size(); ++k) {
    const auto& [name, value] = given.entries[k];
    const auto found = place.find(name);
    if (found == place.end()) {
      throw OptionError(fmt::format("{} names '{}', which is no feature of the model; the first feature is '{}'",
                                    where(k), name, names.empty() ? "" : names.front()));
    }
    if (seen[found->second]) throw OptionError(fmt::format("{} names '{}' twice", where(k), name));
    seen[found->second] = true;
    values[found->second] = value;
  }
  return values;
}

}  // namespace

ByFeature<double> read_numbers(std::string_view option, const std::string& path, const Range& range) {
  ByFeature<double> given{path, {}, {}};
  for (Line& line : lines_of(option, path)) {
    const auto value = number_in(line.value);
    if (!value || !range.holds(*value)) {
      throw DataError(fmt::format("{}:{}: the value of '{}' is {}, but must {}", path, line.number, line.name,
                                  line.value, range.words));
    }
    given.entries.emplace_back(std::move(line.name), *value);
    given.lines.push_back(line.number);
  }
  return given;
}

ByFeature<std::string> read_words(std::string_view option, const std::string& path) {
  ByFeature<std::string> given{path, {}, {}};
  for (Line& line : lines_of(option, path)) {
    given.entries.emplace_back(std::move(line.name), std::move(line.value));
    given.lines.push_back(line.number);
  }
  return given;
}

std::vector<double> per_feature(const ByFeature<double>& given, std::span<const std::string> names, double fallback,
                                std::string_view option) {
  return laid_out(given, names, fallback, option);
}

std::vector<std::string> per_feature(const ByFeature<std::string>& given, std::span<const std::string> names,
                                     const std::string& fallback, std::string_view option) {
  return laid_out(given, names, fallback, option);
}

}  // namespace medlar
