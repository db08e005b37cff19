// How good predictions are.
#pragma once

#include <span>
#include <vector>

#include "medlar/measure.hpp"
#include "medlar/model.hpp"

namespace medlar {

// Metrics of two classes. Rates and means are weighted; the four counts of the confusion table count examples. An
// undefined value is NaN: the AUC, the balanced accuracy and the recall without examples of a class, the precision
// without positive predictions, R2 of a constant target, and everything without examples.
struct ClassificationMetrics {
  Index examples = 0;
  double accuracy = 0, auc = 0, log_loss = 0, brier = 0, balanced_accuracy = 0, precision = 0, recall = 0, f1 = 0;
  // The mean of log(1 + e^(-slope m)), with m the score on the right side and usual_slope(). It equals the log loss if
  // a score of 1 meant odds of e^slope, whatever the spread of the fitted distribution.
  double margin_loss = 0;
  Index true_positive = 0, false_positive = 0, true_negative = 0, false_negative = 0;
};

// Metrics of more than two classes. Rates refer to predicted labels. The AUC is that of each class against the rest by
// its probability, averaged over the classes that occur.
struct MulticlassMetrics {
  Index examples = 0;
  // f1 is the mean over classes.
  double accuracy = 0, auc = 0, log_loss = 0, brier = 0, balanced_accuracy = 0, f1 = 0;
  // Indexed by truth, then by prediction.
  std::vector<std::vector<Index>> confusion;
};

struct RegressionMetrics {
  Index examples = 0;
  double rmse = 0, mae = 0, eps_loss = 0, r2 = 0;
};

// The log loss clips probabilities to [1e-15, 1 - 1e-15], so that one certain and wrong prediction costs 34.5 and not
// infinity.
inline constexpr double log_loss_floor = 1e-15;

// The slope at which a score of this model is usually a log odds: 1 for the logistic margin, that of a generative model
// itself, and else 4.
double usual_slope(const Model& model);
double usual_slope(MarginKind margin);

// y holds 0 or 1; weights are empty or one per example. Wrong lengths and negative weights are an OptionError.
ClassificationMetrics classification_metrics(std::span<const Prediction> predicted, std::span<const int> y,
                                             std::span<const double> weights = {}, double slope = 4);
// y holds indices of labels; there are `classes` of them.
MulticlassMetrics multiclass_metrics(std::span<const Prediction> predicted, std::span<const int> y, Index classes,
                                     std::span<const double> weights = {});
// The eps-loss is the mean of max(0, |y - prediction| - epsilon).
RegressionMetrics regression_metrics(std::span<const Prediction> predicted, std::span<const double> y, double epsilon,
                                     std::span<const double> weights = {});

// Area under the ROC curve; ties count half.
double auc(std::span<const double> score, std::span<const int> y, std::span<const double> weights = {});

// The result of calling positive every example whose score is at least `threshold`: counts of examples, and weighted
// rates. There is one point for each distinct score, from the highest down, after a first point that calls no example
// positive (its threshold is infinite). A rate without examples of its class is NaN, and so is the precision of the
// first point.
struct OperatingPoint {
  double threshold = 0;
  Index true_positive = 0, false_positive = 0;
  double true_positive_rate = 0, false_positive_rate = 0, precision = 0;
};
std::vector<OperatingPoint> operating_points(std::span<const double> score, std::span<const int> y,
                                             std::span<const double> weights = {});

// The mean precision over the recall, step by step down the scores; NaN without positive examples.
double average_precision(std::span<const OperatingPoint> points);

// Divides [0, 1] into `bins` equal parts; parts without examples are left out.
std::vector<CalibrationBin> calibration(std::span<const Prediction> predicted, std::span<const int> y,
                                        std::span<const double> weights = {}, Index bins = 10);

// The corners of the ROC curve from (0, 0) to (1, 1), one per distinct score; empty if there is only one class.
struct RocPoint {
  double false_positive_rate = 0, true_positive_rate = 0;
};
std::vector<RocPoint> roc_curve(std::span<const double> score, std::span<const int> y,
                                std::span<const double> weights = {});

// The label (0 or 1) of each example as the model reads its labels; -1 if the target is missing or is no label of the
// model.
std::vector<int> binary_target(const Model& model, const Dataset& data);
// The same for any number of labels: the index of each example's label.
std::vector<int> class_target(const Model& model, const Dataset& data);

// A model's predictions for the examples that have a target, together with that target.
struct Comparison {
  std::vector<Prediction> predicted;
  // classify: index of the label; anomaly: 1 for odd.
  std::vector<int> y;
  // regress: the target.
  std::vector<double> values;
  std::vector<double> weights;
  // The example of the dataset that each entry is about.
  std::vector<Index> rows;
  // Number of examples without a target, or with a label that the model does not know.
  Index left_out = 0;
};
// Throws DataError if no example has a target that the model can be compared with. For an anomaly detector the score
// and the probability are reversed, so that high means odd. Odd examples are those named by --positive, or else those
// with the target "odd" or 1.
Comparison compare(const Model& model, const Dataset& data);

// The margin loss of any number of classes: of more than two, log(sum_k e^(slope L_k)) - slope L_y.
double margin_loss(const Model& model, const Dataset& data);

// The usual measure of cross-validation. Classes: the margin loss for linear models; for others the AUC of two, the
// accuracy of more. Regression: RMSE. Throws OptionError if it is undefined.
Measured held_out_score(const Model& model, const Dataset& data);

// The same by another metric: auc, accuracy, margin-loss, log-loss, brier; rmse, mae, eps-loss. An empty name means the
// usual one. An unknown name is refused here; a metric of another task is refused at the first fit.
Measure held_out_by(const std::string& metric);

}  // namespace medlar
