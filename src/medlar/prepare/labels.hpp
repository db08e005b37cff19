// The target of a dataset as the numbers a task needs.
#pragma once

#include <string>
#include <vector>

#include "medlar/dataset.hpp"
#include "medlar/settings.hpp"

namespace medlar {

// classify or regress: as asked, else classify when the target is text or has two values. Throws without a target.
Task resolve_task(const Dataset& data, const Settings& settings);

// The settings for fits to parts of the data. The task is decided from all of it, because a part may have fewer values.
Settings for_parts(const Dataset& data, Settings settings);

struct BinaryLabels {
  std::vector<int> y;               // +1 or -1
  std::vector<std::string> labels;  // negative, positive
};

// Two labels; the larger number or later text is positive. Or Settings::positive against the rest.
BinaryLabels binary_labels(const Dataset& data, const Settings& settings);

// Classes 0 .. K - 1. With two labels, or Settings::positive against the rest, the second class is the positive one.
// With more labels each is a class.
struct ClassLabels {
  std::vector<Index> y;
  std::vector<std::string> labels;
  Index classes() const { return static_cast<Index>(labels.size()); }
};
ClassLabels class_labels(const Dataset& data, const Settings& settings);

// Numbers, all present.
std::vector<double> real_targets(const Dataset& data);

// Example weights times class weights; empty when every example counts once. y is empty for regression.
std::vector<double> resolve_weights(const Dataset& data, const Settings& settings, const BinaryLabels* binary);
std::vector<double> resolve_weights(const Dataset& data, const Settings& settings, const ClassLabels& classes);

}  // namespace medlar
