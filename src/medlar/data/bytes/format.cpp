#include "medlar/data/bytes/format.hpp"

#include <array>
#include <utility>

#include "medlar/data/text.hpp"

namespace medlar {
namespace {

using Suffix = std::pair<std::string_view, std::string_view>;
constexpr std::array<Suffix, 4> compressions{{{".gz", "gzip"}, {".xz", "xz"}, {".zst", "zstd"}, {".bz2", "bzip2"}}};
constexpr std::array<Suffix, 7> formats{{{".csv", "csv"},
                                         {".tsv", "tsv"},
                                         {".svm", "svmlight"},
                                         {".libsvm", "svmlight"},
                                         {".svmlight", "svmlight"},
                                         {".npy", "npy"},
                                         {".ts", "ts"}}};

template <std::size_t N>
std::string take_suffix(std::string& name, const std::array<Suffix, N>& suffixes) {
  for (const auto& [suffix, meaning] : suffixes) {
    if (name.size() > suffix.size() && name.ends_with(suffix)) {
      name.resize(name.size() - suffix.size());
      return std::string(meaning);
    }
  }
  return {};
}

std::string_view take_word(std::string_view& line) {
  line = trim(line);
  const std::string_view word = line.substr(0, line.find_first_of(" \t"));
  line.remove_prefix(word.size());
  return word;
}

bool is_feature(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == 0 || colon == std::string_view::npos) return false;
  const std::string_view index = word.substr(0, colon);
  return (index == "qid" || index.find_first_not_of("0123456789") == std::string_view::npos) &&
         parse_number(word.substr(colon + 1)).has_value();
}

}  // namespace

FileKind kind_by_name(const std::string& path) {
  std::string name = lower_case(path.substr(path.find_last_of('/') + 1));
  FileKind kind;
  kind.compression = take_suffix(name, compressions);
  kind.format = take_suffix(name, formats);
  return kind;
}

std::string format_by_content(std::string_view start) {
  if (start.starts_with("\x93NUMPY")) return "npy";
  // svmlight: the first line with two words or more has index:value as its first or second one.
  for (int k = 0; k < 100 && !start.empty(); ++k) {
    std::string_view line = start.substr(0, start.find_first_of("\r\n"));
    start.remove_prefix(std::min(start.size(), line.size() + 1));
    if (line.starts_with('#')) continue;
    const std::string_view first = take_word(line);
    const std::string_view second = take_word(line);
    if (first.empty()) continue;
    if (is_feature(first) || is_feature(second)) return "svmlight";
    if (!second.empty() || first.find_first_of(",;") != std::string_view::npos) return "csv";
  }
  return "csv";
}

}  // namespace medlar
