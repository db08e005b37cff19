#include "medlar/data/csv_records.hpp"

#include <algorithm>

namespace medlar {

CsvRecords::CsvRecords(std::string_view text, char delimiter, std::string file, Index first_line)
    : text_(text), delimiter_(delimiter), file_(std::move(file)), now_(first_line) {}

bool CsvRecords::at_blank() const {
  return at_ < text_.size() && (text_[at_] == ' ' || (text_[at_] == '\t' && delimiter_ != '\t'));
}

bool CsvRecords::at_delimiter() const {
  if (at_ == text_.size()) return false;
  return delimiter_ == ' ' ? text_[at_] == ' ' || text_[at_] == '\t' : text_[at_] == delimiter_;
}

void CsvRecords::skip_blanks() {
  while (at_blank()) ++at_;
}

bool CsvRecords::skip_line_end() {
  if (at_ == text_.size()) return false;
  at_ += text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n' ? 2 : 1;
  ++now_;
  line_start_ = at_;
  return true;
}

CsvCell CsvRecords::plain_cell() {
  const std::size_t start = at_;
  while (!at_line_end() && !at_delimiter()) ++at_;
  return {trim(text_.substr(start, at_ - start)), place(start)};
}

CsvCell CsvRecords::quoted_cell() {
  const Place opened = place(at_);
  const std::size_t start = ++at_;
  std::string* unquoted = nullptr;
  std::size_t from = start;  // of the piece not yet copied, once there is a doubled quote
  for (;; ++at_) {
    if (at_ == text_.size()) fail_at(file_, opened, "the quote that opens here is never closed");
    if (text_[at_] == '"') {
      if (at_ + 1 == text_.size() || text_[at_ + 1] != '"') break;
      if (!unquoted) unquoted = &unquoted_.emplace_back();
      unquoted->append(text_.substr(from, at_ + 1 - from));
      from = ++at_ + 1;
    } else if (text_[at_] == '\n' || (text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] != '\n'))) {
      ++now_;
      line_start_ = at_ + 1;
    }
  }
  const std::string_view last = text_.substr(from, at_ - from);
  if (unquoted) unquoted->append(last);
  ++at_;
  if (delimiter_ != ' ') skip_blanks();
  if (!at_line_end() && !at_delimiter()) {
    fail_at(file_, place(at_), "text after the closing quote; a quote inside a quoted cell is written twice");
  }
  return {unquoted ? std::string_view(*unquoted) : last, opened};
}

bool CsvRecords::next() {
  cells_.clear();
  unquoted_.clear();
  for (skip_blanks(); at_line_end(); skip_blanks()) {
    if (!skip_line_end()) return false;
  }
  at_ = line_start_;
  line_ = now_;
  for (;;) {
    skip_blanks();
    if (delimiter_ == ' ' && at_line_end()) break;  // blanks at the end of the line
    cells_.push_back(at_ < text_.size() && text_[at_] == '"' ? quoted_cell() : plain_cell());
    if (!at_delimiter()) break;
    ++at_;
  }
  skip_line_end();
  return true;
}

namespace {

// Cells of each of the first records if all have the same number of them, else 0.
std::size_t even_cells(std::string_view text, char delimiter) {
  CsvRecords records(text, delimiter, "");
  std::size_t cells = 0;
  try {
    for (int k = 0; k < 100 && records.next(); ++k) {
      if (cells == 0) cells = records.cells().size();
      if (records.cells().size() != cells) return 0;
    }
  } catch (const DataError&) {
    return 0;  // a quote that this delimiter cannot explain
  }
  return cells;
}

}  // namespace

char guess_delimiter(std::string_view text) {
  for (const char delimiter : {'\t', ';', ',', ' '}) {
    if (even_cells(text, delimiter) > 1) return delimiter;
  }
  // Ragged or a single column: the delimiter that the first line holds most often, so that the message is about it.
  const std::string_view first = text.substr(0, text.find_first_of("\r\n"));
  char best = ',';
  std::ptrdiff_t most = 0;
  for (const char delimiter : {',', ';', '\t'}) {
    const auto count = std::count(first.begin(), first.end(), delimiter);
    if (count > most) {
      most = count;
      best = delimiter;
    }
  }
  return best;
}

}  // namespace medlar
