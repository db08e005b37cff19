// What was tried to choose a model's settings, and how it fared: the table that a tuned model keeps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

// The fit that ranks features by |coefficient|, and how many of them a relaxed refit keeps.
struct Ranking {
  double p0 = 1e-5;
  std::optional<double> prior_variance;  // empty: that of the settings
  Index kept = 1;
  friend bool operator==(const Ranking&, const Ranking&) = default;
};

// What is tried. A candidate with a ranking is a relaxed refit: the best features alone are fitted anew with p0 = 1.
struct TuneCandidate {
  double p0 = 1e-3;
  std::optional<double> c, prior_variance;  // empty: that of the settings
  std::optional<Ranking> ranking;           // with the same c
  std::optional<double> epsilon = {};       // of numbers; empty: that of the settings
  friend bool operator==(const TuneCandidate&, const TuneCandidate&) = default;
};

struct TuneScore {
  TuneCandidate candidate;
  std::vector<double> folds;  // the metric on each fold that was left out, repetition by repetition
  double mean = 0;
  double standard_error = 0;  // of the mean, from the spread of the folds
  double selected = 0;        // mean number of features in use: |coefficient| above a thousandth of the largest
  bool converged = true;      // every fold met the tolerance
  bool dropped = false;       // the race ended before all folds, for it could not win
  friend bool operator==(const TuneScore&, const TuneScore&) = default;
};

struct Tuning {
  std::string metric;
  Index folds = 0, repeats = 1;  // as asked for; folds that were given count as one repetition
  bool higher_is_better = true;
  std::vector<TuneScore> scores;  // of the candidates that were finished, in their order
  std::size_t best = 0;           // index into scores: the best mean; of equals the fewest features, then the least p0
  std::size_t one_se = 0;         // the fewest features among those within one standard error of the best
  std::size_t chosen = 0;         // of a model: the one that was fitted
  bool interrupted = false;       // the observer or the time ended it: candidates or folds are missing
  bool out_of_time = false;       // it was the time
  friend bool operator==(const Tuning&, const Tuning&) = default;
};

// Sets best and one_se, among those that were not dropped. Means that differ by less than 1e-9 of their size are equal:
// they would depend on the order of a sum.
void choose(Tuning& tuning);

}  // namespace medlar
