// Lines of svmlight text to examples, one block on its own. Columns have 32 bits, or 64 if an index needs them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "medlar/data/text.hpp"
#include "medlar/data/text_blocks.hpp"
#include "medlar/io.hpp"

namespace medlar {

// Memory that grows and is not cleared.
template <class Value>
class Room {
 public:
  Value* at_least(std::size_t size) {
    if (size > size_) {
      values_ = std::make_unique_for_overwrite<Value[]>(size);
      size_ = size;
    }
    return get();
  }
  Value* get() const { return values_.get(); }

 private:
  std::unique_ptr<Value[]> values_;
  std::size_t size_ = 0;
};

class SvmlightBlock {
 public:
  TextBlock block;
  Index lines = 0;

  // file is its name for messages. Entries that options.schema has no feature for are left out.
  void parse(Index first_line, const std::string& file, const ReadOptions& options);

  std::vector<std::string_view> labels;  // of each example, in the block's text; empty where it has none
  std::vector<Index> line_of, ends;      // of each example: its line after the block's first, the end of its entries
  bool wide = false;
  Room<Column> columns;      // of each entry, from 0; of a wide block
  Room<Index> wide_columns;  // these
  Room<double> values;
  std::size_t entries = 0;
  Index largest = 0, query_ids = 0, beyond = 0;  // the largest index; how many qid; values of no known feature

 private:
  bool finished() const { return *at_ == '\n' || *at_ == '#'; }
  void skip_blanks();
  std::string_view word() const;
  Place place(const char* where) const { return {first_line_ + lines, where - begin_ + 1}; }
  void refuse_zero_byte(const char* zero) const;
  template <class Number>
  void read_lines(Number* column_of);
  template <class Number>
  void read_line(Number* column_of);
  std::string_view label();
  template <class Number>
  void features(Number* column_of);
  template <class Number>
  void keep_known(const Number* column_of, const std::vector<Index>& indices);
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
};

}  // namespace medlar
