// Pictures for a terminal.
#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "output.hpp"

namespace medlar::cli {
namespace {

constexpr int least_room = 8, most_room = 40;
constexpr std::array<std::string_view, 9> eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

std::string_view variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

// The first of these variables that is set decides, as for every program.
bool speaks_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view locale = variable(name);
    if (locale.empty()) continue;
    return locale.find("UTF-8") != locale.npos || locale.find("utf8") != locale.npos;
  }
  return false;
}

int width_of_terminal() {
  const int told = std::atoi(std::string(variable("COLUMNS")).c_str());
  if (told > 0) return told;
  winsize size = {};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string drawn(double part, int room, bool unicode) {
  const double cells = std::clamp(part, 0.0, 1.0) * room;
  if (!unicode) return std::string(static_cast<std::size_t>(std::lround(cells)), '#');
  const long count = std::lround(cells * 8);
  std::string bar;
  for (long k = 0; k < count / 8; ++k) bar += eighths[8];
  return bar + std::string(eighths[static_cast<std::size_t>(count % 8)]);
}

}  // namespace

Terminal terminal() {
  Terminal found;
  found.present = isatty(STDOUT_FILENO) == 1;
  found.colours = found.present && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  found.unicode = speaks_unicode();
  found.width = width_of_terminal();
  return found;
}

std::string with_bars(const std::string& lines, const std::vector<Bar>& bars, const Terminal& shown_on) {
  std::vector<std::string> rows;
  std::size_t widest = 0;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    rows.push_back(lines.substr(begin, end - begin));
    widest = std::max(widest, width(rows.back()));
    begin = end + 1;
  }
  const int room = std::min(shown_on.width - static_cast<int>(widest) - 2, most_room);
  if (!shown_on.present || room < least_room) return lines;
  std::string text = rows.empty() ? "" : rows.front() + "\n";
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const std::string bar = drawn(bars[k - 1].part, room, shown_on.unicode);
    text += rows[k];
    if (!bar.empty()) {
      text += std::string(widest - width(rows[k]) + 2, ' ');
      text += shown_on.colours ? (bars[k - 1].positive ? "\033[33m" : "\033[36m") + bar + "\033[0m" : bar;
    }
    text += "\n";
  }
  return text;
}

}  // namespace medlar::cli
