// Why an example got its score: what each feature added to it.
#pragma once

#include <vector>

#include "medlar/model.hpp"

namespace medlar {

// What one feature added. Feature i adds coefficient_i x_i, with x_i its value after the model's transforms.
// - Latent models: the features are those expected under what the example itself says about U.
// - Generative models: a feature adds what it says for one class minus what it says for the other.
// - Anomaly detectors: a feature adds what it says of the example minus what is typical of it (anomaly.hpp), and the
//   bias is the typical score.
struct Contribution {
  // Index into Model::features.
  Index feature = 0;
  // x_i.
  double value = 0;
  // What it added to the score.
  double added = 0;
};

struct Explanation {
  // Sorted by |added|, from large to small.
  std::vector<Contribution> largest;
  // Number of features that are not listed although they add something.
  Index others = 0;
  double added_by_others = 0;
  // score = bias + added_by_others + the sum over `largest`.
  double bias = 0;
  // With more than two classes, the explained score is the lead of one class over the next, L_label - L_rival.
  Index label = -1, rival = -1;
};

// Whether the scores of this kind of model are sums over its features. Those of kernels are not.
bool explainable(const Model& model);

// One explanation per row of x, which must be read with the model's schema; each has at most `most` contributions. A
// model that is not explainable is an OptionError.
std::vector<Explanation> explain(const Model& model, const Matrix& x, Index most = 12);

}  // namespace medlar
