#include "medlar/data/lines.hpp"

#include "medlar/data/text.hpp"

namespace medlar {

bool Lines::next(std::string_view& line) {
  carried_.clear();
  bool carrying = false;
  for (;;) {
    if (block_.empty()) block_ = input_.next();
    if (block_.empty()) {
      if (!carrying) return false;
      line = carried_;
      break;
    }
    const std::size_t end = block_.find('\n');
    if (end == std::string_view::npos) {
      carried_ += block_;
      block_ = {};
      carrying = true;
      continue;
    }
    line = block_.substr(0, end);
    block_.remove_prefix(end + 1);
    if (carrying) {
      carried_ += line;
      line = carried_;
    }
    break;
  }
  ++number_;
  if (number_ == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (const std::size_t zero = line.find('\0'); zero != std::string_view::npos) {
    fail_at(input_.name(), {number_, static_cast<Index>(zero) + 1}, "a zero byte; this is a binary file and no text");
  }
  return true;
}

}  // namespace medlar
