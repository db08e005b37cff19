// A value of a model file that knows where it stands.
#include "medlar/modelfile/json_field.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "medlar/error.hpp"
#include "medlar/options/option_text.hpp"

namespace medlar {

void JsonField::refuse(const std::string& complaint) const {
  throw DataError(fmt::format("{}: {} {}", source_, path_.empty() ? "the model" : path_, complaint));
}

JsonField JsonField::at(const std::string& name) const {
  if (!value_.is_object()) refuse("must be an object");
  JsonField field(value_, source_, path_.empty() ? name : path_ + "." + name);
  const auto found = value_.find(name);
  if (found == value_.end()) field.refuse("is missing");
  return {*found, source_, std::move(field.path_)};
}

std::vector<JsonField> JsonField::items() const {
  if (!value_.is_array()) refuse("must be an array");
  std::vector<JsonField> list;
  list.reserve(value_.size());
  for (std::size_t i = 0; i < value_.size(); ++i)
    list.emplace_back(value_[i], source_, fmt::format("{}[{}]", path_, i));
  return list;
}

std::vector<std::string> JsonField::keys() const {
  if (!value_.is_object()) refuse("must be an object");
  std::vector<std::string> list;
  for (const auto& entry : value_.items()) list.push_back(entry.key());
  return list;
}

std::string JsonField::text() const {
  if (!value_.is_string()) refuse("must be a text");
  return unescaped(value_.get_ref<const std::string&>());
}

double JsonField::number() const {
  if (value_.is_number()) return value_.get<double>();
  const std::string word = value_.is_string() ? value_.get<std::string>() : "";
  if (word == "inf") return std::numeric_limits<double>::infinity();
  if (word == "-inf") return -std::numeric_limits<double>::infinity();
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  refuse("must be a number");
}

bool JsonField::yes() const {
  if (!value_.is_boolean()) refuse("must be true or false");
  return value_.get<bool>();
}

double JsonField::finite() const {
  const double value = number();
  if (!std::isfinite(value)) refuse(fmt::format("is {}, but must be finite", value));
  return value;
}

double JsonField::at_least(double low) const {
  const double value = finite();
  if (value < low) refuse(fmt::format("is {}, but must be >= {}", value, low));
  return value;
}

Index JsonField::integer(Index low, Index high) const {
  const bool fits = value_.is_number_integer() &&
                    (!value_.is_number_unsigned() ||
                     value_.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<Index>::max()));
  if (!fits || value_.get<Index>() < low || value_.get<Index>() > high) {
    refuse(fmt::format("is {}, but must be a whole number from {} to {}", shown(), low, high));
  }
  return value_.get<Index>();
}

Index JsonField::count() const {
  return integer(0, std::numeric_limits<Index>::max());
}

std::string JsonField::number_or_text() const {
  if (value_.is_number_integer()) return shown();
  return value_.is_number() ? text_of(value_.get<double>()) : text();
}

std::vector<std::string> JsonField::texts() const {
  std::vector<std::string> list;
  for (const JsonField& item : items()) list.push_back(item.text());
  return list;
}

std::vector<double> JsonField::finites() const {
  std::vector<double> list;
  for (const JsonField& item : items()) list.push_back(item.finite());
  return list;
}

void JsonField::refuse_word(const std::vector<std::string_view>& allowed) const {
  std::string known;
  for (std::size_t k = 0; k < allowed.size(); ++k) {
    known += fmt::format("{}{}", k == 0 ? "" : k + 1 < allowed.size() ? ", " : " or ", allowed[k]);
  }
  refuse(fmt::format("is '{}', but must be {}", text(), known));
}

}  // namespace medlar
