// CSV text as records of cells [RFC 4180]: quotes, doubled quotes, line ends inside quotes, \n, \r\n or \r between
// records. Spaces around a cell are no part of it unless quoted; blank lines are skipped.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "medlar/data/text.hpp"

namespace medlar {

struct CsvCell {
  std::string_view text;
  Place place;
};

class CsvRecords {
 public:
  // delimiter ' ' stands for any run of spaces and tabs.
  CsvRecords(std::string_view text, char delimiter, std::string file, Index first_line = 1);

  bool next();                                                  // false at the end
  const std::vector<CsvCell>& cells() const { return cells_; }  // valid until next()
  Index line() const { return line_; }                          // where the record starts
  std::string_view rest() const { return text_.substr(at_); }   // the lines after it
  Index next_line() const { return now_; }                      // the first of them

 private:
  void skip_blanks();
  bool skip_line_end();
  bool at_line_end() const { return at_ == text_.size() || text_[at_] == '\n' || text_[at_] == '\r'; }
  bool at_blank() const;
  bool at_delimiter() const;
  CsvCell plain_cell();
  CsvCell quoted_cell();
  Place place(std::size_t at) const { return {now_, static_cast<Index>(at - line_start_) + 1}; }

  std::string_view text_;
  char delimiter_;
  std::string file_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  Index now_;       // current line
  Index line_ = 1;  // of the record
  std::vector<CsvCell> cells_;
  std::deque<std::string> unquoted_;  // texts that held doubled quotes
};

// The delimiter that gives the first records the same number of cells: tab, semicolon, comma or white space (' ').
char guess_delimiter(std::string_view text);

}  // namespace medlar
