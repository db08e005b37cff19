// Helpers for text: messages with a place in a file, numbers, missing values, and how a text is shown in a message.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "medlar/error.hpp"
#include "medlar/types.hpp"

namespace medlar {

// Throws DataError("file:17:42: sentence").
template <class... Args>
[[noreturn]] void fail_at(const std::string& file, Place place, fmt::format_string<Args...> sentence, Args&&... args) {
  std::string where = file;
  if (place.line > 0) where += fmt::format(":{}", place.line);
  if (place.line > 0 && place.column > 0) where += fmt::format(":{}", place.column);
  throw DataError(where + ": " + fmt::format(sentence, std::forward<Args>(args)...));
}

std::string_view trim(std::string_view text);   // spaces and tabs
std::string lower_case(std::string_view text);  // ASCII
std::string shown(std::string_view text);       // for a message: control bytes escaped, long texts cut

// An empty cell, NA, N/A, n/a, NaN in its spellings, null, NULL, ?
bool is_missing(std::string_view text);

// The whole text as a number: decimal, a leading + allowed; inf and overflow give an infinity, nan a NaN.
std::optional<double> parse_number(std::string_view text);

// Refuses a text that is not UTF-8: it could not be written into a model file.
void require_utf8(std::string_view text, const std::string& file, Place place);

// "did you mean 'Class'? " if some known name is near, then "known are a, b, c and 12 more".
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

// The index that a feature's name is: a whole number from 1 on, written as one.
std::optional<Index> index_named(std::string_view name);

std::string counted(Index count, std::string_view singular);  // "1 row", "3 rows"

}  // namespace medlar
