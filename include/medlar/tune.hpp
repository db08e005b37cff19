// The choice of settings by cross-validation: p0, c and the prior variance along warm paths, or a refit of the best
// features alone; folds side by side.
#pragma once

#include <span>

#include "medlar/cross_validate.hpp"
#include "medlar/tuning.hpp"

namespace medlar {

// Sets best and one_se, and chosen to best.
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
