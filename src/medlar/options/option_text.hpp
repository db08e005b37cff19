// Text to values and back for the table of options: strict, and every refusal is a sentence with the option's name,
// the value and what was wanted.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "medlar/settings.hpp"

namespace medlar {

// The interval that an option's number must lie in, and the words for it.
struct Range {
  double low, high;
  bool low_open, high_open;
  std::string_view words;  // completes "but must ..."
  bool holds(double x) const { return (low_open ? x > low : x >= low) && (high_open ? x < high : x <= high); }
};

// The whole text as a number, or nothing. "inf" and "nan" are numbers here; ranges decide.
std::optional<double> number_in(std::string_view text);
std::optional<Index> integer_in(std::string_view text);

double number(std::string_view option, std::string_view text, const Range& range);
Index integer(std::string_view option, std::string_view text, Index low, Index high);

std::optional<double> number_or_auto(std::string_view option, std::string_view text, const Range& range);
std::string text_or_auto(const std::optional<double>& value);

// The shortest text that reads back to the same double.
std::string text_of(double value);

// Names separated by commas, without blanks at their ends; one in double quotes may hold commas, blanks, and two double
// quotes for one. And back.
std::vector<std::string> names_in(std::string_view option, std::string_view text);
std::string text_of(const std::vector<std::string>& names);

// Reads "name value" or "name,value" lines; see by_feature.cpp.
ByFeature<double> read_numbers(std::string_view option, const std::string& path, const Range& range);
ByFeature<std::string> read_words(std::string_view option, const std::string& path);

}  // namespace medlar
