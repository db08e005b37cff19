// z_i = sqrt(T) |corr(x_i, target)| with T the effective number of examples. Of numbers the residuals are cut at some
// robust standard deviations, so that no outlier decides.
#include "medlar/models/linear/evident.hpp"

#include <algorithm>
#include <cmath>

#include "medlar/linalg/give_up.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/thresholds/evident.hpp"

namespace medlar {
namespace {

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The target about its mean, with far values cut.
std::vector<double> centred(std::vector<double> target, std::span<const double> weight, double total, bool cut) {
  double mean = 0;
  for (std::size_t t = 0; t < target.size(); ++t) mean += weight[t] * target[t] / total;
  const double middle = cut ? median_of(target) : mean;
  for (double& each : target) each -= middle;
  if (!cut) return target;
  std::vector<double> size;
  for (const double each : target) size.push_back(std::abs(each));
  const double most = kCutAtSds * kSdPerMedianDeviation * median_of(size);
  if (most > 0) {
    for (double& each : target) each = std::clamp(each, -most, most);
  }
  mean = 0;
  for (std::size_t t = 0; t < target.size(); ++t) mean += weight[t] * target[t] / total;
  for (double& each : target) each -= mean;
  return target;
}

// The z that one of `tests` normal numbers exceeds by chance with this probability: erfc(z / sqrt 2) = level / tests.
double critical(double level, double tests) {
  double low = 0, high = 40;
  for (int step = 0; step < 60; ++step) {
    const double z = 0.5 * (low + high);
    (std::erfc(z * std::sqrt(0.5)) > level / tests ? low : high) = z;
  }
  return high;
}

}  // namespace

std::vector<Index> evident_features(const Matrix& inputs, std::span<const double> weights,
                                    const std::vector<std::vector<double>>& targets, const Model& model) {
  const std::size_t n = model.features.size(), outputs = targets.size();
  std::vector<double> weight(at(inputs.rows()), 1.0);
  if (!weights.empty()) {
    const double largest = *std::max_element(weights.begin(), weights.end());
    for (std::size_t t = 0; t < weight.size(); ++t) weight[t] = weights[t] / largest;
  }
  double total = 0, squared = 0;
  for (const double each : weight) total += each, squared += each * each;
  std::vector<std::vector<double>> residual;
  std::vector<double> size;
  for (const auto& target : targets) {
    residual.push_back(centred(target, weight, total, model.task == Task::regress));
    double squares = 0;
    for (std::size_t t = 0; t < weight.size(); ++t) squares += weight[t] * residual.back()[t] * residual.back()[t];
    size.push_back(std::sqrt(squares));
  }
  std::vector<double> sum(n, 0.0), squares(n, 0.0), along(n * outputs, 0.0);
  Pauses pauses;
  for (Index t = 0; t < inputs.rows(); ++t) {
    const RowView row = inputs.row(t);
    pauses.after(row.values.size() * outputs);
    const double w = weight[at(t)];
    for_each(row, [&](Index i, double x) {
      sum[at(i)] += w * x;
      squares[at(i)] += w * x * x;
      for (std::size_t k = 0; k < outputs; ++k) along[at(i) * outputs + k] += w * x * residual[k][at(t)];
    });
  }
  const double examples = total * total / squared;
  const double least_z = critical(kLevelOfEvidence, static_cast<double>(n * outputs));
  std::vector<double> spread(n), relative(n);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    spread[i] = std::sqrt(std::max(0.0, squares[i] - sum[i] * sum[i] / total));
    relative[i] = std::abs(model.features[i].coefficient) * spread[i];
    if (std::isfinite(relative[i])) largest = std::max(largest, relative[i]);
  }
  std::vector<Index> evident;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(spread[i] > 0) || !(relative[i] >= kLeastShareOfLargest * largest) || largest == 0) continue;
    double z = 0;
    for (std::size_t k = 0; k < outputs; ++k) {
      if (size[k] > 0) z = std::max(z, std::sqrt(examples) * std::abs(along[i * outputs + k]) / (spread[i] * size[k]));
    }
    if (z > least_z) evident.push_back(static_cast<Index>(i));
  }
  return evident;
}

}  // namespace medlar
