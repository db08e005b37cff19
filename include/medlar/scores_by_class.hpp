// The scores by which a model of more than two classes decides.
#pragma once

#include <vector>

#include "medlar/model.hpp"

namespace medlar {

// For each row, the score of every label, in the order of Model::labels. The largest is Prediction::score, and its
// label Prediction::label. For linear, latent and generative models it is L_k(x). For a kernel model that tells classes
// apart two by two, it is the score against the strongest rival. A model of at most two labels is an OptionError.
std::vector<std::vector<double>> scores_by_class(const Model& model, const Matrix& x);

}  // namespace medlar
