#include "medlar/models/latent/latent_features.hpp"

#include "medlar/models/latent/latent_maps.hpp"
#include "medlar/models/latent/latent_states.hpp"

namespace medlar {

Matrix latent_features(const Model& model, const Matrix& x) {
  if (model.settings.latent_mode == LatentMode::literal) return x;
  if (model.latent->alignment) return state_rows(*model.latent->alignment, x);
  if (model.latent->transformation) return expected_rows(*model.latent->transformation, x);
  return x;
}

bool scores_latent_features(const Model& model) {
  if (model.settings.latent_mode != LatentMode::literal) return true;
  const auto& transformation = model.latent->transformation;
  return !model.latent->alignment && (!transformation || transformation->kind == LatentKind::translation);
}

Index latent_feature_count(const Model& model, Index features) {
  if (!model.latent || !model.latent->alignment) return features;
  const AlignmentPart& part = *model.latent->alignment;
  if (model.settings.latent_mode == LatentMode::literal) return part.states * part.channels;
  return state_feature_count(part);
}

}  // namespace medlar
