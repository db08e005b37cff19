// When are refits of few features worth trying, and how much work is a set of them worth?
#pragma once

#include "medlar/types.hpp"

namespace medlar {

// Whether examples suffice for refits of two labels: with fewer, folds cannot tell good features from lucky ones.
// Measured: with 300 examples refits gain 0.02 to 0.05 of the labels, in small sets of genes they lose 0 to 0.03
// (docs/selection_evidence.md). 200 stands between the two; `benchmarks/selection --examples 150 200 250` would tell.
constexpr bool are_enough_for_refits(Index examples) {
  return examples >= 200;
}

// Exchanges of a feature inside for one outside: the largest set that is worth them, the candidates to bring in for
// each, and the exchanges for a set.
// Measured: eight exchanges instead of three changed nothing on ten draws of six settings (docs/selection_evidence.md).
// The other two were not measured; `benchmarks/selection --examples 100 300` would tell.
inline constexpr Index kLargestSetToExchange = 16, kCandidatesPerExchange = 2;
inline constexpr int kMostExchanges = 3;

}  // namespace medlar
