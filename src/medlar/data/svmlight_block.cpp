#include "medlar/data/svmlight_block.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "medlar/data/decimal.hpp"

namespace medlar {
namespace {

constexpr Index largest_index = std::numeric_limits<Index>::max();
constexpr Index largest_narrow_index = std::numeric_limits<Column>::max();

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool ends_word(char c) {
  return is_blank(c) || c == '\n' || c == '#';
}

}  // namespace

void SvmlightBlock::parse(Index first_line, const std::string& file, const ReadOptions& options) {
  file_ = &file;
  options_ = &options;
  static const std::vector<Index> all;
  const std::vector<Index>& indices = options.schema ? options.schema->indices : all;
  const Index known = options.schema ? options.schema->features : 0;
  limit_ = !indices.empty() ? indices.back() : known > 0 ? known : largest_index;
  largest_value_ = options.precision == ValuePrecision::floats ? largest_for_float : std::numeric_limits<double>::max();
  first_line_ = first_line;
  const std::size_t most = block.size() / 4 + 2;  // the shortest entry is " 1:1"
  values.at_least(most);
  read_lines(columns.at_least(most));
  wide = largest > largest_narrow_index;
  if (wide) read_lines(wide_columns.at_least(most));  // once more: few files have such indices
  if (indices.empty()) return;
  wide ? keep_known(wide_columns.get(), indices) : keep_known(columns.get(), indices);
  wide = false;
}

template <class Number>
void SvmlightBlock::read_lines(Number* column_of) {
  lines = largest = query_ids = beyond = 0;
  entries = 0;
  labels.clear();
  line_of.clear();
  ends.clear();
  const auto* const zero = static_cast<const char*>(std::memchr(block.begin(), '\0', block.size()));
  for (at_ = block.begin(); at_ < block.end(); ++lines) {
    begin_ = at_;
    if (zero) refuse_zero_byte(zero);
    read_line(column_of);
    at_ = *at_ == '\n'
              ? at_ + 1
              : static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(block.end() - at_))) + 1;
  }
}

void SvmlightBlock::refuse_zero_byte(const char* zero) const {
  if (std::memchr(begin_, '\n', static_cast<std::size_t>(zero - begin_))) return;  // it stands in a later line
  fail_at(*file_, place(zero), "a zero byte; this is a binary file and no text");
}

// One line: the label, then its features. Stops at the line's end or at a comment.
template <class Number>
void SvmlightBlock::read_line(Number* column_of) {
  skip_blanks();
  if (finished()) return;
  labels.push_back(label());
  features(column_of);
  line_of.push_back(lines);
  ends.push_back(static_cast<Index>(entries));
}

void SvmlightBlock::skip_blanks() {
  while (is_blank(*at_)) ++at_;
}

std::string_view SvmlightBlock::word() const {
  const char* stop = at_;
  while (!ends_word(*stop)) ++stop;
  return {at_, stop};
}

// A line may do without its label where no target is needed: it then starts with a feature.
std::string_view SvmlightBlock::label() {
  const std::string_view text = word();
  if (text.find(':') != std::string_view::npos) {
    if (!options_->target_required || !options_->target_file.empty()) return {};
    fail_at(*file_, place(at_), "the line starts with '{}' where its label should be", shown(text));
  }
  at_ += text.size();
  return text;
}

