// How often examples are positive, for each range of predicted probability.
#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/metrics.hpp"
#include "medlar/metrics/weights.hpp"

namespace medlar {

std::vector<CalibrationBin> calibration(std::span<const Prediction> predicted, std::span<const int> y,
                                        std::span<const double> weights, Index bins) {
  check_lengths(predicted.size(), y.size(), weights);
  if (bins < 1) throw OptionError("calibration needs at least one bin");
  struct Sums {
    Index examples = 0;
    double weight = 0, squares = 0, probability = 0, positive = 0;
  };
  std::vector<Sums> sums(static_cast<std::size_t>(bins));
  for (std::size_t t = 0; t < y.size(); ++t) {
    const double weight = weight_at(weights, t);
    if (weight == 0) continue;
    const auto part = static_cast<Index>(predicted[t].probability * static_cast<double>(bins));
    Sums& sum = sums[static_cast<std::size_t>(std::min(part, bins - 1))];  // a probability of 1 is in the last part
    ++sum.examples;
    sum.weight += weight;
    sum.squares += weight * weight;
    sum.probability += weight * predicted[t].probability;
    sum.positive += weight * (y[t] == 1);
  }
  std::vector<CalibrationBin> filled;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const Sums& sum = sums[k];
    if (sum.examples == 0) continue;
    const double low = static_cast<double>(k) / static_cast<double>(bins);
    const double high = static_cast<double>(k + 1) / static_cast<double>(bins);
    const double observed = sum.positive / sum.weight;
    const double effective = sum.weight * sum.weight / sum.squares;
    const double error = std::sqrt(std::max(0.0, observed * (1 - observed)) / effective);
    filled.push_back({low, high, sum.examples, sum.probability / sum.weight, observed, error});
  }
  return filled;
}

}  // namespace medlar
