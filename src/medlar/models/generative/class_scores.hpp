// What classifiers of --model generative compute from scores: the scale of margins, the preferred bias, probabilities.
// Scores are stored class by class.
#pragma once

#include <span>
#include <vector>

#include "medlar/model.hpp"
#include "medlar/prepare/labels.hpp"
#include "medlar/prepare/prepare.hpp"
#include "medlar/prepare/time_left.hpp"

namespace medlar {

// The examples of a classifier that count, their classes, and the biases wanted before the fit: the log of the class
// shares, or 0 with bias = none.
struct LabelledExamples {
  LabelledExamples(const Dataset& data, const Settings& settings);
  ClassLabels labels;
  Examples examples;
  std::vector<Index> y;  // of those that count
  std::vector<double> wanted_bias;
  Index classes() const { return labels.classes(); }
  double weight(std::size_t t) const { return examples.weights.empty() ? 1.0 : examples.weights[t]; }
};

std::vector<double> class_weights_of(std::span<const Index> y, std::span<const double> weights, Index classes);

// The median over examples of the absolute margin to the nearest rival.
double margin_scale(std::span<const double> scores, std::span<const Index> y, Index classes);

// Fits the curve that turns scores into probabilities, to scores of folds that were left out. It uses `left_out`, the
// scores of examples y before the fit, if that was asked for or the classes are too small. Examples count by their
// weights and those of their classes.
void set_probabilities(Model& model, const Dataset& data, const Settings& asked, const ClassLabels& classes,
                       std::span<const double> left_out, std::span<const Index> y, const FitTime& time);

}  // namespace medlar
