// Why an example got its score: what each feature added to it.
#pragma once

#include <vector>

#include "medlar/model.hpp"

namespace medlar {

// Feature i adds coefficient_i x_i, x_i being its value after the model's transforms. Of a latent model the features
// are those expected under what the example itself tells of U. Of a generative model a feature adds what it says for
// one class less what it says for the other. Of an anomaly detector a feature adds what it says of the example less
// what is typical of it (anomaly.hpp), and the bias is the typical score.
struct Contribution {
  Index feature = 0;  // index into Model::features
  double value = 0;   // x_i
  double added = 0;   // to the score
};

struct Explanation {
  std::vector<Contribution> largest;  // by |added|, from large to small
  Index others = 0;                   // features that were left out of the list although they add something
  double added_by_others = 0;
  double bias = 0;  // score = bias + added_by_others + the sum over `largest`
  // More than two classes: the score that is explained is the lead of one class over the next, L_label - L_rival.
  Index label = -1, rival = -1;
};

// Whether the scores of this kind of model are sums over its features: not those of kernels.
bool explainable(const Model& model);

// One explanation per row of x, which is read with the model's schema; at most `most` contributions each.
// A model that is not explainable is an OptionError.
std::vector<Explanation> explain(const Model& model, const Matrix& x, Index most = 12);

}  // namespace medlar
