#include "medlar/answer/judge.hpp"

#include <algorithm>
#include <cmath>

#include "medlar/calibration/by_folds.hpp"
#include "medlar/calibration/curve.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/prepare/labels.hpp"

namespace medlar {
namespace {

std::vector<double> relative_weights(const std::vector<double>& given, Index examples) {
  std::vector<double> weight(at(examples), 1.0);
  if (given.empty()) return weight;
  const double largest = *std::max_element(given.begin(), given.end());
  double total = 0;
  for (std::size_t t = 0; t < weight.size(); ++t) total += weight[t] = given[t] / largest;
  for (double& each : weight) each *= static_cast<double>(weight.size()) / total;
  return weight;
}

}  // namespace

Judge::Judge(const Dataset& data, const Settings& settings, const std::vector<std::vector<Index>>& rows,
             double usual_slope)
    : rows_(rows), times_(at(data.examples()), 0), slope_(usual_slope) {
  if (resolve_task(data, settings) == Task::regress) {
    value_ = data.target.values;
    weight_ = relative_weights(data.weights, data.examples());
  } else {
    ClassLabels labels = class_labels(data, settings);
    labels_ = labels.classes();
    weight_ = relative_weights(resolve_weights(data, settings, labels), data.examples());
    y_ = std::move(labels.y);
  }
  for (const auto& fold : rows_) {
    for (const Index t : fold) ++times_[at(t)];
  }
}

Recalibration Judge::curve_of(std::span<const double> scores, std::span<const Index> y, std::span<const double> weight,
                              double slope) const {
  const auto examples = std::count_if(times_.begin(), times_.end(), [](Index times) { return times > 0; });
  return labels_ == 2 ? map_platt(scores, y, weight, examples, slope)
                      : map_temperature(scores, y, weight, examples, slope);
}

template <class Number>
Judged Judge::judged(std::span<const std::vector<Number>> scores, double slope) const {
  const std::size_t K = at(outputs());
  Judged result;
  std::vector<double> flat, weight, sum(times_.size(), 0.0), counted(times_.size(), 0.0), size;
  std::vector<Index> y, row;
  for (std::size_t fold = 0; fold < rows_.size(); ++fold) {
    if (scores[fold].size() != rows_[fold].size() * K) continue;
    flat.insert(flat.end(), scores[fold].begin(), scores[fold].end());
    for (const Index t : rows_[fold]) {
      row.push_back(t);
      weight.push_back(weight_[at(t)] / static_cast<double>(times_[at(t)]));
      if (classifies()) y.push_back(y_[at(t)]);
    }
  }
  if (classifies() && !row.empty()) result.curve = curve_of(flat, y, weight, slope);
  double total = 0, wrong = 0, loss_sum = 0;
  if (!classifies()) size.assign(times_.size(), 0.0);
  for (std::size_t j = 0; j < row.size(); ++j) {
    double loss = 0, miss = 0;
    if (!classifies()) {
      const double error = std::abs(flat[j] - value_[at(row[j])]);
      size[at(row[j])] += error;
      loss = miss = error * error;
    } else if (labels_ == 2) {
      const double p = result.curve.at(flat[j]);
      loss = -std::log(y[j] == 1 ? p : 1 - p);
      miss = (p > 0.5 ? 1 : 0) == y[j] ? 0 : 1;
    } else {
      const auto p = result.curve.among(std::span(flat).subspan(j * K, K));
      loss = -std::log(p[at(y[j])]);
      miss = std::max_element(p.begin(), p.end()) - p.begin() == y[j] ? 0 : 1;
    }
    sum[at(row[j])] += loss;
    counted[at(row[j])] += 1;
    total += weight[j];
    wrong += weight[j] * miss;
    loss_sum += weight[j] * loss;
  }
  result.score = {classifies() ? wrong / total : std::sqrt(wrong / total), loss_sum / total};
  for (std::size_t t = 0; t < times_.size(); ++t) {
    if (times_[t] == 0) continue;
    result.loss.push_back(counted[t] > 0 ? sum[t] / counted[t] : 0);
    if (!classifies() && counted[t] > 0) result.errors.push_back(size[t] / counted[t]);
  }
  return result;
}

Judged Judge::of(std::span<const std::vector<double>> scores, std::optional<double> usual_slope) const {
  return judged(scores, usual_slope.value_or(slope_));
}
Judged Judge::of(std::span<const std::vector<float>> scores, std::optional<double> usual_slope) const {
  return judged(scores, usual_slope.value_or(slope_));
}

Judged Judge::nothing() const {
  const std::size_t K = at(std::max<Index>(labels_, 1));
  std::vector<double> all(K, 0.0), sum(times_.size(), 0.0);
  double weights = 0;
  const auto add = [&](std::vector<double>& into, Index t, double sign) {
    if (classifies())
      into[at(y_[at(t)])] += sign * weight_[at(t)];
    else
      into[0] += sign * weight_[at(t)] * value_[at(t)];
  };
  for (std::size_t t = 0; t < times_.size(); ++t) {
    if (classifies() && y_[t] < 0) continue;
    add(all, static_cast<Index>(t), 1);
    weights += weight_[t];
  }
  Judged result;
  double total = 0, wrong = 0, loss_sum = 0;
  for (const auto& fold : rows_) {
    std::vector<double> others = all;
    double rest = weights;
    for (const Index t : fold) add(others, t, -1), rest -= weight_[at(t)];
    const auto best = std::max_element(others.begin(), others.end()) - others.begin();
    for (const Index t : fold) {
      double loss = 0, miss = 0;
      if (classifies()) {
        loss = -std::log((std::max(others[at(y_[at(t)])], 0.0) + 1) / (rest + static_cast<double>(K)));
        miss = best == y_[at(t)] ? 0 : 1;
      } else {
        const double error = value_[at(t)] - others[0] / rest;
        loss = miss = error * error;
      }
      const double share = weight_[at(t)] / static_cast<double>(times_[at(t)]);
      sum[at(t)] += loss / static_cast<double>(times_[at(t)]);
      total += share, wrong += share * miss, loss_sum += share * loss;
    }
  }
  result.score = {classifies() ? wrong / total : std::sqrt(wrong / total), loss_sum / total};
  for (std::size_t t = 0; t < times_.size(); ++t) {
    if (times_[t] > 0) result.loss.push_back(sum[t]);
  }
  return result;
}

Recalibration Judge::measured(std::span<const std::vector<double>> scores, std::span<const std::vector<double>> own,
                              CurveKind kind, Index folds) const {
  const std::size_t K = at(outputs());
  std::vector<LeftOutRow> rows;
  for (std::size_t fold = 0; fold < std::min(rows_.size(), at(folds)); ++fold) {
    if (scores[fold].size() != rows_[fold].size() * K) continue;
    for (std::size_t j = 0; j < rows_[fold].size(); ++j) {
      const auto part = [&](const std::vector<double>& all) {
        return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(j * K),
                                   all.begin() + static_cast<std::ptrdiff_t>((j + 1) * K));
      };
      const std::size_t t = at(rows_[fold][j]);
      rows.push_back({part(scores[fold]), part(own[fold]), y_[t], weight_[t], fold});
    }
  }
  return measured_curve(rows, kind, folds, slope_);
}

Difference Judge::between(const Judged& a, const Judged& b) const {
  std::vector<double> weight;
  for (std::size_t t = 0; t < times_.size(); ++t) {
    if (times_[t] > 0) weight.push_back(weight_[t]);
  }
  double total = 0, sum = 0, spread = 0;
  for (std::size_t t = 0; t < weight.size(); ++t) total += weight[t], sum += weight[t] * (a.loss[t] - b.loss[t]);
  const double mean = sum / total;
  for (std::size_t t = 0; t < weight.size(); ++t) {
    const double away = a.loss[t] - b.loss[t] - mean;
    spread += weight[t] * weight[t] * away * away;
  }
  return {mean, std::sqrt(spread) / total};
}

}  // namespace medlar
