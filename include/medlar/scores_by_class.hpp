// What a model of more than two classes chooses by.
#pragma once

#include <vector>

#include "medlar/model.hpp"

namespace medlar {

// For each row the score of every label, in the order of Model::labels: the largest is Prediction::score, and its label
// Prediction::label. L_k(x) of linear, latent and generative models; of a kernel model, which tells classes apart two
// by two, the score against the strongest rival. A model of fewer labels is an OptionError.
std::vector<std::vector<double>> scores_by_class(const Model& model, const Matrix& x);

}  // namespace medlar
