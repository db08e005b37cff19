// The rows that a latent model's linear discriminant sees, before its transforms.
#pragma once

#include "medlar/model.hpp"

namespace medlar {

// The features expected under P0(U | x); x itself where nothing but the label is latent, and for a literal translation,
// whose two tilts cancel.
Matrix latent_features(const Model& model, const Matrix& x);

// Whether the score is a sum over these features: not where a literal model sums over U.
bool scores_latent_features(const Model& model);

// How many they are, for data of `features` columns.
Index latent_feature_count(const Model& model, Index features);

// Of more than two classes: whether each was fitted against all others, with switches of its own.
bool each_against_others(const Model& model);

// s of the probabilities e^{s L_k} of more than two classes.
double class_sharpness(const Model& model);

// The scores of each example where they are no sums over features: of two labels one, of more one for each.
std::vector<std::vector<double>> literal_class_scores(const Model& model, const Matrix& x);
std::vector<Prediction> predict_literal(const Model& model, const Matrix& x);

}  // namespace medlar
