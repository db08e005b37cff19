// The measure of tune, by its name: a metric on examples that were left out.
#include <fmt/format.h>

#include <cmath>

#include "medlar/error.hpp"
#include "medlar/metrics.hpp"

namespace medlar {
namespace {

struct Metric {
  std::string_view name;
  bool higher_is_better;
  double ClassificationMetrics::*two_labels;
  double MulticlassMetrics::*several;
  double RegressionMetrics::*number;
};

constexpr Metric kMetrics[] = {
    {"auc", true, &ClassificationMetrics::auc, &MulticlassMetrics::auc, nullptr},
    {"accuracy", true, &ClassificationMetrics::accuracy, &MulticlassMetrics::accuracy, nullptr},
    {"margin-loss", false, &ClassificationMetrics::margin_loss, nullptr, nullptr},
    {"log-loss", false, &ClassificationMetrics::log_loss, &MulticlassMetrics::log_loss, nullptr},
    {"brier", false, &ClassificationMetrics::brier, &MulticlassMetrics::brier, nullptr},
    {"rmse", false, nullptr, nullptr, &RegressionMetrics::rmse},
    {"mae", false, nullptr, nullptr, &RegressionMetrics::mae},
    {"eps-loss", false, nullptr, nullptr, &RegressionMetrics::eps_loss},
};

Measured measured(const Metric& metric, const Model& model, const Dataset& data) {
  const Comparison held_out = compare(model, data);
  double value = NAN;
  if (model.task == Task::classify && metric.two_labels == &ClassificationMetrics::margin_loss) {
    value = margin_loss(model, data);
  } else if (model.task == Task::regress && metric.number != nullptr) {
    const double epsilon = model.settings.epsilon.value_or(0);
    value = regression_metrics(held_out.predicted, held_out.values, epsilon, held_out.weights).*metric.number;
  } else if (model.task == Task::classify && metric.two_labels != nullptr) {
    const auto classes = static_cast<Index>(model.labels.size());
    if (classes > 2 && metric.several == nullptr) {
      throw OptionError(fmt::format("metric = {} is for two labels, but there are {}; use accuracy, auc or log-loss",
                                    metric.name, classes));
    }
    value = classes == 2
                ? classification_metrics(held_out.predicted, held_out.y, held_out.weights).*metric.two_labels
                : multiclass_metrics(held_out.predicted, held_out.y, classes, held_out.weights).*metric.several;
  } else {
    throw OptionError(fmt::format(
        "metric = {} is none of task = {}; use {}", metric.name, word_of(model.task),
        model.task == Task::regress ? "rmse, mae or eps-loss" : "margin-loss, auc, accuracy, log-loss or brier"));
  }
  if (std::isnan(value)) {
    throw OptionError(fmt::format("{} of the examples left out is undefined; use fewer folds", metric.name));
  }
  return {std::string(metric.name), value, metric.higher_is_better};
}

}  // namespace

Measure held_out_by(const std::string& metric) {
  if (metric.empty()) return held_out_score;
  for (const Metric& each : kMetrics) {
    if (each.name != metric) continue;
    return [&each](const Model& model, const Dataset& data) { return measured(each, model, data); };
  }
  throw OptionError(fmt::format(
      "metric = '{}' is unknown; known are margin-loss, auc, accuracy, log-loss, brier, rmse, mae, eps-loss", metric));
}

}  // namespace medlar
