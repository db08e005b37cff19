// A value of a model file that knows its place, so that an error names the file and the field: "model.json:
// features[3].sd is -1, but must be >= 0".
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "medlar/modelfile/json_text.hpp"
#include "medlar/types.hpp"
#include "medlar/words.hpp"

namespace medlar {

class JsonField {
 public:
  JsonField(const Json& value, const std::string& source, std::string path)
      : value_(value), source_(source), path_(std::move(path)) {}

  [[noreturn]] void refuse(const std::string& complaint) const;  // throws DataError

  bool has(const char* name) const { return value_.is_object() && value_.contains(name); }
  JsonField at(const std::string& name) const;
  std::vector<JsonField> items() const;
  std::vector<std::string> keys() const;
  bool is_object() const { return value_.is_object(); }
  bool is_number() const { return value_.is_number(); }

  std::string text() const;
  double number() const;  // also "inf", "-inf" and "nan"
  double finite() const;
  double at_least(double low) const;
  Index integer(Index low, Index high) const;
  bool yes() const;                    // true or false
  Index count() const;                 // a whole number >= 0
  std::string number_or_text() const;  // as the table of options reads it
  std::vector<std::string> texts() const;
  std::vector<double> finites() const;
  // One of these words; any other is refused with their list.
  template <Worded Kind>
  Kind word(std::initializer_list<Kind> allowed) const;

 private:
  [[noreturn]] void refuse_word(const std::vector<std::string_view>& allowed) const;
  std::string shown() const { return value_.dump(-1, ' ', false, Json::error_handler_t::replace); }
  const Json& value_;
  const std::string& source_;
  std::string path_;
};

template <Worded Kind>
Kind JsonField::word(std::initializer_list<Kind> allowed) const {
  const auto kind = read_word<Kind>(text());
  std::vector<std::string_view> known;
  for (const Kind each : allowed) {
    if (kind == each) return each;
    known.push_back(word_of(each));
  }
  refuse_word(known);
}

}  // namespace medlar
