// Small pieces of HTML.
#include "medlar/report/html_text.hpp"

#include <fmt/format.h>

namespace medlar {

std::string html_escaped(std::string_view text) {
  std::string safe;
  for (const char each : text) {
    switch (each) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += static_cast<unsigned char>(each) < 0x20 && each != '\t' && each != '\n' ? ' ' : each;
    }
  }
  return safe;
}

std::string short_number(double value) {
  return fmt::format("{:.4g}", value);
}

}  // namespace medlar
