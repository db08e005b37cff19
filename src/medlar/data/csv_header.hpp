// Does the first line of a CSV file hold names?
#pragma once

#include <string>
#include <vector>

#include "medlar/data/table.hpp"
#include "medlar/io.hpp"

namespace medlar {

// What the lines below the first one say about one column.
struct ColumnBelow {
  bool numbers = false;     // some cell is a number
  bool texts = false;       // some cell is neither a number nor missing
  bool blanks = false;      // some cell is missing
  bool recurs = false;      // some cell equals the first line's
  bool repetitive = false;  // at most half of the texts are distinct
};

// first: the cells of the first line. The rule is in csv_header.cpp; `why` completes "the first line holds ...".
bool first_line_is_header(const std::vector<std::string>& first, const std::vector<ColumnBelow>& below,
                          const ReadOptions& options, std::string& why);

}  // namespace medlar
