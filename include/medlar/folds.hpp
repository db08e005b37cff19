// Folds: which examples are fitted and which are left out to measure on.
#pragma once

#include <span>
#include <vector>

#include "medlar/dataset.hpp"

namespace medlar {

// One part of the examples to fit, and another to measure on. Some examples may be in neither.
struct Fold {
  std::vector<Index> fitted, left_out;
};

// The fold (0 .. folds - 1) of each example. Examples are shuffled by the seed, sorted by target and dealt out in turn,
// so every fold has its share of each class, or of small and large values. Where neighbours in this order have targets
// that no other example has, the seed decides which of them goes where.
std::vector<Index> assign_folds(const Target& target, Index examples, Index folds, Index seed);

// The same for groups that stay together (`group_of` has one number per example). The largest group goes first. Each
// goes to the fold in which its classes, or its fifths of the range of values, are rarest so far.
std::vector<Index> assign_grouped_folds(const Target& target, std::span<const Index> group_of, Index folds, Index seed);

// Leaves out each fold in turn: 0, 1, ..., each of them with at least one example.
std::vector<Fold> folds_from(std::span<const Index> fold_of);

// Folds of the examples with a weight above 0, dealt out `repeats` times with the seeds `seed`, `seed` + 1, ... Groups
// of Dataset::fold_group stay together.
std::vector<Fold> deal_folds(const Dataset& data, Index folds, Index repeats, Index seed);

// The examples of these rows, with everything that belongs to them.
Dataset subset(const Dataset& data, std::span<const Index> rows);

// The same for examples that are fitted, and for those that are left out. In both, cells without a value get the mean
// over the fitted examples, so that a fit knows nothing of the examples it is measured on.
Dataset fitted_part(const Dataset& data, std::span<const Index> rows);
Dataset left_out_part(const Dataset& data, std::span<const Index> rows, const Dataset& fitted);

}  // namespace medlar
