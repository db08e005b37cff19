// What anomaly detectors of all families share (docs/theory.md#anomalies): the prior that leaves out the oddest
// examples, the level and the threshold.
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

// Resolves the settings of a detector: one class without a bias, and c = 0.1 unless given. Options that name classes
// are refused.
void resolve_detector(Settings& settings);

double quantile(std::vector<double> values, double share);

// E[log p(x_t)] under a prior that leaves out example t if it counts there, and the change that leaving it out made.
struct LevelsBefore {
  std::vector<double> level, change;
  std::vector<double> gaps = {};  // of examples with missing cells: the part of the level that comes from no statistic
};

// Leaves the oddest examples out of the prior, round after round, until the same ones stay out or half of the time is
// over. `levels(counted)` makes the prior in which each example counts this much.
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

// Adds the labels, the level, the threshold from folds that were left out, and what is typical of each feature. `level`
// is the location of the margin prior. All other fields of the model must be set.
void complete_detector(Model& model, const Dataset& data, const Settings& asked, const LevelsBefore& before,
                       double level, const FitTime& time);

}  // namespace medlar
