#include "medlar/data/lines.hpp"

#include "medlar/data/text.hpp"

namespace medlar {

bool Lines::next(std::string_view& line) {
  if (rest_.empty()) {
    if (!blocks_.next(block_)) return false;
    rest_ = {block_.begin(), block_.end()};
  }
  line = rest_.substr(0, rest_.find('\n'));
  rest_.remove_prefix(line.size() + 1);
  ++number_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (const std::size_t zero = line.find('\0'); zero != std::string_view::npos) {
    fail_at(blocks_.input().name(), {number_, static_cast<Index>(zero) + 1},
            "a zero byte; this is a binary file and no text");
  }
  return true;
}

}  // namespace medlar
