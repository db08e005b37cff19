// What was tried when settings were chosen by cross-validation, and how each candidate did: kept in the model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

// What is tried. A candidate with `kept` is a relaxed refit: features are ranked by |coefficient| at p0 = ranking_p0,
// and so many of them are fitted anew with p0 = 1.
struct TuneCandidate {
  double p0 = 1e-3;
  std::optional<double> c, prior_variance;  // empty: that of the settings
  std::optional<Index> kept;
  friend bool operator==(const TuneCandidate&, const TuneCandidate&) = default;
};

inline constexpr double ranking_p0 = 1e-5;

struct TuneScore {
  TuneCandidate candidate;
  std::vector<double> folds;  // the metric on each fold that was left out, repetition by repetition
  double mean = 0;
  double standard_error = 0;  // of the mean, from the spread of the folds
  double selected = 0;        // mean number of features with inclusion > 1/2; of a relaxed refit those kept
  bool converged = true;      // every fold met the tolerance
  friend bool operator==(const TuneScore&, const TuneScore&) = default;
};

struct Tuning {
  std::string metric;
  bool higher_is_better = true;
  Index folds = 0, repeats = 1;
  std::vector<TuneScore> scores;  // of the candidates that were finished, in their order
  std::size_t best = 0;           // index into scores: the best mean; of equals the fewest features
  std::size_t one_se = 0;         // the fewest features among those within one standard error of the best
  std::size_t chosen = 0;         // the one that was fitted on all the data: best, or one_se
  bool interrupted = false;       // the observer asked to stop: candidates are missing
  friend bool operator==(const Tuning&, const Tuning&) = default;
};

}  // namespace medlar
