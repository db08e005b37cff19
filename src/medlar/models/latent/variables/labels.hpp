// Labels that are unknown or only believed (docs/theory.md#latent; [MED 7]).
//
// Anchored is the default. Without an anchor, the total KL is often lowest when all unlabelled examples fall into one
// class, or all uncertain labels do. Two things prevent that. One is a balance constraint on their mean score, E_P[mean
// L] = 2 r - 1, with r the share of positive examples: the rows are centred at the mean of the unlabelled (or else the
// uncertain) examples, and the bias is 2 r - 1. The other is that weights of unlabelled examples start small and grow;
// each fit starts from the one before.
//
// Literal is the paper's alternation: it starts from Q = P0, and every example has its full weight.
#pragma once

#include <optional>
#include <vector>

#include "medlar/models/latent/variables/drive.hpp"

namespace medlar {

struct LabelProblem {
  const Matrix* x = nullptr;
  const Margin* psi = nullptr;
  const PriorView* prior = nullptr;
  BiasPrior bias;
  std::vector<double> belief;    // P0(y = +1); 1/2 where nothing is known
  std::vector<double> weight;    // > 0
  std::vector<bool> unlabelled;  // whose weights are multiplied by unlabelled_weight
};

struct LabelPlan {
  bool literal = false;
  std::optional<double> positive_share;  // r, the balance constraint; none without it. Anchored, with a flat bias.
  double unlabelled_weight = 0.1;        // the last of the growing weights
  std::vector<double> start;             // V of a neighbouring fit, from which the weights need not grow; empty: none
  double start_bias = 0;                 // bias of that fit; the balance constraint overrides it
};

struct LabelSolution {
  LatentSolution latent;
  double bias = 0;                  // for the rows before they are centred
  std::vector<double> multipliers;  // omega_t lambda_t E_Q[y]
};

LabelSolution fit_labels(const LabelProblem& problem, const LabelPlan& plan, const Limits& limits, Observer* observer);

}  // namespace medlar
