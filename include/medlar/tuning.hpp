// What was tried to choose a model's settings, and the results: the table that a tuned model keeps.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "medlar/types.hpp"
#include "medlar/words.hpp"

namespace medlar {

// The fit that ranks features by |coefficient|, and how many of them a relaxed refit keeps.
struct Ranking {
  double p0 = 1e-5;
  // Empty: that of the settings.
  std::optional<double> prior_variance;
  Index kept = 1;
  friend bool operator==(const Ranking&, const Ranking&) = default;
};

// One candidate. With a ranking it is a relaxed refit: only the best features are fitted again, with p0 = 1.
struct TuneCandidate {
  double p0 = 1e-3;
  // Empty: those of the settings.
  std::optional<double> c, prior_variance;
  // Its fit has the same c.
  std::optional<Ranking> ranking;
  // Regression only. Empty: that of the settings.
  std::optional<double> epsilon = {};
  // Its fits also rank features for the short list.
  bool ranks_lists = false;
  // Empty: that of the settings.
  std::optional<MarginKind> margin = {};
  // Whether it may be chosen; else it is fitted for the list alone.
  bool competes = true;
  friend bool operator==(const TuneCandidate&, const TuneCandidate&) = default;
};

struct TuneScore {
  TuneCandidate candidate;
  // The metric on each fold that was left out, repetition by repetition.
  std::vector<double> folds;
  double mean = 0;
  // Standard error of the mean, from the spread of the folds.
  double standard_error = 0;
  // Mean number of features in use: |coefficient| above a thousandth of the largest.
  double selected = 0;
  // Whether every fold met the tolerance.
  bool converged = true;
  // Whether it left the race before all folds, because it could not win.
  bool dropped = false;
  friend bool operator==(const TuneScore&, const TuneScore&) = default;
};

struct LeftOutScores;

// The scores of left-out examples, while a tune is not yet a model. Two tunings are equal without regard to them.
struct KeptScores {
  std::shared_ptr<const LeftOutScores> scores;
  friend bool operator==(const KeptScores&, const KeptScores&) { return true; }
};

struct Tuning {
  std::string metric;
  // As asked for. Given folds count as one repetition.
  Index folds = 0, repeats = 1;
  bool higher_is_better = true;
  // Of the finished candidates, in their order.
  std::vector<TuneScore> scores;
  // Index of the best mean. Of equal means the one with the fewest features, then the smallest p0.
  std::size_t best = 0;
  // Index of the fewest features within one standard error of the best.
  std::size_t one_se = 0;
  // Index of the candidate that was fitted for the model.
  std::size_t chosen = 0;
  // Whether the observer or the time limit ended it: candidates or folds are then missing.
  bool interrupted = false;
  // Whether it was the time limit.
  bool out_of_time = false;
  // For fit_answer(). Not in a model.
  KeptScores left_out = {};
  friend bool operator==(const Tuning&, const Tuning&) = default;
};

// Sets best and one_se among the candidates that were not dropped. Means that differ by less than 1e-9 of their size
// count as equal, because such a difference depends on the order of a sum.
void choose(Tuning& tuning);

}  // namespace medlar
