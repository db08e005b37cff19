// When does a candidate leave the race? Candidates of tune, and of the choice of an alignment, are measured fold by
// fold, and those that are surely not the best are not measured further.
#pragma once

#include <cstddef>

#include "medlar/types.hpp"

namespace medlar {

// The folds after which tune looks for the first time, and those from one look to the next.
// Measured in ten draws of 100 x 30 with two repetitions of five folds: the same choice with and without the race, for
// less than 1,400 fits instead of 1,500 (docs/selection.md; a test).
inline constexpr std::size_t kFoldsToFirstLook = 3, kFoldsToNextLook = 2;
// A candidate leaves when it lies behind the leader in a paired t-test at the first level, and by more than the
// leader's own standard errors allow at the second: 2 of them with many folds, 4.3 with three.
// The second protects candidates within one standard error of the best, which a rule may take. In the draws above
// neither rule chose otherwise for the race.
inline constexpr double kLevelOfTest = 0.01, kLevelOfReach = 0.025;

// So few examples are cut into folds several times.
// Measured: on six sets of genes log loss .204 instead of .215, lists with .056 errors instead of .065; on twenty-one
// draws of 40 examples log loss .339 instead of .350.
inline constexpr Index kFewForOneCut = 100, kCutsOfFew = 5;

// Longer paths of candidates are cut, so that an interrupted tune has finished some.
// Not measured.
inline constexpr std::size_t kMostInLane = 20;

// Alignments: splits in all; how many choices are judged on every split, when after each of the first splits the better
// half goes on.
// Measured: the choice took half of the time that it had taken before. `benchmarks/latent --data DIR --part d` gives
// the accuracies that come of it.
inline constexpr Index kSplitsOfAlignments = 10;
inline constexpr std::size_t kAlignmentsOnAllSplits = 24;

}  // namespace medlar
