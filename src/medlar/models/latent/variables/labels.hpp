// Labels that are unknown or only believed (theory 9; [MED 7]).
//
// Anchored, the default. Left alone, the total KL is often lowest when all unlabelled examples fall into one class, or
// all labels that are not certain do. Two things prevent it: a balance constraint on their mean score,
// E_P[mean L] = 2 r - 1 with r the share of positive examples (the rows are centred at the mean of the unlabelled, or
// else of the uncertain, and the bias is then 2 r - 1); and weights of the unlabelled examples that start small and
// grow, each fit from the one before.
// Literal. The paper's alternation, from Q = P0, every example with its full weight.
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
  std::vector<bool> unlabelled;  // counts with unlabelled_weight besides
};

struct LabelPlan {
  bool literal = false;
  std::optional<double> positive_share;  // r, the balance constraint; none without it. Anchored, with a flat bias.
  double unlabelled_weight = 0.1;        // the last of the growing weights
  std::vector<double> start;             // V of a neighbouring fit; then the weights do not grow. Empty: none
  double start_bias = 0;                 // its bias; the balance constraint knows better
};

struct LabelSolution {
  LatentSolution latent;
  double bias = 0;                  // of the rows as they are, not centred
  std::vector<double> multipliers;  // omega_t lambda_t E_Q[y]
};

LabelSolution fit_labels(const LabelProblem& problem, const LabelPlan& plan, const Limits& limits, Observer* observer);

}  // namespace medlar
