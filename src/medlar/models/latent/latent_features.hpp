// The rows that a latent model's linear discriminant sees, before its transforms.
#pragma once

#include "medlar/model.hpp"

namespace medlar {

// The features expected under P0(U | x). This is x itself if only the label is latent, and for a literal translation,
// whose two tilts cancel.
Matrix latent_features(const Model& model, const Matrix& x);

// Whether the score is a sum over these features. It is not where a literal model sums over U.
bool scores_latent_features(const Model& model);

// The number of these features, for data of `features` columns.
Index latent_feature_count(const Model& model, Index features);

// For more than two classes: whether each was fitted against all others, with switches of its own.
bool each_against_others(const Model& model);

// For more than two classes: the s of their probabilities e^{s L_k}.
double class_sharpness(const Model& model);

// The scores of each example where they are not sums over features: one score for two labels, else one for each label.
std::vector<std::vector<double>> literal_class_scores(const Model& model, const Matrix& x);
std::vector<Prediction> predict_literal(const Model& model, const Matrix& x);

}  // namespace medlar
