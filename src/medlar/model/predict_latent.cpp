// Prediction of a latent model. Labels and anchored models score the expected features under P0(U | x) by the linear
// discriminant. A literal model of transformations or alignments takes U under its prior with the tilt of each
// candidate label: with the typical multiplier l of training,
//
//   score = [log sum_U P0(U) e^{l L(x,U)} - log sum_U P0(U) e^{-l L(x,U)}] / (2 l)
//
// The probability is sigma(2 score), and not Q(y), whose sureness falls as the score grows (theory 9). Of more classes
// it is in proportion to e^{2 L_k}, or to e^{L_k} where each was fitted against the others: both are sigma(2 score) for
// two.
#include <cmath>

#include "medlar/latent/choices.hpp"
#include "medlar/latent/transformation_terms.hpp"
#include "medlar/model/kinds.hpp"
#include "medlar/model/latent_features.hpp"
#include "medlar/model/latent_maps.hpp"
#include "medlar/model/latent_states.hpp"

namespace medlar {
namespace {

// All maps of the rows are predicted; those of one example are then put together.
std::vector<Prediction> predict_maps(const Model& model, const TransformationPart& part, const Matrix& x) {
  const Maps maps = maps_of(part, x.columns());
  const std::vector<Prediction> each = predict_linear(model, maps.apply_all(x));
  const std::vector<double> prior(maps.count(), 1.0 / static_cast<double>(maps.count()));
  std::vector<Prediction> together;
  for (Index t = 0; t < x.rows(); ++t) {
    std::vector<double> scores;
    Prediction prediction;
    for (std::size_t u = 0; u < maps.count(); ++u) {
      scores.push_back(each[static_cast<std::size_t>(t) * maps.count() + u].score);
    }
    const Choices choices{scores, prior, 1};
    const double l = part.multiplier;
    prediction.score = l > 0 ? (choices.value(l) - choices.value(-l)) / (2 * l) : choices.slope(0);
    for (std::size_t u = 0; u < maps.count(); ++u) {  // the sd of its features, averaged over both tilts
      const double q = 0.5 * (choices.posterior(u, l) + choices.posterior(u, -l));
      prediction.sd += q * each[static_cast<std::size_t>(t) * maps.count() + u].sd;
    }
    together.push_back(prediction);
  }
  return together;
}

std::vector<Prediction> predict_paths(const Model& model, const AlignmentPart& part, const Matrix& x) {
  const Chain chain{part.start, part.transition};
  const std::size_t S = chain.states();
  std::vector<double> w;
  for (const Feature& feature : model.features) w.push_back(feature.coefficient);
  std::vector<Prediction> predictions;
  for (const Sequence& sequence : sequences_of(x, part.channels, part.shift, part.factor)) {
    const std::vector<double> g = state_scores(sequence, S, w);
    const double l = part.multiplier;
    Prediction prediction;
    prediction.score =
        model.bias + (l > 0 ? (path_moments(chain, g, l).log_sum - path_moments(chain, g, -l).log_sum) / (2 * l)
                            : path_moments(chain, g, 0).mean);
    double variance = model.bias_sd * model.bias_sd;
    const std::vector<double> gamma = forward_backward(chain, std::vector<double>(g.size(), 0.0)).gamma;
    for (std::size_t i = 0; i < w.size(); ++i) {  // of the features expected under P0
      double feature = 0;
      for (std::size_t tau = 0; tau < sequence.length(); ++tau) {
        feature += gamma[tau * S + i / sequence.channels] * sequence.at(tau, i % sequence.channels);
      }
      const double part_sd = model.features[i].sd * feature / static_cast<double>(sequence.length());
      variance += part_sd * part_sd;
    }
    prediction.sd = std::sqrt(variance);
    predictions.push_back(prediction);
  }
  return predictions;
}

}  // namespace

double class_sharpness(const Model& model) {
  return model.latent->belief.empty() ? 2 : 1;
}

std::vector<Prediction> predict_latent(const Model& model, const Matrix& x) {
  const LatentPart& part = *model.latent;
  std::vector<Prediction> predictions;
  if (!scores_latent_features(model)) {
    predictions =
        part.alignment ? predict_paths(model, *part.alignment, x) : predict_maps(model, *part.transformation, x);
  } else {
    const Matrix rows = latent_features(model, x);
    if (model.multiclass) return predict_multiclass(model, rows, class_sharpness(model));
    predictions = predict_linear(model, rows);
  }
  if (model.task != "classify" || model.labels.size() > 2) return predictions;
  for (Prediction& each : predictions) {
    each.probability = 1 / (1 + std::exp(-2 * each.score));
    each.label = each.score > 0 ? 1 : 0;
  }
  return predictions;
}

}  // namespace medlar
