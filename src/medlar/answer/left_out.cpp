#include "medlar/answer/left_out.hpp"

#include <algorithm>
#include <cmath>

#include "medlar/prepare/labels.hpp"
#include "medlar/scores_by_class.hpp"
#include "medlar/thresholds/lists.hpp"

namespace medlar {

LeftOutScores what_is_kept(const Dataset& data, const Settings& settings, std::span<const TuneCandidate> candidates,
                           std::span<const Fold> folds, bool lists) {
  LeftOutScores kept;
  kept.candidates.assign(candidates.begin(), candidates.end());
  if (resolve_task(data, settings) != Task::regress) kept.labels = class_labels(data, settings).classes();
  if (lists) kept.specs = list_specs(data, settings, candidates);
  const Index outputs = kept.labels > 2 ? kept.labels : 1, each = std::ssize(kept.specs) * outputs;
  Index all = 0;
  for (const Fold& fold : folds) all += std::ssize(fold.left_out);
  const Index repeats = std::max<Index>(1, all / std::max<Index>(1, data.examples()));
  Index most = std::max<Index>(kMostJudged * repeats / outputs, 100);
  if (each > 0) most = std::min(most, std::max<Index>(kMostListScores / each, 100));
  kept.step = std::max<Index>(1, (all + most - 1) / most);
  for (const Fold& fold : folds) {
    std::vector<Index>& rows = kept.rows.emplace_back();
    for (Index t = 0; t < std::ssize(fold.left_out); t += kept.step) {
      rows.push_back(fold.left_out[static_cast<std::size_t>(t)]);
    }
  }
  return kept;
}

ScoredRows left_out_scores(const Model& model, const Matrix& rows, Index labels) {
  ScoredRows all;
  const bool classify = model.task == Task::classify;
  if (classify && std::ssize(model.labels) != labels) return all;
  for (const Prediction& each : model.predict(rows)) {
    if (labels <= 2) all.scores.push_back(each.score);
    if (classify && labels <= 2) all.own.push_back(each.probability);
    if (labels > 2) all.own.insert(all.own.end(), each.probabilities.begin(), each.probabilities.end());
  }
  if (labels <= 2) return all;
  for (const std::vector<double>& each : scores_by_class(model, rows)) {
    all.scores.insert(all.scores.end(), each.begin(), each.end());
  }
  return all;
}

}  // namespace medlar
