// Prediction of a latent model. Labels and anchored models score the expected features under P0(U | x) by the linear
// discriminant; predict_literal.cpp has the others.
//
// The probability is sigma(2 score). It is not Q(y), which becomes less sure as the score grows
// (docs/theory.md#latent). With more classes it is proportional to e^{2 L_k}, or to e^{L_k} where each was fitted
// against the others. For two classes both are sigma(2 score).
#include <cmath>

#include "medlar/models/kinds.hpp"
#include "medlar/models/latent/latent_features.hpp"

namespace medlar {

bool each_against_others(const Model& model) {
  return model.latent && (!model.latent->belief.empty() || model.settings.latent_mode == LatentMode::literal);
}

double class_sharpness(const Model& model) {
  return each_against_others(model) ? 1 : 2;
}

std::vector<Prediction> predict_latent(const Model& model, const Matrix& x) {
  std::vector<Prediction> predictions;
  if (!scores_latent_features(model)) {
    predictions = predict_literal(model, x);
  } else {
    const Matrix rows = latent_features(model, x);
    if (model.multiclass) return predict_multiclass(model, rows, class_sharpness(model));
    predictions = predict_linear(model, rows);
  }
  if (model.task != Task::classify || model.labels.size() > 2) return predictions;
  for (Prediction& each : predictions) {
    each.probability = 1 / (1 + std::exp(-2 * each.score));
    each.label = each.score > 0 ? 1 : 0;
  }
  return predictions;
}

}  // namespace medlar
