// Chooses settings by cross-validation: p0, c and the prior variance along warm paths, or a refit of only the best
// features. Folds run side by side. Candidates that cannot win are dropped early.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "medlar/folds.hpp"
#include "medlar/measure.hpp"
#include "medlar/observer.hpp"
#include "medlar/tuning.hpp"

namespace medlar {

struct TuneOptions {
  // Used by deal_folds(), with settings.seed. Without repeats: usual_repeats().
  Index folds = 5;
  std::optional<Index> repeats = {};
  // Folds to use instead.
  std::vector<Fold> given = {};
  // Makes short lists from some of the candidates in every fold, for fit_answer().
  bool lists = true;
  // Measures every candidate on every fold; otherwise those that cannot win are dropped on the way.
  bool exhaustive = false;
  // A file that keeps finished work. If it exists, the tune continues from it. A file of other data, settings,
  // candidates, folds or measure is an OptionError.
  std::string checkpoint = {};
  // The name of the measure in the checkpoint.
  std::string measured_by = {};
};

// How often so many examples are cut into folds anew: few of them 5 times, because single folds of them say little. Of
// several labels once, because their fits are slow.
Index usual_repeats(Index examples, bool several_labels);

// Cross-validates the candidates. Everything that a fit decides (defaults, scaling, imputed values, ranking) is decided
// from the fitted part alone. The answer does not depend on the number of threads. settings.max_seconds holds for all
// fits together; what is not finished by then is missing from the table.
Tuning tune(const Dataset& data, const Settings& settings, std::span<const TuneCandidate> candidates,
            const TuneOptions& how, const Measure& measure, Observer* observer = nullptr);

// The candidates that are tried by default, in the coordinates of docs/theory.md#switches: the prior variance v, and
// the strength of selection as a share of the strength at which no feature enters,
//
//   tau = sqrt(2/v log((1 - p0)/p0)).
//
// p0 = 1 with several v is always among them. `relaxed` adds refits of 1, 2, 3, ... features of two rankings. By
// default they are added when there are more features than examples, for regression or for two labels with at least 200
// examples.
std::vector<TuneCandidate> usual_candidates(const Dataset& data, const Settings& settings,
                                            std::optional<bool> relaxed = {}, Observer* observer = nullptr);

// Only these refits, with the given numbers of features and prior variances (empty: the usual ones).
std::vector<TuneCandidate> relaxed_candidates(const Dataset& data, const Settings& settings,
                                              std::span<const Index> kept, std::span<const double> prior_variances,
                                              Observer* observer = nullptr);

// Fits a candidate to all the data.
Model fit_candidate(const Dataset& data, const Settings& settings, const TuneCandidate& candidate,
                    Observer* observer = nullptr);

// The answer of a tune: the chosen candidate fitted to all the data, its probabilities or intervals by the left-out
// scores, what they say of it, and the list of features beside it (answer.hpp).
struct AnswerOptions {
  // How scores become probabilities; nothing: as the model itself has them.
  std::optional<CurveKind> recalibrate = CurveKind::folds;
};
Model fit_answer(const Dataset& data, const Settings& settings, const Tuning& tuned, const AnswerOptions& how = {},
                 Observer* observer = nullptr);

// Fits `kept` features again with p0 = 1 and these settings. Backward elimination chooses them among the 64 with the
// largest |coefficient| in `ranking`, a linear model of this data without expansion. The other features stay in the
// table with inclusion and coefficient 0.
Model relaxed_refit(const Dataset& data, const Settings& settings, const Model& ranking, Index kept,
                    Observer* observer = nullptr);

}  // namespace medlar
