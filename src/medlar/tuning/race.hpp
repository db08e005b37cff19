// Drops candidates that can no longer win after some of the folds.
#pragma once

#include <span>
#include <vector>

namespace medlar {

// The folds of each stage of a race: the first three, then two more at a time. There is a single stage if there are at
// most three folds, or if every candidate is to be measured on every fold.
std::vector<std::vector<std::size_t>> race_stages(std::size_t folds, bool exhaustive);

// Whether each candidate goes on. `values[k]` are its folds so far; empty if it is already out. A candidate is dropped
// if it is behind the leader by a paired t-test over the folds at the level of 1 %, and also by more than two standard
// errors of the leader's mean (with few folds, by the quantile of Student's t instead: 4.3 for three). Then it will
// hardly be the best, or within one standard error of the best.
std::vector<bool> still_racing(std::span<const std::vector<double>> values, bool higher_is_better);

}  // namespace medlar
