// A label may be written "+1", "1" or "1.0" and still be the same number, but two whole numbers beyond 2^53 may be the
// same double although they were different labels. Such labels are refused, because classes would silently merge.
#include "medlar/prepare/labels.hpp"
#include "medlar/options/vocabulary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "medlar/error.hpp"
#include "medlar/options/option_text.hpp"

namespace medlar {

namespace {

// The place of a missing target, for messages.
std::string place(const Dataset& data, std::size_t t) {
  if (data.lines.empty()) return fmt::format("{}: example {}", data.source, t + 1);
  const Place first = data.target.first_missing;
  return first.line == data.lines[t] && first.column > 0
             ? fmt::format("{}:{}:{}", data.source, first.line, first.column)
             : fmt::format("{}:{}", data.source, data.lines[t]);
}

bool missing(const Target& target, std::size_t t) {
  return target.numeric ? std::isnan(target.values[t]) : target.codes[t] < 0;
}

void require_target(const Dataset& data) {
  if (!data.target.present) {
    throw DataError(fmt::format("{}: has no target; name its column with --target", data.source));
  }
  for (std::size_t t = 0; t < static_cast<std::size_t>(data.examples()); ++t) {
    if (missing(data.target, t)) {
      throw DataError(fmt::format(
          "{}: the target is empty{}; this model learns from labelled examples only: give it a value, remove "
          "the row, or{} use --model latent --latent labels",
          place(data, t), data.target.numeric ? " or NaN" : "",
          data.target.numeric ? ", if the targets are classes," : ""));
    }
  }
}

// The distinct labels in order, and the number of each example's label among them.
struct Coding {
  std::vector<std::string> labels;
  std::vector<std::size_t> code;
};

constexpr double kLastWhole = 9007199254740992;  // 2^53: beyond it doubles skip whole numbers

Coding coding_of(const Dataset& data) {
  const Target& target = data.target;
  Coding coding;
  if (target.numeric) {
    const std::set<double> values(target.values.begin(), target.values.end());
    std::map<double, std::size_t> place_of;
    for (const double value : values) {
      if (std::abs(value) >= kLastWhole) {
        throw DataError(
            fmt::format("{}: a label is near {:.0f}, where double precision tells no whole number from the next, so "
                        "that labels may "
                        "have become the same; number the classes anew, or use --task regress if it is a quantity",
                        data.source, value));
      }
      place_of[value] = coding.labels.size();
      coding.labels.push_back(fmt::format("{}", value));
    }
    for (const double value : target.values) coding.code.push_back(place_of[value]);
  } else {
    std::vector<std::size_t> place_of(target.labels.size(), 0);
    std::vector<bool> used(target.labels.size(), false);
    for (const Column code : target.codes) used[static_cast<std::size_t>(code)] = true;
    for (std::size_t l = 0; l < used.size(); ++l) {
      place_of[l] = coding.labels.size();
      if (used[l]) coding.labels.push_back(target.labels[l]);
    }
    for (const Column code : target.codes) coding.code.push_back(place_of[static_cast<std::size_t>(code)]);
  }
  return coding;
}

// Whether there are at most two distinct values; the third ends the search.
bool at_most_two(std::span<const double> values) {
  std::set<double> seen;
  return std::all_of(values.begin(), values.end(), [&](double value) { return seen.insert(value), seen.size() <= 2; });
}

std::string some_of(const std::vector<std::string>& labels) {
  const std::vector<std::string> first(labels.begin(),
                                       labels.begin() + std::min<std::ptrdiff_t>(6, std::ssize(labels)));
  return fmt::format("{}{}", fmt::join(first, ", "), labels.size() > first.size() ? ", ..." : "");
}

// "+1", "1" and "1.0" name the same number; other labels are compared as text.
bool names(const std::string& text, const std::string& label) {
  if (text == label) return true;
  const auto number = [](std::string_view word) {
    const bool plus = word.starts_with('+') && !word.starts_with("+-");
    return number_in(word.substr(plus ? 1 : 0));
  };
  const auto a = number(text), b = number(label);
  return a && b && *a == *b;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// Which labels count as positive.
std::vector<bool> positive_labels(const Coding& coding, const Settings& settings) {
  std::vector<bool> positive(coding.labels.size(), false);
  const std::vector<std::string> given = split(settings.positive);
  if (given.empty())
    throw OptionError(
        fmt::format("positive = '{}' names no label; the labels are {}", settings.positive, some_of(coding.labels)));
  for (const std::string& wanted : given) {
    const auto found = std::find_if(coding.labels.begin(), coding.labels.end(),
                                    [&](const std::string& label) { return names(wanted, label); });
    if (found == coding.labels.end()) {
      throw OptionError(fmt::format("positive = {}, but no example has that label; the labels are {}", wanted,
                                    some_of(coding.labels)));
    }
    positive[static_cast<std::size_t>(found - coding.labels.begin())] = true;
  }
  return positive;
}

}  // namespace

Task resolve_task(const Dataset& data, const Settings& settings) {
  require_target(data);
  if (settings.task != Task::automatic) {
    if (settings.task == Task::regress && !data.target.numeric) {
      throw OptionError(
          fmt::format("task = regress, but the target of {} is text ({}); use --task classify or another "
                      "--target",
                      data.source, some_of(data.target.labels)));
    }
    return settings.task;
  }
  if (!data.target.numeric || !settings.positive.empty()) return Task::classify;
  return at_most_two(data.target.values) ? Task::classify : Task::regress;
}

Settings for_parts(const Dataset& data, Settings settings) {
  if (settings.task == Task::automatic && settings.model != ModelKind::latent)
    settings.task = resolve_task(data, settings);
  return settings;
}

BinaryLabels binary_labels(const Dataset& data, const Settings& settings) {
  const Coding coding = coding_of(data);
  std::vector<bool> positive(coding.labels.size(), false);
  BinaryLabels binary;
  if (!settings.positive.empty()) {
    positive = positive_labels(coding, settings);
    std::vector<std::string> rest;
    for (std::size_t l = 0; l < positive.size(); ++l) {
      if (!positive[l]) rest.push_back(coding.labels[l]);
    }
    binary.labels = {rest.size() == 1 ? rest.front() : "not " + settings.positive, settings.positive};
  } else if (coding.labels.size() == 2) {
    positive[1] = true;
    binary.labels = coding.labels;
  } else if (coding.labels.size() == 1) {
    positive[0] = true;
    binary.labels = {"not " + coding.labels[0], coding.labels[0]};
  } else {
    throw DataError(fmt::format(
        "{}: the target has {} labels ({}), but this model tells two apart; name one (or several, separated "
        "by commas) with --positive LABEL to set it against the rest{}",
        data.source, coding.labels.size(), some_of(coding.labels),
        data.target.numeric ? ", or use --task regress" : ""));
  }
  for (const std::size_t code : coding.code) binary.y.push_back(positive[code] ? +1 : -1);
  return binary;
}

ClassLabels class_labels(const Dataset& data, const Settings& settings) {
  const Coding coding = coding_of(data);
  ClassLabels classes;
  if (!settings.positive.empty() || coding.labels.size() <= 2) {
    BinaryLabels binary = binary_labels(data, settings);
    for (const int y : binary.y) classes.y.push_back(y > 0 ? 1 : 0);
    classes.labels = std::move(binary.labels);
    return classes;
  }
  for (const std::size_t code : coding.code) classes.y.push_back(static_cast<Index>(code));
  classes.labels = coding.labels;
  return classes;
}

std::vector<double> real_targets(const Dataset& data) {
  for (std::size_t t = 0; t < data.target.values.size(); ++t) {
    if (!std::isfinite(data.target.values[t])) {
      throw DataError(
          fmt::format("{}: the target is {}, but must be a finite number", place(data, t), data.target.values[t]));
    }
  }
  return data.target.values;
}

namespace {

// The factor of each class.
std::vector<double> class_factors(const Settings& settings, const ClassLabels& classes,
                                  const std::vector<double>& weights) {
  std::vector<double> factors(classes.labels.size(), 1.0);
  if (settings.class_weight == ClassWeightKind::balanced) {
    std::vector<double> sums(factors.size(), 0.0);
    double total = 0;
    for (std::size_t t = 0; t < weights.size(); ++t) {
      sums[static_cast<std::size_t>(classes.y[t])] += weights[t];
      total += weights[t];
    }
    for (std::size_t k = 0; k < factors.size(); ++k) {
      if (sums[k] > 0) factors[k] = total / static_cast<double>(factors.size()) / sums[k];
    }
    return factors;
  }
  std::vector<bool> given(factors.size(), false);
  for (const std::string& entry : split(settings.class_weight.argument)) {
    const std::size_t colon = entry.rfind(':');
    const auto weight = colon == entry.npos ? std::nullopt : number_in(entry.substr(colon + 1));
    if (!weight || !(*weight > 0) || !std::isfinite(*weight)) {
      throw OptionError(fmt::format("class-weight has '{}', but needs label:weight with a weight above 0", entry));
    }
    const std::string label = entry.substr(0, colon);
    const auto found = std::find_if(classes.labels.rbegin(), classes.labels.rend(),
                                    [&](const std::string& known) { return names(label, known); });
    if (found == classes.labels.rend()) {
      throw OptionError(fmt::format("class-weight names the label '{}', but the labels are {}", label,
                                    classes.labels.size() == 2
                                        ? fmt::format("'{}' and '{}'", classes.labels[0], classes.labels[1])
                                        : some_of(classes.labels)));
    }
    const auto k = static_cast<std::size_t>(classes.labels.rend() - found - 1);
    if (given[k]) throw OptionError(fmt::format("class-weight has the label '{}' twice; give it once", label));
    given[k] = true;
    factors[k] = *weight;
  }
  return factors;
}

std::vector<double> example_weights(const Dataset& data) {
  std::vector<double> weights = data.weights;
  double total = 0;
  for (std::size_t t = 0; t < weights.size(); ++t) {
    if (!(weights[t] >= 0) || !std::isfinite(weights[t])) {
      throw DataError(
          fmt::format("{}: the weight is {}, but must be a finite number >= 0", place(data, t), weights[t]));
    }
    total += weights[t];
  }
  if (!weights.empty() && !(total > 0)) throw DataError(fmt::format("{}: every weight is 0", data.source));
  return weights;
}

}  // namespace

std::vector<double> resolve_weights(const Dataset& data, const Settings& settings, const ClassLabels& classes) {
  std::vector<double> weights = example_weights(data);
  if (settings.class_weight == ClassWeightKind::none) return weights;
  if (weights.empty()) weights.assign(static_cast<std::size_t>(data.examples()), 1.0);
  const std::vector<double> factors = class_factors(settings, classes, weights);
  for (std::size_t t = 0; t < weights.size(); ++t) weights[t] *= factors[static_cast<std::size_t>(classes.y[t])];
  return weights;
}

std::vector<double> resolve_weights(const Dataset& data, const Settings& settings, const BinaryLabels* binary) {
  if (binary == nullptr) {
    if (settings.class_weight != ClassWeightKind::none) {
      throw OptionError(fmt::format("class-weight = {}, but a regression has no classes", settings.class_weight));
    }
    return example_weights(data);
  }
  ClassLabels classes;
  for (const int y : binary->y) classes.y.push_back(y > 0 ? 1 : 0);
  classes.labels = binary->labels;
  return resolve_weights(data, settings, classes);
}

}  // namespace medlar
