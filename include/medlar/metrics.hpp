// How good predictions are.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "medlar/model.hpp"

namespace medlar {

struct ClassificationMetrics {
  Index examples = 0;
  double accuracy = 0, auc = 0, log_loss = 0, brier = 0, balanced_accuracy = 0, precision = 0, recall = 0, f1 = 0;
  Index true_positive = 0, false_positive = 0, true_negative = 0, false_negative = 0;
};

struct RegressionMetrics {
  Index examples = 0;
  double rmse = 0, mae = 0, eps_loss = 0, r2 = 0;
};

// y holds 0 or 1; weights are empty or one per example. AUC is NaN when only one class is there.
ClassificationMetrics classification_metrics(std::span<const Prediction> predicted, std::span<const int> y,
                                             std::span<const double> weights = {});
RegressionMetrics regression_metrics(std::span<const Prediction> predicted, std::span<const double> y, double epsilon,
                                     std::span<const double> weights = {});

// Area under the ROC curve, ties counted half.
double auc(std::span<const double> score, std::span<const int> y, std::span<const double> weights = {});

// The label (0 or 1) of each example under the model's own reading of its labels; -1 where the target is missing
// or is no label of the model.
std::vector<int> binary_target(const Model& model, const Dataset& data);

}  // namespace medlar
