// Lines of svmlight text to examples, one block on its own.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "medlar/data/text.hpp"
#include "medlar/data/text_blocks.hpp"
#include "medlar/io.hpp"

namespace medlar {

class SvmlightBlock {
 public:
  TextBlock block;
  Index lines = 0;

  // file is its name for messages; known the number of features of a schema that is replayed, or 0.
  void parse(Index first_line, const std::string& file, const ReadOptions& options, Index known);

  std::vector<std::string_view> labels;  // of each example, in the block's text; empty where it has none
  std::vector<Index> line_of, ends;      // of each example: its line after the block's first, the end of its entries
  std::unique_ptr<Column[]> columns;
  std::unique_ptr<double[]> values;
  std::size_t entries = 0;
  Index largest = 0, query_ids = 0, beyond = 0;  // the largest index; how many qid; values above the known features

 private:
  bool finished() const { return *at_ == '\n' || *at_ == '#'; }
  void skip_blanks();
  std::string_view word() const;
  Place place(const char* where) const { return {first_line_ + lines, where - begin_ + 1}; }
  void refuse_zero_byte(const char* zero) const;
  void read_line();
  std::string_view label();
  void features();
  Index index(Index previous);
  [[noreturn]] void refuse_index(const char* start, Index index, Index previous) const;
  double number();
  [[noreturn]] void refuse_for_float(const char* start);

  const std::string* file_ = nullptr;
  const ReadOptions* options_ = nullptr;
  Index limit_ = 0;           // indices above it are no features of the model
  double largest_value_ = 0;  // above it a value is too large to be kept
  Index first_line_ = 1;
  const char *begin_ = nullptr, *at_ = nullptr;  // of the line; where we are
  std::size_t room_ = 0;
};

}  // namespace medlar
