// The target of a dataset in the words of a model: 1 for its positive label, 0 for its negative one.
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "medlar/metrics.hpp"

namespace medlar {
namespace {

std::vector<std::string_view> parts(std::string_view list) {
  std::vector<std::string_view> found;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    found.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return found;
}

bool same(std::string_view label, double value) {
  double number = 0;
  const char* const last = label.data() + label.size();
  const char* const first = label.data() + (label.starts_with('+') ? 1 : 0);
  const auto [end, fault] = std::from_chars(first, last, number);
  return fault == std::errc() && end == last && number == value;
}
bool same(std::string_view label, std::string_view text) {
  return label == text;
}

}  // namespace

std::vector<int> binary_target(const Model& model, const Dataset& data) {
  std::vector<int> y(static_cast<std::size_t>(data.examples()), -1);
  if (!data.target.present || model.labels.size() != 2) return y;
  const auto read = [&](const auto& value) {
    if (same(model.labels[1], value)) return 1;
    if (same(model.labels[0], value)) return 0;
    if (model.settings.positive.empty()) return -1;
    for (const std::string_view label : parts(model.settings.positive)) {
      if (same(label, value)) return 1;
    }
    return 0;
  };
  for (std::size_t t = 0; t < y.size(); ++t) {
    if (data.target.numeric) {
      if (!std::isnan(data.target.values[t])) y[t] = read(data.target.values[t]);
    } else if (data.target.codes[t] >= 0) {
      y[t] = read(std::string_view(data.target.labels[static_cast<std::size_t>(data.target.codes[t])]));
    }
  }
  return y;
}

}  // namespace medlar
