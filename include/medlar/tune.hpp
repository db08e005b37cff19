// The choice of settings by cross-validation: p0, c and the prior variance along warm paths, or a refit of the best
// features alone; folds side by side.
#pragma once

#include <optional>
#include <vector>

#include "medlar/cross_validate.hpp"

namespace medlar {

// What is tried. A candidate with `kept` is a relaxed refit: features are ranked by |coefficient| at p0 = ranking_p0,
// and so many of them are fitted anew with p0 = 1.
struct TuneCandidate {
  double p0 = 1e-3;
  std::optional<double> c, prior_variance;  // empty: that of the settings
  std::optional<Index> kept;
};

inline constexpr double ranking_p0 = 1e-5;

struct TuneScore {
  TuneCandidate candidate;
  std::vector<double> folds;  // the metric on each fold that was left out, repetition by repetition
  double mean = 0;
  double standard_error = 0;  // of the mean, from the spread of the folds
  double selected = 0;        // mean number of features with inclusion > 1/2; of a relaxed refit those kept
  bool converged = true;      // every fold met the tolerance
};

struct Tuning {
  std::string metric;
  bool higher_is_better = true;
  std::vector<TuneScore> scores;  // of the candidates that were finished, in their order
  std::size_t best = 0;           // index into scores: the best mean; of equals the fewest features
  std::size_t one_se = 0;         // the fewest features among those within one standard error of the best
  bool interrupted = false;       // the observer asked to stop: candidates are missing
};

// Sets best and one_se.
void choose(Tuning& tuning);

// Folds as assign_folds() deals them, `repeats` times with seeds from settings.seed on. Everything that a fit decides
// (defaults, scaling, ranking) is decided from the fitted folds alone. The answer does not depend on the threads.
Tuning tune(const Dataset& data, const Settings& settings, std::span<const TuneCandidate> candidates, Index folds,
            Index repeats, const Measure& measure, Observer* observer = nullptr);

// The model of a candidate on all the data.
Model fit_candidate(const Dataset& data, const Settings& settings, const TuneCandidate& candidate,
                    Observer* observer = nullptr);

// The `kept` features with the largest |coefficient| in `ranking`, a linear model of this data without expansion,
// fitted anew with p0 = 1 and these settings. The others stay in the table of features, with inclusion and coefficient
// 0.
Model relaxed_refit(const Dataset& data, const Settings& settings, const Model& ranking, Index kept,
                    Observer* observer = nullptr);

}  // namespace medlar
