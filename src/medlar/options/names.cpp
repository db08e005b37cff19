// Lists of names in the text of an option.
#include <fmt/format.h>

#include "medlar/error.hpp"
#include "medlar/options/option_text.hpp"

namespace medlar {

std::vector<std::string> names_in(std::string_view option, std::string_view text) {
  std::vector<std::string> names;
  if (text.empty()) return names;
  const auto refuse = [&](std::string_view what) {
    throw OptionError(fmt::format("{} = '{}', but {}", option, text, what));
  };
  for (std::size_t i = 0; i <= text.size(); ++i) {  // at a comma, or beyond the end
    std::string name;
    while (i < text.size() && text[i] == ' ') ++i;
    if (i < text.size() && text[i] == '"') {
      bool open = true;
      for (++i; i < text.size() && open; ++i) {
        if (text[i] != '"') {
          name += text[i];
        } else if (i + 1 < text.size() && text[i + 1] == '"') {
          name += text[i++];
        } else {
          open = false;
        }
      }
      if (open) refuse("a double quote is not closed");
      if (i < text.size() && text[i] != ',') refuse("a comma must follow a name in double quotes");
    } else {
      for (; i < text.size() && text[i] != ','; ++i) name += text[i];
      name.erase(name.find_last_not_of(' ') + 1);
    }
    if (name.empty()) refuse("a name between commas is empty; give names separated by commas");
    names.push_back(std::move(name));
  }
  return names;
}

std::string text_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ',';
    if (name.find_first_of(",\"") == name.npos && name.front() != ' ' && name.back() != ' ') {
      text += name;
      continue;
    }
    text += '"';
    for (const char each : name) text += each == '"' ? std::string("\"\"") : std::string(1, each);
    text += '"';
  }
  return text;
}

}  // namespace medlar
