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

constexpr double kRoundingOfSquares = 1e-13;

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

Standing standing_of(const Matrix& inputs, std::span<const double> weights,
                     const std::vector<std::vector<double>>& targets, bool numbers) {
  const std::size_t n = at(inputs.columns()), outputs = targets.size();
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
    residual.push_back(centred(target, weight, total, numbers));
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
  Standing standing{std::vector<bool>(n, false), std::vector<double>(n, 0.0)};
  for (std::size_t i = 0; i < n; ++i) {
    const double about_mean = squares[i] - sum[i] * sum[i] / total;
    if (!(about_mean > kRoundingOfSquares * squares[i])) continue;  // constant, or not finite
    standing.spread[i] = std::sqrt(about_mean);
    double z = 0;
    for (std::size_t k = 0; k < outputs; ++k) {
      if (!(size[k] > 0)) continue;
      z = std::max(z, std::sqrt(examples) * std::abs(along[i * outputs + k]) / (standing.spread[i] * size[k]));
    }
    standing.beyond_chance[i] = z > least_z;
  }
  return standing;
}

std::vector<Index> evident_features(const Standing& standing, const std::vector<Feature>& features) {
  double largest = 0;
  const auto size = [&](std::size_t i) { return std::abs(features[i].coefficient) * standing.spread[i]; };
  for (std::size_t i = 0; i < features.size(); ++i) largest = std::max(largest, size(i));
  std::vector<Index> evident;
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (standing.beyond_chance[i] && size(i) > 0 && size(i) >= kLeastShareOfLargest * largest) {
      evident.push_back(static_cast<Index>(i));
    }
  }
  return evident;
}

}  // namespace medlar
