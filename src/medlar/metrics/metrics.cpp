// Losses and rates of predictions.
#include "medlar/metrics.hpp"

#include <algorithm>
#include <cmath>

#include "medlar/metrics/weights.hpp"

namespace medlar {
namespace {

// 0 / 0 is NaN, which says that the rate is undefined.
double rate(double part, double whole) {
  return part / whole;
}

}  // namespace

ClassificationMetrics classification_metrics(std::span<const Prediction> predicted, std::span<const int> y,
                                             std::span<const double> weights, double slope) {
  check_lengths(predicted.size(), y.size(), weights);
  ClassificationMetrics metrics;
  metrics.examples = static_cast<Index>(y.size());
  double hits = 0, alarms = 0, rejections = 0, misses = 0, log_loss = 0, brier = 0, margin_loss = 0;
  std::vector<double> score;
  for (std::size_t t = 0; t < y.size(); ++t) {
    const Prediction& each = predicted[t];
    const double weight = weight_at(weights, t);
    const bool positive = y[t] == 1;
    const bool said = each.label == 1;
    (positive ? (said ? hits : misses) : (said ? alarms : rejections)) += weight;
    ++(positive ? (said ? metrics.true_positive : metrics.false_negative)
                : (said ? metrics.false_positive : metrics.true_negative));
    const double right = positive ? each.probability : 1 - each.probability;
    log_loss -= weight * std::log(std::clamp(right, log_loss_floor, 1 - log_loss_floor));
    brier += weight * (1 - right) * (1 - right);
    const double steep = (positive ? -slope : slope) * each.score;
    margin_loss += weight * (std::max(steep, 0.0) + std::log1p(std::exp(-std::abs(steep))));
    score.push_back(each.score);
  }
  const double total = hits + alarms + rejections + misses;
  metrics.accuracy = rate(hits + rejections, total);
  metrics.auc = auc(score, y, weights);
  metrics.log_loss = rate(log_loss, total);
  metrics.margin_loss = rate(margin_loss, total);
  metrics.brier = rate(brier, total);
  metrics.recall = rate(hits, hits + misses);
  metrics.balanced_accuracy = 0.5 * (metrics.recall + rate(rejections, rejections + alarms));
  metrics.precision = rate(hits, hits + alarms);
  metrics.f1 = rate(2 * hits, 2 * hits + alarms + misses);
  return metrics;
}

RegressionMetrics regression_metrics(std::span<const Prediction> predicted, std::span<const double> y, double epsilon,
                                     std::span<const double> weights) {
  check_lengths(predicted.size(), y.size(), weights);
  RegressionMetrics metrics;
  metrics.examples = static_cast<Index>(y.size());
  double total = 0, sum = 0;
  for (std::size_t t = 0; t < y.size(); ++t) {
    total += weight_at(weights, t);
    sum += weight_at(weights, t) * y[t];
  }
  const double mean = rate(sum, total);
  double squares = 0, absolutes = 0, beyond = 0, spread = 0;
  for (std::size_t t = 0; t < y.size(); ++t) {
    const double weight = weight_at(weights, t);
    const double error = y[t] - predicted[t].score;
    squares += weight * error * error;
    absolutes += weight * std::abs(error);
    beyond += weight * std::max(0.0, std::abs(error) - epsilon);
    spread += weight * (y[t] - mean) * (y[t] - mean);
  }
  metrics.rmse = std::sqrt(rate(squares, total));
  metrics.mae = rate(absolutes, total);
  metrics.eps_loss = rate(beyond, total);
  metrics.r2 = spread > 0 ? 1 - squares / spread : std::nan("");
  return metrics;
}

}  // namespace medlar
