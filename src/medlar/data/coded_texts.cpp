#include "medlar/data/coded_texts.hpp"

#include <algorithm>
#include <numeric>

#include "medlar/data/text.hpp"

namespace medlar {

bool CodedTexts::add(std::string_view text) {
  if (!codes_.empty() && codes_.back() >= 0 && texts_[static_cast<std::size_t>(codes_.back())] == text) {
    codes_.push_back(codes_.back());
    return false;
  }
  if (const auto found = code_of_.find(text); found != code_of_.end()) {
    codes_.push_back(found->second);
    return false;
  }
  if (is_missing(text)) {
    codes_.push_back(-1);
    ++missing_;
    return false;
  }
  const auto code = static_cast<Column>(texts_.size());
  first_row_.push_back(size());
  texts_.emplace_back(text);
  code_of_.emplace(texts_.back(), code);
  codes_.push_back(code);
  return true;
}

void CodedTexts::sort() {
  std::vector<Column> order(texts_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Column a, Column b) {
    return texts_[static_cast<std::size_t>(a)] < texts_[static_cast<std::size_t>(b)];
  });
  std::deque<std::string> texts;
  std::vector<Index> first_row;
  std::vector<Column> rank(order.size());
  for (const Column code : order) {
    rank[static_cast<std::size_t>(code)] = static_cast<Column>(texts.size());
    first_row.push_back(first_row_[static_cast<std::size_t>(code)]);
    texts.push_back(std::move(texts_[static_cast<std::size_t>(code)]));
  }
  for (Column& code : codes_) {
    if (code >= 0) code = rank[static_cast<std::size_t>(code)];
  }
  texts_ = std::move(texts);
  first_row_ = std::move(first_row);
  code_of_.clear();
  for (std::size_t k = 0; k < texts_.size(); ++k) code_of_.emplace(texts_[k], static_cast<Column>(k));
}

}  // namespace medlar
