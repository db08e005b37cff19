// How good predictions are.
#pragma once

#include <span>
#include <vector>

#include "medlar/measure.hpp"
#include "medlar/model.hpp"

namespace medlar {

// Rates and means are weighted; the four counts of the confusion table count examples. What is undefined is NaN: the
// AUC, the balanced accuracy and the recall without examples of a class, the precision without positive predictions,
// R2 of a constant target, and everything without examples.
struct ClassificationMetrics {
  Index examples = 0;
  double accuracy = 0, auc = 0, log_loss = 0, brier = 0, balanced_accuracy = 0, precision = 0, recall = 0, f1 = 0;
  double margin_loss = 0;  // the mean of log(1 + e^(-4 m)), m = score on the right side: the log loss if e^4 were the
                           // odds of a score of 1, whatever the spread of the fitted distribution is
  Index true_positive = 0, false_positive = 0, true_negative = 0, false_negative = 0;
};

// Of more than two classes: rates of the labels as they were predicted, and the AUC of each class against the rest by
// its probability, averaged over the classes that are there.
struct MulticlassMetrics {
  Index examples = 0;
  double accuracy = 0, auc = 0, log_loss = 0, brier = 0, balanced_accuracy = 0, f1 = 0;  // f1: the mean over classes
  std::vector<std::vector<Index>> confusion;                                             // by truth, then by prediction
};

struct RegressionMetrics {
  Index examples = 0;
  double rmse = 0, mae = 0, eps_loss = 0, r2 = 0;
};

// The log loss takes probabilities as if they lay in [1e-15, 1 - 1e-15], so that one sure and wrong prediction costs
// 34.5 and not infinity.
inline constexpr double log_loss_floor = 1e-15;

// y holds 0 or 1; weights are empty or one per example. Wrong lengths and negative weights are an OptionError.
ClassificationMetrics classification_metrics(std::span<const Prediction> predicted, std::span<const int> y,
                                             std::span<const double> weights = {});
// y holds indices of labels, of which there are `classes`.
MulticlassMetrics multiclass_metrics(std::span<const Prediction> predicted, std::span<const int> y, Index classes,
                                     std::span<const double> weights = {});
// The eps-loss is the mean of max(0, |y - prediction| - epsilon).
RegressionMetrics regression_metrics(std::span<const Prediction> predicted, std::span<const double> y, double epsilon,
                                     std::span<const double> weights = {});

// Area under the ROC curve, ties counted half.
double auc(std::span<const double> score, std::span<const int> y, std::span<const double> weights = {});

// What follows from calling positive every example whose score is at least `threshold`: counts of examples, weighted
// rates. One point for each distinct score, from the highest downwards, after one that calls no example positive (its
// threshold is infinite). A rate without examples of its class, and the precision of the first point, are NaN.
struct OperatingPoint {
  double threshold = 0;
  Index true_positive = 0, false_positive = 0;
  double true_positive_rate = 0, false_positive_rate = 0, precision = 0;
};
std::vector<OperatingPoint> operating_points(std::span<const double> score, std::span<const int> y,
                                             std::span<const double> weights = {});

// The mean of the precision over the recall, step by step down the scores; NaN without positive examples.
double average_precision(std::span<const OperatingPoint> points);

// `bins` equal parts of [0, 1]; those without examples are left out.
std::vector<CalibrationBin> calibration(std::span<const Prediction> predicted, std::span<const int> y,
                                        std::span<const double> weights = {}, Index bins = 10);

// The corners of the ROC curve from (0, 0) to (1, 1), one per distinct score; empty when only one class is there.
struct RocPoint {
  double false_positive_rate = 0, true_positive_rate = 0;
};
std::vector<RocPoint> roc_curve(std::span<const double> score, std::span<const int> y,
                                std::span<const double> weights = {});

// The label (0 or 1) of each example under the model's own reading of its labels; -1 where the target is missing
// or is no label of the model.
std::vector<int> binary_target(const Model& model, const Dataset& data);
// Likewise for any number of labels: the index of each example's label.
std::vector<int> class_target(const Model& model, const Dataset& data);

// A model's predictions for the examples that have a target, beside that target.
struct Comparison {
  std::vector<Prediction> predicted;
  std::vector<int> y;          // classify: index of the label; anomaly: 1 for odd
  std::vector<double> values;  // regress
  std::vector<double> weights;
  std::vector<Index> rows;  // which example of the dataset each of them is
  Index left_out = 0;       // examples without a target, or with a label that the model does not know
};
// Throws DataError when no example has a target that the model can be compared with. The score of an anomaly detector
// is turned about, so that high is odd, and so is its probability. Its odd examples are those that --positive named, or
// else those with the target "odd" or 1.
Comparison compare(const Model& model, const Dataset& data);

// The number that cross-validation goes by: of two classes the margin loss of linear models and the AUC of others, of
// more the accuracy, RMSE to regress. An undefined one is an OptionError.
Measured held_out_score(const Model& model, const Dataset& data);

// The same by another metric: auc, accuracy, margin-loss, log-loss, brier; rmse, mae, eps-loss. The usual one when the
// name is empty. A name that is unknown is refused here, one that is no metric of the task at the first fit.
Measure held_out_by(const std::string& metric);

}  // namespace medlar
