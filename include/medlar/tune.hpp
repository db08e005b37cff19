// The choice of settings by cross-validation: p0, c and the prior variance along warm paths, or a refit of the best
// features alone; folds side by side, candidates that cannot win left behind.
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
  Index folds = 5, repeats = 1;  // as deal_folds() deals them, with settings.seed
  std::vector<Fold> given = {};  // the folds themselves, instead
  bool exhaustive = false;       // every candidate on every fold; else those that cannot win are dropped on the way
  // A file that keeps what is finished. When it is there already, the tune goes on from it; one of other data,
  // settings, candidates, folds or measure is an OptionError.
  std::string checkpoint = {};
  std::string measured_by = {};  // a name for the measure, for the checkpoint
};

// Everything that a fit decides (defaults, scaling, imputed values, ranking) is decided from the fitted part alone. The
// answer does not depend on the threads. settings.max_seconds holds for all fits together: what is not finished by then
// is missing from the table.
Tuning tune(const Dataset& data, const Settings& settings, std::span<const TuneCandidate> candidates,
            const TuneOptions& how, const Measure& measure, Observer* observer = nullptr);

// What is tried unless the user says otherwise, in the coordinates of docs/theory.md#switches: the strength of
// selection tau = sqrt(2/v log((1 - p0)/p0)) as a share of the one at which no feature enters, and the prior variance
// v. p0 = 1 with several v is always among them. With `relaxed` also refits of 1, 2, 3, ... features of two rankings;
// unless told, where there are more features than examples, of numbers or of two labels with at least 200 examples.
std::vector<TuneCandidate> usual_candidates(const Dataset& data, const Settings& settings,
                                            std::optional<bool> relaxed = {}, Observer* observer = nullptr);

// Those refits alone, with these numbers of features and prior variances (empty: the usual ones).
std::vector<TuneCandidate> relaxed_candidates(const Dataset& data, const Settings& settings,
                                              std::span<const Index> kept, std::span<const double> prior_variances,
                                              Observer* observer = nullptr);

// The model of a candidate on all the data.
Model fit_candidate(const Dataset& data, const Settings& settings, const TuneCandidate& candidate,
                    Observer* observer = nullptr);

// `kept` features fitted anew with p0 = 1 and these settings: of the 64 with the largest |coefficient| in `ranking`, a
// linear model of this data without expansion, those that backward elimination leaves. The others stay in the table of
// features, with inclusion and coefficient 0.
Model relaxed_refit(const Dataset& data, const Settings& settings, const Model& ranking, Index kept,
                    Observer* observer = nullptr);

}  // namespace medlar