// A Number too narrow for an index keeps some other one: `largest` tells.
template <class Number>
void SvmlightBlock::features(Number* column_of) {
  Index previous = 0, last = 0;
  const char* at = at_;
  double* const value_of = values.get();
  std::size_t count = entries;
  for (;;) {
    at += *at == ' ';
    const Digits digits = leading_digits(at);
    if (digits.count > 0 && digits.count < 8 && at[digits.count] == ':' && static_cast<Index>(digits.value) > previous)
        [[likely]] {
      previous = static_cast<Index>(digits.value);
      at += digits.count + 1;
    } else {
      at_ = at;
      skip_blanks();
      if (finished()) break;
      if (std::string_view(at_, block.end()).starts_with("qid:")) {
        while (!is_blank(*at_) && *at_ != '\n') ++at_;
        ++query_ids;
        at = at_;
        continue;
      }
      previous = index(previous);
      at = at_;
    }
    double value = 0;
    const char* const start = at;
    const bool negative = *at == '-';
    const char* stop = unsigned_decimal(at + negative, value);
    if (stop && ends_word(*stop)) [[likely]] {
      at = stop;
      if (negative) value = -value;
    } else {
      at_ = at;
      value = number();
      at = at_;
    }
    if (std::abs(value) > largest_value_) [[unlikely]]
      refuse_for_float(start);
    if (previous > limit_) {
      beyond += value != 0;
      continue;
    }
    last = previous;
    column_of[count] = static_cast<Number>(previous - 1);
    value_of[count] = value;
    count += value != 0;  // zeros that are written out are not stored
  }
  entries = count;
  if (last > largest) largest = last;
}

// The features of the model have those indices: entries of others go, and columns become the places of theirs.
template <class Number>
void SvmlightBlock::keep_known(const Number* column_of, const std::vector<Index>& indices) {
  Column* const place_of = columns.get();  // may be column_of: what is written has been read
  double* const value_of = values.get();
  std::size_t read = 0, kept = 0;
  for (Index& end : ends) {
    auto at = indices.begin();
    for (; read < static_cast<std::size_t>(end); ++read) {
      const Index index = Index{column_of[read]} + 1;
      at = std::lower_bound(at, indices.end(), index);
      if (at == indices.end() || *at != index) {
        ++beyond;
        continue;
      }
      place_of[kept] = static_cast<Column>(at - indices.begin());
      value_of[kept++] = value_of[read];
    }
    end = static_cast<Index>(kept);
  }
  entries = kept;
}

// The index at at_ and its colon, however it is written.
Index SvmlightBlock::index(Index previous) {
  const char* const start = at_;
  Index index = 0;
  bool too_large = false;
  for (; is_digit(*at_); ++at_) {
    const int digit = *at_ - '0';
    too_large = too_large || index > (largest_index - digit) / 10;
    if (!too_large) index = 10 * index + digit;
  }
  if (at_ == start || *at_ != ':') {
    at_ = start;
    fail_at(*file_, place(start), "'{}' found where index:value should be", shown(word()));
  }
  if (too_large) {
    fail_at(*file_, place(start), "feature index {} is above {}, the largest there can be; renumber the features",
            std::string_view(start, at_), largest_index);
  }
  if (index <= previous) refuse_index(start, index, previous);
  ++at_;
  return index;
}

void SvmlightBlock::refuse_index(const char* start, Index index, Index previous) const {
  if (index == 0) {
    fail_at(*file_, place(start), "feature index 0, but indices count from 1; add 1 to every index");
  }
  fail_at(*file_, place(start), "feature index {} follows {}; indices must increase within a line", index, previous);
}

void SvmlightBlock::refuse_for_float(const char* start) {
  at_ = start;
  fail_at(*file_, place(start), "value {} is too large for a float; use --precision double", shown(word()));
}

// The number at at_, however it is written.
double SvmlightBlock::number() {
  const char* const start = at_;
  const char* const digits = at_ + (*at_ == '+');
  double value = 0;
  const auto [stop, error] = fast_float::from_chars(digits, block.end(), value);
  if (!ends_word(*stop) || stop == digits || (error != std::errc() && error != std::errc::result_out_of_range)) {
    fail_at(*file_, place(start), "value '{}' is no number", shown(word()));
  }
  if (!std::isfinite(value)) {
    fail_at(*file_, place(start), "value {}, but a value must be a finite number; leave the entry out or replace it",
            shown(word()));
  }
  at_ = stop;
  return value;
}

}  // namespace medlar
