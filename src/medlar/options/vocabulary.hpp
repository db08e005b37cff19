// Words and the types they stand for, as text: for the table of options, for messages, and for what writes JSON.
// fmt::format("{}", settings.margin) gives "hinge".
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "medlar/words.hpp"

namespace medlar {

// The enumerator of a word that the option shows; any other text is an OptionError that lists them.
int shown_word(std::string_view option, std::string_view text);

template <Worded Kind>
Kind word(std::string_view text) {
  return static_cast<Kind>(shown_word(option_of(Kind{}), text));
}

}  // namespace medlar

template <medlar::Worded Kind>
struct fmt::formatter<Kind> : fmt::formatter<std::string_view> {
  auto format(Kind kind, fmt::format_context& context) const {
    return fmt::formatter<std::string_view>::format(medlar::word_of(kind), context);
  }
};

template <medlar::Worded Kind, class Argument>
struct fmt::formatter<medlar::WithArgument<Kind, Argument>> : fmt::formatter<std::string_view> {
  auto format(const medlar::WithArgument<Kind, Argument>& choice, fmt::format_context& context) const {
    return fmt::formatter<std::string_view>::format(medlar::text_of(choice), context);
  }
};
