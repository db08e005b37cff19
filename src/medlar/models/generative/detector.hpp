// What anomaly detectors of all families share (docs/theory.md#anomalies): the prior that leaves the oddest examples
// out, the level and the threshold.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "medlar/model.hpp"
#include "medlar/prepare/prepare.hpp"
#include "medlar/prepare/time_left.hpp"

namespace medlar {

// Of a detector: one class without a bias, c = 0.1 unless given; options that name classes are refused.
void resolve_detector(Settings& settings);

double quantile(std::vector<double> values, double share);

// E[log p(x_t)] under the prior, the example itself left out of it if it counts there, and what leaving it out changed.
struct LevelsBefore {
  std::vector<double> level, change;
  std::vector<double> gaps = {};  // of examples with missing cells, in the level: what no statistic says
};

// The oddest examples are left out of the prior, again and again, until the same ones stay out or half of the time is
// over. `levels(counted)` makes the prior that counts each example so.
template <class Levels>
LevelsBefore trimmed(const std::vector<double>& weights, double trim, const FitTime& time, Levels levels) {
  constexpr int most_rounds = 30;
  const std::size_t T = weights.size();
  const auto kept = static_cast<std::size_t>(std::ceil((1 - trim) * static_cast<double>(T)));
  std::vector<double> counted = weights;
  for (int round = 1;; ++round) {
    LevelsBefore before = levels(counted);
    if (kept == T || round == most_rounds || time.over(0.5)) return before;
    std::vector<std::size_t> order(T);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return before.level[a] > before.level[b]; });
    std::vector<double> next(T, 0.0);
    for (std::size_t i = 0; i < kept; ++i) next[order[i]] = weights[order[i]];
    if (next == counted) return before;
    counted = std::move(next);
  }
}

// Labels, level, threshold from folds that were left out, and what is typical of each feature. `level` is where the
// margin prior lies; the model is whole but for these.
void complete_detector(Model& model, const Dataset& data, const Settings& asked, const LevelsBefore& before,
                       double level, const FitTime& time);

}  // namespace medlar
