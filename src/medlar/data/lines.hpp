// A text line by line, in constant memory.
#pragma once

#include <string_view>

#include "medlar/data/text_blocks.hpp"
#include "medlar/types.hpp"

namespace medlar {

class Lines {
 public:
  explicit Lines(Input& input) : blocks_(input) {}

  // The next line without its end (\n or \r\n), valid until the next call; false at the end. Refuses binary content.
  bool next(std::string_view& line);
  Index number() const { return number_; }  // of the line given last, from 1

 private:
  TextBlocks blocks_;
  TextBlock block_;
  std::string_view rest_;  // of the block, not yet handed out
  Index number_ = 0;
};

}  // namespace medlar
