// The probability that a feature matters, from how its coefficient compares with those of knockoff copies.
#pragma once

#include <span>
#include <vector>

namespace medlar {

// `own[m][i]` is |coefficient| of feature i in draw m of the copies, `copied[m][i]` that of its copy. Sizes of copies
// have the density f0 of features that do not matter. Sizes of features have f = f0 / (1 - pi), where pi is the share
// of those of this size that matter (the two groups of Efron 2008). So a number of size t belongs to a feature, and not
// to a copy, with probability 1 / (2 - pi(t)).
//
// pi is a logistic curve in t^0.15. The answer is its mean over all curves of a grid, each weighted by its
// likelihood^0.6 (all draws rest on the same features), at the mean size of the feature over the draws.
//
// The copy of a feature that matters takes over part of its effect, as far as the two correlate. It is then no example
// of a feature that does not matter. A second round therefore weights each copy by the probability that its feature
// does not matter; the weights sum to the number of copies.
std::vector<double> calibrated_inclusion(std::span<const std::vector<double>> own,
                                         std::span<const std::vector<double>> copied);

// The same, when features of one group (numbered below the number of features) have copies that stand for the whole
// group. The inclusion of the group comes from the sum of its sizes. It is shared among its features in proportion to
// the squares of their sizes. So the result for a feature is the probability that the group matters, and does so
// through this feature.
std::vector<double> shared_inclusion(std::span<const std::vector<double>> own,
                                     std::span<const std::vector<double>> copied, std::span<const std::size_t> group);

}  // namespace medlar
