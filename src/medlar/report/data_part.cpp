// How a model predicts: the part of a report page that needs data.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "medlar/explain.hpp"
#include "medlar/folds.hpp"
#include "medlar/metrics.hpp"
#include "medlar/report/page_data.hpp"

namespace medlar {
namespace {

constexpr std::size_t most_points = 400, most_residuals = 2000, score_bins = 40;

// The counts at every threshold, or at 400 of them, the model's own included.
PageJson threshold_table(const std::vector<OperatingPoint>& points, const std::vector<Prediction>& predicted) {
  double lowest = HUGE_VAL;  // lowest score that the model calls positive
  for (const Prediction& each : predicted) {
    if (each.label == 1) lowest = std::min(lowest, each.score);
  }
  std::size_t own = 0;
  while (own + 1 < points.size() && points[own + 1].threshold >= lowest) ++own;
  std::vector<std::size_t> kept = thinned(points.size(), most_points);
  kept.push_back(own);
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  std::vector<double> threshold, hits, alarms, precision;
  PageJson true_positive = PageJson::array(), false_positive = PageJson::array();
  for (const std::size_t k : kept) {
    threshold.push_back(points[k].threshold);
    hits.push_back(points[k].true_positive_rate);
    alarms.push_back(points[k].false_positive_rate);
    precision.push_back(points[k].precision);
    true_positive.push_back(points[k].true_positive);
    false_positive.push_back(points[k].false_positive);
  }
  return {{"own", std::find(kept.begin(), kept.end(), own) - kept.begin()},
          {"threshold", page_numbers(threshold)},
          {"true_positive", true_positive},
          {"false_positive", false_positive},
          {"true_positive_rate", page_numbers(hits)},
          {"false_positive_rate", page_numbers(alarms)},
          {"precision", page_numbers(precision)}};
}

// Examples of each label by score, in equal parts between the least and the largest.
PageJson score_histogram(const Comparison& compared) {
  const auto [low, high] = std::minmax_element(compared.predicted.begin(), compared.predicted.end(),
                                               [](const auto& a, const auto& b) { return a.score < b.score; });
  const double width = (high->score - low->score) / static_cast<double>(score_bins);
  std::vector<std::vector<Index>> counts(2, std::vector<Index>(score_bins));
  for (std::size_t t = 0; t < compared.y.size(); ++t) {
    const double place = width > 0 ? (compared.predicted[t].score - low->score) / width : 0;
    ++counts[static_cast<std::size_t>(compared.y[t])][std::min(static_cast<std::size_t>(place), score_bins - 1)];
  }
  return {{"low", low->score}, {"high", high->score}, {"negative", counts[0]}, {"positive", counts[1]}};
}

PageJson two_classes(const Comparison& compared) {
  const auto m = classification_metrics(compared.predicted, compared.y, compared.weights);
  std::vector<double> score;
  for (const Prediction& each : compared.predicted) score.push_back(each.score);
  const auto points = operating_points(score, compared.y, compared.weights);
  return {{"metrics",
           {{"accuracy", page_number(m.accuracy)},
            {"auc", page_number(m.auc)},
            {"average_precision", page_number(average_precision(points))},
            {"log_loss", page_number(m.log_loss)},
            {"brier", page_number(m.brier)},
            {"balanced_accuracy", page_number(m.balanced_accuracy)},
            {"precision", page_number(m.precision)},
            {"recall", page_number(m.recall)},
            {"f1", page_number(m.f1)}}},
          {"confusion",
           {{"true_positive", m.true_positive},
            {"false_positive", m.false_positive},
            {"true_negative", m.true_negative},
            {"false_negative", m.false_negative}}},
          {"thresholds", threshold_table(points, compared.predicted)},
          {"calibration", calibration_bins(calibration(compared.predicted, compared.y, compared.weights))},
          {"scores", score_histogram(compared)}};
}

PageJson many_classes(const Model& model, const Comparison& compared) {
  const auto m = multiclass_metrics(compared.predicted, compared.y, std::ssize(model.labels), compared.weights);
  return {{"metrics",
           {{"accuracy", page_number(m.accuracy)},
            {"auc", page_number(m.auc)},
            {"log_loss", page_number(m.log_loss)},
            {"brier", page_number(m.brier)},
            {"balanced_accuracy", page_number(m.balanced_accuracy)},
            {"f1", page_number(m.f1)}}},
          {"confusion", m.confusion}};
}

PageJson regression(const Model& model, const Comparison& compared) {
  const double epsilon = model.settings.epsilon.value_or(0);
  const auto m = regression_metrics(compared.predicted, compared.values, epsilon, compared.weights);
  std::vector<double> truth, predicted;
  for (const std::size_t t : thinned(compared.values.size(), most_residuals)) {
    truth.push_back(compared.values[t]);
    predicted.push_back(compared.predicted[t].score);
  }
  return {{"metrics",
           {{"rmse", page_number(m.rmse)},
            {"mae", page_number(m.mae)},
            {"eps_loss", page_number(m.eps_loss)},
            {"r2", page_number(m.r2)}}},
          {"epsilon", epsilon},
          {"truth", page_numbers(truth)},
          {"predicted", page_numbers(predicted)}};
}

}  // namespace

PageJson data_part(const Model& model, const Dataset& data) {
  PageJson part = {{"source", data.source},
                   {"examples", data.examples()},
                   {"left_out", 0},
                   {"weighted", !data.weights.empty()},
                   {"notes", data.notes}};
  if (model.task == Task::anomaly) part["anomaly"] = anomaly_part(model, model.predict(data.x));
  if (model.task != Task::anomaly || data.target.present) {
    const Comparison compared = compare(model, data);
    part["examples"] = compared.predicted.size();
    part["left_out"] = compared.left_out;
    if (model.task != Task::regress && model.labels.size() == 2) part["two_classes"] = two_classes(compared);
    if (model.task == Task::classify && model.labels.size() > 2) part["many_classes"] = many_classes(model, compared);
    if (model.task == Task::regress) part["regression"] = regression(model, compared);
    if (explainable(model)) part["explained"] = explained_part(model, data, &compared);
  } else {
    part["explained"] = explained_part(model, data, nullptr);
  }
  if (PageJson latent = latent_data_part(model, data); !latent.is_null()) part["latent"] = std::move(latent);
  return part;
}

}  // namespace medlar
