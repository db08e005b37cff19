// Which short lists are tried, and which of them is taken?
#pragma once

#include "medlar/types.hpp"

namespace medlar {

// The features that a list is made of: the largest of its reference.
// Measured: lists of 48 to 64 predict like all features on five sets of genes; longer ones were not tried.
inline constexpr Index kLongestList = 64;

// Where few examples tell classes apart and features outnumber them, lists are not shorter than this: folds of few
// examples cannot tell the best single features from lucky ones.
// Measured: simulations of 100 x 1,000 with lists from 8 instead of from 1: error .393 instead of .407; elsewhere
// equal.
// Lists of 24 to 64 are hardly better there, and a list is to be read.
// Measured: nine sets of genes: error .158 with 24 features, .152 with 33 of up to 64; relaxed glmnet .161 with 12.
inline constexpr Index kShortestListOfFew = 8, kLongestListOfFew = 24;
constexpr bool are_few_for_lists(Index examples, Index features) {
  return examples < 200 && features >= examples;
}

// Elimination, lists from one feature on, and lists that also learn from the labels need so many examples of classes.
// Measured: with 300 examples elimination gains .013 of the labels, with 25 to 66 it loses .011.
inline constexpr Index kEnoughForElimination = 200;

// A list may be this many standard errors of the paired difference behind the best one.
// Measured: one standard error costs .02 of the labels on sets of genes, half a one nothing.
inline constexpr double kListErrors = 0.5;

// Knowing nothing is beaten by so many standard errors, or there is no list.
// Measured: in three draws of noise the list was empty each time; `benchmarks/answers` has simulations of weak signals.
inline constexpr double kErrorsAboveNothing = 1;

// Scores of left-out examples that are kept for each candidate and repetition; more are thinned evenly. For lists all
// scores together are not more than the second number.
// Not measured: with 20,000 examples the error of a difference is below .005.
inline constexpr Index kMostJudged = 20000, kMostListScores = 20'000'000;

}  // namespace medlar
