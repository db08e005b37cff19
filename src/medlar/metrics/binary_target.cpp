// The target of a dataset as a model reads it: 1 for its positive label, 0 for its negative one.
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

std::optional<double> as_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "+1", "1" and "1.0" name the same label; texts that are no numbers are compared as text.
bool same(std::string_view label, double value) {
  return as_number(label) == value;
}
bool same(std::string_view label, std::string_view text) {
  if (label == text) return true;
  const auto number = as_number(text);
  return number && same(label, *number);
}

}  // namespace

std::vector<int> binary_target(const Model& model, const Dataset& data) {
  std::vector<int> y(static_cast<std::size_t>(data.examples()), -1);
  if (!data.target.present || model.labels.size() != 2) return y;
  const bool against_the_rest = !model.settings.positive.empty() || model.labels[0] == "not " + model.labels[1];
  const bool anomaly = model.task == Task::anomaly;
  const auto read = [&](const auto& value) {
    if (anomaly && model.settings.positive.empty()) return same("odd", value) || same("1", value) ? 1 : 0;
    if (same(model.labels[1], value)) return 1;
    if (same(model.labels[0], value)) return 0;
    for (const std::string_view label : parts(model.settings.positive)) {
      if (same(label, value)) return 1;
    }
    return against_the_rest || anomaly ? 0 : -1;
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

std::vector<int> class_target(const Model& model, const Dataset& data) {
  if (model.labels.size() <= 2) return binary_target(model, data);
  std::vector<int> y(static_cast<std::size_t>(data.examples()), -1);
  if (!data.target.present) return y;
  const auto read = [&](const auto& value) {
    for (std::size_t k = 0; k < model.labels.size(); ++k) {
      if (same(model.labels[k], value)) return static_cast<int>(k);
    }
    return -1;
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
