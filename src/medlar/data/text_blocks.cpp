#include "medlar/data/text_blocks.hpp"

#include <algorithm>

namespace medlar {

bool TextBlocks::next(TextBlock& block) {
  if (finished_) return false;
  std::vector<char>& bytes = block.bytes_;
  std::size_t size = carried_.size();
  std::size_t searched = size;  // no line ends before
  bytes.resize(std::max(bytes.size(), size + size_ + TextBlock::padding));
  std::copy(carried_.begin(), carried_.end(), bytes.begin());
  std::size_t lines_end = 0;
  for (;;) {
    const std::size_t room = std::max(size_, size);
    if (bytes.size() < size + room + TextBlock::padding) bytes.resize(size + room + TextBlock::padding);
    const std::size_t got = input_.read(bytes.data() + size, room);
    size += got;
    finished_ = got < room;
    if (finished_) {
      if (size > 0 && bytes[size - 1] != '\n') bytes[size++] = '\n';
      lines_end = size;
      break;
    }
    const auto last = std::string_view(bytes.data() + searched, size - searched).rfind('\n');
    if (last != std::string_view::npos) {
      lines_end = searched + last + 1;
      break;
    }
    searched = size;
  }
  carried_.assign(bytes.data() + lines_end, bytes.data() + size);
  block.first_ = !started_ && std::string_view(bytes.data(), lines_end).starts_with("\xef\xbb\xbf") ? 3 : 0;
  block.end_ = lines_end;
  block.fraction_ = input_.fraction();
  started_ = true;
  return lines_end > 0;
}

bool TextRanges::next(std::string_view& block) {
  const std::size_t end = size_ < text_.size() ? text_.find('\n', size_ - 1) : std::string_view::npos;
  block = text_.substr(0, end == std::string_view::npos ? end : end + 1);
  text_.remove_prefix(block.size());
  return !block.empty();
}

}  // namespace medlar
