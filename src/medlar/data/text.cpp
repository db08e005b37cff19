#include "medlar/data/text.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace medlar {

std::string_view trim(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string result;
  for (char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return text.size() > longest ? result + "..." : result;
}

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 12> words{"",    "NA",   "NaN",  "nan", "?",    "N/A",
                                                   "n/a", "null", "NULL", "NAN", "-nan", "#N/A"};
  return text.size() <= 4 && std::find(words.begin(), words.end(), text) != words.end();
}

std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  double value = 0;
  const auto [stop, error] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if ((error != std::errc() && error != std::errc::result_out_of_range) || stop != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

void require_utf8(std::string_view text, const std::string& file, Place place) {
  for (std::size_t k = 0; k < text.size();) {
    const auto lead = static_cast<unsigned char>(text[k]);
    const std::size_t size = lead < 0x80                   ? 1
                             : lead >= 0xc2 && lead < 0xe0 ? 2
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xf0 && lead < 0xf5 ? 4
                                                           : 0;
    bool valid = size > 0 && k + size <= text.size();
    for (std::size_t j = 1; valid && j < size; ++j) {
      valid = (static_cast<unsigned char>(text[k + j]) & 0xc0) == 0x80;
    }
    if (valid && size > 2) {  // no overlong form, no surrogate, nothing above U+10FFFF
      const auto second = static_cast<unsigned char>(text[k + 1]);
      valid = !(lead == 0xe0 && second < 0xa0) && !(lead == 0xed && second >= 0xa0) &&
              !(lead == 0xf0 && second < 0x90) && !(lead == 0xf4 && second >= 0x90);
    }
    if (!valid) {
      fail_at(file, place, "the text '{}' is not UTF-8; convert the file, for example with iconv -f latin1 -t utf-8",
              shown(text));
    }
    k += size;
  }
}

namespace {

// Edits (insert, delete, change one letter) that turn a into b.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t listed = 10;
  const std::string wanted = lower_case(name.substr(0, 100));
  const std::string* nearest = nullptr;
  std::size_t fewest = 1 + wanted.size() / 3;  // further away it is another word
  for (const std::string& candidate : known) {
    const std::size_t distance = candidate.size() > 100 ? fewest : edits(wanted, lower_case(candidate));
    if (distance < fewest || (distance == fewest && !nearest && distance < wanted.size())) {
      fewest = distance;
      nearest = &candidate;
    }
  }
  std::string text = nearest ? fmt::format("did you mean '{}'? ", shown(*nearest)) : "";
  text += nearest ? "Known are " : "known are ";
  for (std::size_t k = 0; k < std::min(listed, known.size()); ++k) {
    const bool comma = known[k].find(',') != std::string::npos;
    text += (k ? ", " : "") + (comma ? fmt::format("\"{}\"", shown(known[k])) : shown(known[k]));
  }
  if (known.size() > listed) text += fmt::format(" and {} more", known.size() - listed);
  return text;
}

std::optional<Index> index_named(std::string_view name) {
  Index index = 0;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error != std::errc() || stop != name.data() + name.size() || index < 1 || name.front() == '0') return {};
  return index;
}

std::string counted(Index count, std::string_view singular) {
  return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

}  // namespace medlar
