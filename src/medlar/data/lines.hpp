// A text line by line, in constant memory.
#pragma once

#include <string>
#include <string_view>

#include "medlar/data/input.hpp"
#include "medlar/types.hpp"

namespace medlar {

class Lines {
 public:
  explicit Lines(Input& input) : input_(input) {}

  // The next line without its end (\n or \r\n), valid until the next call; false at the end. Refuses binary content.
  bool next(std::string_view& line);
  Index number() const { return number_; }  // of the line given last, from 1

 private:
  Input& input_;
  std::string_view block_;  // not yet handed out
  std::string carried_;     // the start of a line whose end lies in a later block
  Index number_ = 0;
};

}  // namespace medlar
