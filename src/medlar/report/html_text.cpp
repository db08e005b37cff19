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

const std::string_view page_style = R"css(
:root { color-scheme: light dark; --ink: #1d1d1f; --paper: #fdfdfb; --faint: #6b6b70; --line: #d9d9d4; --mark: #8a4b2a;
        --other: #2a6f8a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e6e1; --paper: #17181a; --faint: #9a9a9f; --line: #3a3b3f; --mark: #e0a070; --other: #78bcd6; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
       margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .8rem .2rem 0; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; overflow-wrap: anywhere; }
.faint { color: var(--faint); } .wide { overflow-x: auto; }
svg text { fill: var(--faint); font-size: 12px; }
.axis { stroke: var(--line); fill: none; } .mark { fill: var(--mark); stroke: var(--mark); }
.curve { stroke: var(--mark); fill: none; stroke-width: 2; } .whisker { stroke: var(--other); stroke-width: 2; }
.dots circle { fill: var(--mark); fill-opacity: .45; }
)css";

}  // namespace medlar
