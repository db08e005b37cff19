// Text cut into blocks of whole lines, so that each can be parsed on its own.
#pragma once

#include <string_view>
#include <vector>

#include "medlar/data/bytes/input.hpp"

namespace medlar {

constexpr std::size_t text_block_size = std::size_t{1} << 18;  // the text and what it becomes fit the second cache

// Whole lines, each with its \n; it is added to the last line of a file. Bytes after the end may be read, but not used.
class TextBlock {
 public:
  static constexpr std::size_t padding = 32;
  const char* begin() const { return bytes_.data() + first_; }
  const char* end() const { return bytes_.data() + end_; }
  std::size_t size() const { return end_ - first_; }
  double fraction() const { return fraction_; }  // of the input up to here; 0 where it is unknown

 private:
  friend class TextBlocks;
  std::vector<char> bytes_;
  std::size_t first_ = 0, end_ = 0;
  double fraction_ = 0;
};

class TextBlocks {
 public:
  explicit TextBlocks(Input& input, std::size_t size = text_block_size) : input_(input), size_(size) {}

  bool next(TextBlock& block);                 // false at the end; a line longer than a block makes its block longer
  bool finished() const { return finished_; }  // nothing is left but what next() has given
  const Input& input() const { return input_; }

 private:
  Input& input_;
  std::size_t size_;
  std::vector<char> carried_;  // the start of a line whose end lies in the next block
  bool started_ = false, finished_ = false;
};

// The same of a text that stands in memory, followed by padding.
class TextRanges {
 public:
  explicit TextRanges(std::string_view text, std::size_t size = text_block_size) : text_(text), size_(size) {}

  bool next(std::string_view& block);
  bool finished() const { return text_.empty(); }

 private:
  std::string_view text_;  // what is left
  std::size_t size_;
};

}  // namespace medlar
