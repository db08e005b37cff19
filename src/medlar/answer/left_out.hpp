// Scores of examples that folds left out: of each candidate of a tune, and of each list that was made from one.
#pragma once

#include <span>
#include <vector>

#include "medlar/answer/list_specs.hpp"
#include "medlar/folds.hpp"
#include "medlar/model.hpp"

namespace medlar {

struct LeftOutScores {
  // By fold, the examples whose scores are kept: each `step`-th that was left out.
  std::vector<std::vector<Index>> rows;
  Index step = 1;
  // Number of labels; 0 for numbers.
  Index labels = 0;
  std::vector<TuneCandidate> candidates;
  // By candidate and fold: row by row, one number per output. Empty where a candidate was not finished. `own` are the
  // probabilities that the model itself gives: of the positive label, or of each of several; of numbers nothing.
  std::vector<std::vector<std::vector<double>>> of_candidate, own;
  std::vector<ListSpec> specs;
  // By list and fold, likewise.
  std::vector<std::vector<std::vector<float>>> of_list;
};

// Everything but the scores.
LeftOutScores what_is_kept(const Dataset& data, const Settings& settings, std::span<const TuneCandidate> candidates,
                           std::span<const Fold> folds, bool lists);

// One number per row for a target of two labels or a number, one per label and row for several labels. Empty if the
// model does not know all `labels`, as where a fold has none of one.
struct ScoredRows {
  std::vector<double> scores, own;
};
ScoredRows left_out_scores(const Model& model, const Matrix& rows, Index labels);

}  // namespace medlar
