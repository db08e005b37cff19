// What is measured in each state of an alignment. Per state and channel: the means of the level x, its square, its
// change and the square of the change, sum_tau gamma f / (1 + sum_tau gamma). Per state: its share sum gamma / (1 + sum
// gamma).
//
// These are means and not sums over the length, so a longer state does not count more. Mean squares may be replaced by
// their roots, which are in the units of the signal: swings that differ tenfold then differ tenfold, not a hundredfold.
#pragma once

#include <string>
#include <vector>

#include "medlar/models/latent/variables/hmm.hpp"
#include "medlar/words.hpp"

namespace medlar {

// levels: x; squares: x, x^2; changes: x, x^2, dx, dx^2; roots: the same, the squares as root mean squares.
std::size_t statistics_of(StateStatistics statistics);
std::vector<std::string> state_feature_names(std::size_t states, const std::vector<std::string>& channels,
                                             StateStatistics statistics);
// One group per state and channel, and one per state for its share; for switches over (state, channel).
std::vector<Index> state_feature_groups(std::size_t states, std::size_t channels, StateStatistics statistics);
std::vector<double> state_features(const Sequence& sequence, std::size_t states, const std::vector<double>& gamma,
                                   StateStatistics statistics);

}  // namespace medlar
