// Texts that repeat, such as labels and categories: each distinct one is kept once and the rest are numbers.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

class CodedTexts {
 public:
  bool add(std::string_view text);  // is it new? A missing value is coded -1 and never new
  void sort();                      // distinct texts in byte order; codes follow

  Index size() const { return static_cast<Index>(codes_.size()); }
  Index missing() const { return missing_; }
  Index distinct() const { return static_cast<Index>(texts_.size()); }
  const std::deque<std::string>& texts() const { return texts_; }
  const std::vector<Column>& codes() const { return codes_; }
  Index first_row(Index code) const { return first_row_[static_cast<std::size_t>(code)]; }  // where it was met first

 private:
  std::deque<std::string> texts_;  // a deque: views into it stay valid as it grows
  std::vector<Index> first_row_;
  std::unordered_map<std::string_view, Column> code_of_;
  std::vector<Column> codes_;
  Index missing_ = 0;
};

}  // namespace medlar
