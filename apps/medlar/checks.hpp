// Checks of values on the command line. Messages say what to write instead.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

#include "command.hpp"

namespace medlar::cli {

// A number of T from `low` to `high`; without `high` there is no upper end.
template <class T>
CLI::Validator number_from(T low, T high = std::numeric_limits<T>::max()) {
  const std::string wanted = high == std::numeric_limits<T>::max() ? fmt::format("{} or more", low)
                                                                   : fmt::format("a number from {} to {}", low, high);
  return {[=](const std::string& text) -> std::string {
            T value{};
            const bool fits = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;  // NaN does not
            return fits ? "" : fmt::format("'{}' is not {}", text, wanted);
          },
          ""};
}

// A probability other than 0 and 1.
inline CLI::Validator probability_inside() {
  return {[](const std::string& text) -> std::string {
            double value = 0;
            const bool fits = CLI::detail::lexical_cast(text, value) && value > 0 && value < 1;
            return fits ? "" : fmt::format("'{}' is not a number between 0 and 1, such as 0.9", text);
          },
          ""};
}

// One of some words.
inline CLI::Validator one_of(std::vector<std::string> words) {
  return {[words = std::move(words)](const std::string& text) -> std::string {
            std::string wanted;
            for (const std::string& word : words) {
              if (word == text) return "";
              wanted += fmt::format("{}{}", wanted.empty() ? "" : ", ", word);
            }
            return fmt::format("'{}' is none of {}", text, wanted);
          },
          ""};
}

}  // namespace medlar::cli
