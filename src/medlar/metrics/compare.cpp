// Predictions compared with the truth, and the one number that cross-validation uses.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/anomaly.hpp"
#include "medlar/error.hpp"
#include "medlar/metrics.hpp"
#include "medlar/scores_by_class.hpp"

namespace medlar {

Comparison compare(const Model& model, const Dataset& data) {
  const bool classify = model.task != Task::regress, anomaly = model.task == Task::anomaly;
  if (!data.target.present) throw DataError(fmt::format("{}: there is no target to compare with", data.source));
  if (!classify && !data.target.numeric) {
    throw DataError(fmt::format("{}: the target holds text, but the model predicts a number", data.source));
  }
  const auto predicted = model.predict(data.x);
  const auto labels = classify ? class_target(model, data) : std::vector<int>();
  const auto gaps = anomaly ? typical_of_gaps(model, data.x) : std::vector<double>();
  Comparison comparison;
  for (std::size_t t = 0; t < predicted.size(); ++t) {
    if (classify ? labels[t] < 0 : std::isnan(data.target.values[t])) {
      ++comparison.left_out;
      continue;
    }
    comparison.predicted.push_back(predicted[t]);
    comparison.rows.push_back(static_cast<Index>(t));
    if (anomaly) {
      comparison.predicted.back().score = -(predicted[t].score + gaps[t]);  // the level, as in labels and p-values
      comparison.predicted.back().probability = 1 - predicted[t].probability;
    }
    if (classify) {
      comparison.y.push_back(labels[t]);
    } else {
      comparison.values.push_back(data.target.values[t]);
    }
    if (!data.weights.empty()) comparison.weights.push_back(data.weights[t]);
  }
  if (comparison.predicted.empty()) {
    const std::string wanted = !classify ? std::string()
                               : model.labels.size() > 2
                                   ? fmt::format(" of the model's {} labels", model.labels.size())
                                   : fmt::format(" of the labels '{}' and '{}'", model.labels[0], model.labels[1]);
    throw DataError(
        fmt::format("{}: no example has a target{}{}", data.source, wanted,
                    classify && data.target.numeric ? "; if the target is a quantity, use --task regress" : ""));
  }
  return comparison;
}

double usual_slope(MarginKind margin) {
  return margin == MarginKind::logistic ? 1 : 4;
}

double usual_slope(const Model& model) {
  return model.generative ? std::max(model.generative->slope, 1e-3) : usual_slope(model.settings.margin);
}

double margin_loss(const Model& model, const Dataset& data) {
  const Comparison held_out = compare(model, data);
  const double slope = usual_slope(model);
  if (model.labels.size() == 2) {
    return classification_metrics(held_out.predicted, held_out.y, held_out.weights, slope).margin_loss;
  }
  const auto scores = scores_by_class(model, data.x);
  double sum = 0, total = 0;
  for (std::size_t k = 0; k < held_out.rows.size(); ++k) {
    const std::vector<double>& f = scores[static_cast<std::size_t>(held_out.rows[k])];
    const double top = *std::max_element(f.begin(), f.end()),
                 weight = held_out.weights.empty() ? 1 : held_out.weights[k];
    double odds = 0;
    for (const double each : f) odds += std::exp(slope * (each - top));
    sum += weight * (std::log(odds) - slope * (f[static_cast<std::size_t>(held_out.y[k])] - top));
    total += weight;
  }
  return sum / total;
}

Measured held_out_score(const Model& model, const Dataset& data) {
  const Comparison held_out = compare(model, data);
  if (model.task == Task::regress) {
    return {"rmse", regression_metrics(held_out.predicted, held_out.values, 0, held_out.weights).rmse, false};
  }
  if (model.settings.model == ModelKind::linear) return {"margin-loss", margin_loss(model, data), false};
  if (model.labels.size() > 2) {
    const Index classes = static_cast<Index>(model.labels.size());
    return {"accuracy", multiclass_metrics(held_out.predicted, held_out.y, classes, held_out.weights).accuracy, true};
  }
  const ClassificationMetrics metrics = classification_metrics(held_out.predicted, held_out.y, held_out.weights);
  const double area = metrics.auc;
  if (std::isnan(area)) {
    throw OptionError("the examples left out are of one class only, so their AUC is undefined; use fewer folds");
  }
  return {"auc", area, true};
}

}  // namespace medlar
