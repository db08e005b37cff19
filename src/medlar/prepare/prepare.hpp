// What every kind of model does to a dataset before it fits: it leaves out examples of weight 0, resolves settings that
// depend on the data, and makes transforms from the training data and applies them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "medlar/dataset.hpp"
#include "medlar/model.hpp"
#include "medlar/prepare/labels.hpp"

namespace medlar {

// The examples with weight above 0, with their places in the dataset.
struct Examples {
  std::vector<Index> rows;
  std::vector<double> weights;  // empty: every example counts once
};

Examples counted_examples(const Dataset& data, std::span<const double> weights);

// The values of those rows.
template <class Value>
std::vector<Value> at(const std::vector<Value>& values, std::span<const Index> rows) {
  std::vector<Value> chosen;
  chosen.reserve(rows.size());
  for (const Index t : rows) chosen.push_back(values[static_cast<std::size_t>(t)]);
  return chosen;
}

struct Moments {
  double mean = 0, sd = 0;
};

Moments weighted_moments(std::span<const double> y, std::span<const double> weights);

// Replaces margin = auto by the task's own, and bias = auto by the model's. A margin of the other task is an
// OptionError.
void resolve_margin_and_bias(Settings& settings);

// Classification is measured in units of the margin's location: c = 3, v = 1.
void resolve_classification_scale(Settings& settings, const Matrix& x);

// Regression is measured in units of the target: its standard deviation sets c, epsilon and the prior variance, so
// that a change of units changes nothing (c ~ 1/y, epsilon ~ y, v ~ y^2).
void resolve_regression_scale(Settings& settings, const Matrix& x, double sd);

// Transforms made from the training data, the matrix that they give, and the names of its features.
struct Prepared {
  Matrix x;
  std::vector<Transform> transforms;
  std::vector<std::string> names;
};

// Resolves settings.scale.
Prepared prepare(const Dataset& data, const Examples& examples, Settings& settings);

// A flat bias needs examples of both labels.
void require_both_classes(std::span<const int> y, const Settings& settings, const BinaryLabels& binary,
                          const Target& target);
// Flat biases of several classes need examples of each.
void require_each_class(std::span<const Index> y, const Settings& settings, const ClassLabels& classes);

}  // namespace medlar
