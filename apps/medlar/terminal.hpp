// Pictures for a terminal: bars beside a table, within its width.
#pragma once

#include <string>
#include <vector>

namespace medlar::cli {

// Standard output, if it is a terminal. NO_COLOR (set and not empty) and TERM=dumb mean no colours.
struct Terminal {
  bool present = false;
  bool colours = false;
  bool unicode = false;  // the locale speaks UTF-8; else bars are made of '#'
  int width = 80;        // COLUMNS if it is set, else what the terminal says
};
Terminal terminal();

struct Bar {
  double part = 0;       // of the whole, in [0, 1]
  bool positive = true;  // its colour
};

// `lines` is a table made by table(), heading first, and there is one bar for each line after the heading. Returns the
// lines with their bars to the right, as wide as there is room. If there is no room for eight characters, the lines
// stay as they are.
std::string with_bars(const std::string& lines, const std::vector<Bar>& bars, const Terminal& shown_on);

}  // namespace medlar::cli
