#include "medlar/data/csv_block.hpp"

#include <cmath>

#include "medlar/data/decimal.hpp"

namespace medlar {

bool CsvBlock::understands(std::string_view text, char delimiter) {
  const bool in_numbers = (delimiter >= '0' && delimiter <= '9') || delimiter == '.' || delimiter == '-';
  return !in_numbers && text.find('"') == std::string_view::npos;
}

bool CsvBlock::parse(char delimiter, std::size_t columns) {
  delimiter_ = delimiter;
  lines = 0;
  line_of.clear();
  seen.assign(columns, {});
  stride_ = block.size() / columns + 2;  // a row has a byte for each of its cells
  if (stride_ * columns > room_) {
    room_ = stride_ * columns;
    numbers_ = std::make_unique_for_overwrite<double[]>(room_);
  }
  at_ = line_start_ = block.data();
  end_ = block.data() + block.size();
  for (;;) {
    for (skip_blanks(); at_line_end(); skip_blanks()) {
      if (!skip_line_end()) return true;
    }
    at_ = line_start_;
    if (!read_row(columns)) return false;
    line_of.push_back(lines);
    skip_line_end();
  }
}

void CsvBlock::skip_blanks() {
  while (at_ != end_ && (*at_ == ' ' || (*at_ == '\t' && delimiter_ != '\t'))) ++at_;
}

bool CsvBlock::skip_line_end() {
  if (at_ == end_) return false;
  at_ += *at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n' ? 2 : 1;
  ++lines;
  line_start_ = at_;
  return true;
}

bool CsvBlock::read_row(std::size_t columns) {
  double* to = numbers_.get() + rows();
  for (std::size_t c = 0;; ++c, to += stride_) {
    if (*at_ == ' ' || *at_ == '\t') {
      skip_blanks();
      if (delimiter_ == ' ' && at_line_end()) return c == columns;  // blanks at the end of the line
    }
    if (c == columns) return false;
    double value = 0;
    const bool negative = *at_ == '-';
    const char* const stop = unsigned_decimal(at_ + negative, value);
    if (stop && (*stop == delimiter_ || *stop == '\n' || *stop == '\r')) {
      at_ = stop;
      *to = negative ? -value : value;
    } else {
      *to = cell(c);
    }
    if (!at_delimiter()) return c + 1 == columns;
    ++at_;
  }
}

// Any cell: a number, a NaN where it is missing or a text; and what is known of its column.
double CsvBlock::cell(std::size_t c) {
  const char* const start = at_;
  while (!at_line_end() && !at_delimiter()) ++at_;
  const std::string_view text = trim({start, at_});
  const auto found = [&] { return FoundCell{{lines, start - line_start_ + 1}, std::string(text)}; };
  Seen& column = seen[c];
  if (!column.first_text) {
    const auto number = parse_number(text);
    if (number && !std::isnan(*number)) {
      if (std::isinf(*number) && !column.first_infinite) column.first_infinite = found();
      return *number;
    }
    if (!number && !is_missing(text)) {
      column.first_text = found();
      return 0;
    }
    column.odd = column.odd || !is_missing(text);
  } else if (!is_missing(text)) {
    return 0;
  }
  ++column.missing;
  if (!column.first_missing) column.first_missing = found();
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace medlar
