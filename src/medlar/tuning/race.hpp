// Candidates that cannot win any more, after some of the folds.
#pragma once

#include <span>
#include <vector>

namespace medlar {

// The folds of each stage of a race: the first three, then two more at a time. One stage with all of them when there
// are no more than three, or when every candidate is to be measured on every fold.
std::vector<std::vector<std::size_t>> race_stages(std::size_t folds, bool exhaustive);

// Whether each candidate goes on. `values[k]` are its folds so far; empty for one that is out already. One is dropped
// when, fold by fold, it lies behind the leader by a paired t-test at the level of 1 % and also by more than two
// standard errors of the leader's mean, or by what Student's t has in their place of few folds (4.3 of three): then it
// will hardly be the best or within one standard error of it.
std::vector<bool> still_racing(std::span<const std::vector<double>> values, bool higher_is_better);

}  // namespace medlar
