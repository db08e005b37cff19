// Strict numbers for the table of options.
#include "medlar/options/option_text.hpp"

#include <fmt/format.h>

#include <charconv>

#include "medlar/error.hpp"

namespace medlar {

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Index> integer_in(std::string_view text) {
  Index value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

namespace {

// A number, but of an exponent that no double has.
bool beyond_double(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  return fault == std::errc::result_out_of_range && end == text.data() + text.size();
}

}  // namespace

double number(std::string_view option, std::string_view text, const Range& range) {
  const auto value = number_in(text);
  if (!value && beyond_double(text)) {
    throw OptionError(
        fmt::format("{} = {} is beyond what double precision holds; it must {}", option, text, range.words));
  }
  if (!value) throw OptionError(fmt::format("{} = '{}' is not a number; it must {}", option, text, range.words));
  if (!range.holds(*value)) throw OptionError(fmt::format("{} = {}, but must {}", option, text, range.words));
  return *value;
}

Index integer(std::string_view option, std::string_view text, Index low, Index high) {
  const auto value = integer_in(text);
  if (!value || *value < low || *value > high) {
    throw OptionError(fmt::format("{} = {}, but must be a whole number from {} to {}", option,
                                  text.empty() ? "''" : text, low, high));
  }
  return *value;
}

std::optional<double> number_or_auto(std::string_view option, std::string_view text, const Range& range) {
  if (text == "auto") return std::nullopt;
  return number(option, text, range);
}

std::string text_or_auto(const std::optional<double>& value) {
  return value ? text_of(*value) : "auto";
}

std::string text_of(double value) {
  return fmt::format("{}", value);
}

}  // namespace medlar
