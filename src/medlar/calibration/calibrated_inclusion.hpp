// The probability that a feature is a true one, from how its coefficient compares with those of forged copies.
#pragma once

#include <span>
#include <vector>

namespace medlar {

// `own[m][i]` is |coefficient| of feature i in draw m of the copies, `copied[m][i]` that of its copy. Copies have the
// density f0 of features that do not matter; features have f = f0 / (1 - pi) where a share pi of those of this size
// does matter (the two groups of Efron 2008). So a number of size t belongs to a feature, and not to a copy, with
// probability 1 / (2 - pi(t)). pi is a logistic curve in t^0.15, and the answer its mean over all curves of a grid,
// each weighted by its likelihood^0.6 (draws rest on the same features), at the mean size of the feature over the
// draws. The copy of a feature that matters takes part of what this does, as far as the two correlate, and is no
// example of one that does not: a second round counts each copy by the probability that its feature does not matter, in
// all as many as there are.
std::vector<double> calibrated_inclusion(std::span<const std::vector<double>> own,
                                         std::span<const std::vector<double>> copied);

// The same where features of one group (numbers below that of the features) have copies that stand for all of them: the
// inclusion of the group, by the sum of its sizes, shared among its features by the squares of theirs. So that of a
// feature is the probability that the group matters and that it does so by this feature.
std::vector<double> shared_inclusion(std::span<const std::vector<double>> own,
                                     std::span<const std::vector<double>> copied, std::span<const std::size_t> group);

}  // namespace medlar
