// The rows that a latent model's linear discriminant sees, before its transforms.
#pragma once

#include "medlar/model.hpp"

namespace medlar {

// The features expected under P0(U | x); x itself where nothing but the label is latent, and for a literal translation,
// whose two tilts cancel.
Matrix latent_features(const Model& model, const Matrix& x);

// How many they are, for data of `features` columns.
Index latent_feature_count(const Model& model, Index features);

}  // namespace medlar
