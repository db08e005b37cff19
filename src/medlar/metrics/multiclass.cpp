// Losses and rates of predictions of more than two classes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "medlar/error.hpp"
#include "medlar/metrics.hpp"
#include "medlar/metrics/weights.hpp"

namespace medlar {

MulticlassMetrics multiclass_metrics(std::span<const Prediction> predicted, std::span<const int> y, Index classes,
                                     std::span<const double> weights) {
  check_lengths(predicted.size(), y.size(), weights);
  const auto K = static_cast<std::size_t>(classes);
  MulticlassMetrics metrics;
  metrics.examples = static_cast<Index>(y.size());
  metrics.confusion.assign(K, std::vector<Index>(K, 0));
  std::vector<double> of_class(K, 0.0), said(K, 0.0), hits(K, 0.0);
  double total = 0, right = 0, log_loss = 0, brier = 0;
  for (std::size_t t = 0; t < y.size(); ++t) {
    const auto truth = static_cast<std::size_t>(y[t]), label = static_cast<std::size_t>(predicted[t].label);
    if (truth >= K || label >= K || predicted[t].probabilities.size() != K) {
      throw OptionError("a prediction or a target does not fit the number of classes");
    }
    const double weight = weight_at(weights, t);
    ++metrics.confusion[truth][label];
    total += weight;
    of_class[truth] += weight;
    said[label] += weight;
    if (truth == label) right += weight, hits[truth] += weight;
    const std::vector<double>& p = predicted[t].probabilities;
    log_loss -= weight * std::log(std::clamp(p[truth], log_loss_floor, 1 - log_loss_floor));
    for (std::size_t k = 0; k < K; ++k) brier += weight * (p[k] - (k == truth)) * (p[k] - (k == truth));
  }
  metrics.accuracy = right / total;
  metrics.log_loss = log_loss / total;
  metrics.brier = brier / total;
  double recall = 0, f1 = 0, area = 0, present = 0, areas = 0;
  std::vector<double> score(y.size());
  std::vector<int> is_class(y.size());
  for (std::size_t k = 0; k < K; ++k) {
    if (!(of_class[k] > 0)) continue;
    present += 1;
    recall += hits[k] / of_class[k];
    f1 += 2 * hits[k] / (of_class[k] + said[k]);
    for (std::size_t t = 0; t < y.size(); ++t) {
      score[t] = predicted[t].probabilities[k];
      is_class[t] = y[t] == static_cast<int>(k) ? 1 : 0;
    }
    const double each = auc(score, is_class, weights);
    if (!std::isnan(each)) area += each, areas += 1;
  }
  metrics.balanced_accuracy = recall / present;
  metrics.f1 = f1 / present;
  metrics.auc = areas > 0 ? area / areas : std::numeric_limits<double>::quiet_NaN();
  return metrics;
}

}  // namespace medlar
