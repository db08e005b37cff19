// Lines of CSV without quotes to columns of numbers, one block on its own. It handles what most files hold and gives no
// messages. What it cannot parse, such as a ragged line, is left to the reader that goes cell by cell (csv.cpp).
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "medlar/data/table.hpp"

namespace medlar {

class CsvBlock {
 public:
  std::string_view block;  // whole lines; padding follows the last one
  Index lines = 0;

  // What the cells of one column are. Lines count from the block's first.
  struct Seen {
    Index missing = 0;
    std::optional<FoundCell> first_missing, first_infinite, first_text;
    bool odd = false;  // a NaN that is a missing number, but would be a text in a column of texts
  };

  // Returns false on a line whose number of cells is not the number of columns.
  bool parse(char delimiter, std::size_t columns);

  std::size_t rows() const { return line_of.size(); }
  const double* numbers(std::size_t c) const { return numbers_.get() + c * stride_; }  // of a column without texts

  std::vector<Index> line_of;
  std::vector<Seen> seen;

  // Whether such text can be parsed here at all.
  static bool understands(std::string_view text, char delimiter);

 private:
  bool at_line_end() const { return at_ == end_ || *at_ == '\n' || *at_ == '\r'; }
  bool at_delimiter() const { return at_ != end_ && (*at_ == delimiter_ || (delimiter_ == ' ' && *at_ == '\t')); }
  void skip_blanks();
  bool skip_line_end();
  bool read_row(std::size_t columns);
  double cell(std::size_t c);

  char delimiter_ = ',';
  const char *at_ = nullptr, *end_ = nullptr, *line_start_ = nullptr;
  std::size_t stride_ = 0, room_ = 0;
  std::unique_ptr<double[]> numbers_;
};

}  // namespace medlar
