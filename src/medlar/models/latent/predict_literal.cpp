// Prediction of a literal model of transformations or alignments: U has its prior, tilted for each candidate label.
// With the typical multiplier l of training,
//
//   score = [log sum_U P0(U) e^{l L(x,U)} - log sum_U P0(U) e^{-l L(x,U)}] / (2 l)
//
// With more than two classes, there is one score for each against the others.
#include <algorithm>
#include <cmath>

#include "medlar/models/kinds.hpp"
#include "medlar/models/latent/latent_features.hpp"
#include "medlar/models/latent/latent_maps.hpp"
#include "medlar/models/latent/latent_states.hpp"
#include "medlar/models/latent/variables/choices.hpp"
#include "medlar/models/latent/variables/transformation_terms.hpp"
#include "medlar/models/predicting.hpp"

namespace medlar {
namespace {

// The scores of every problem, example by example, and the sd of the winner's.
struct LiteralScores {
  std::vector<std::vector<double>> score;
  std::vector<double> sd;
};

std::size_t winner(const std::vector<double>& score) {
  return static_cast<std::size_t>(std::max_element(score.begin(), score.end()) - score.begin());
}

double multiplier_of(const std::vector<double>& multiplier, std::size_t problem) {
  return multiplier.empty() ? 0 : multiplier[problem];
}

// All maps of the rows are scored; those of one example are then put together.
LiteralScores scores_of_maps(const Model& model, const TransformationPart& part, const Matrix& x) {
  const Maps maps = maps_of(part, x.columns());
  const Matrix all = maps.apply_all(x);
  const std::vector<Prediction> each =
      model.multiclass ? predict_multiclass(model, all, 1) : predict_linear(model, all);
  std::vector<std::vector<double>> by_class;
  if (model.multiclass) by_class = linear_class_scores(model, all);
  for (std::size_t j = 0; j < each.size() && !model.multiclass; ++j) by_class.push_back({each[j].score});
  const std::vector<double> prior(maps.count(), 1.0 / static_cast<double>(maps.count()));
  LiteralScores together;
  for (std::size_t first = 0; first < each.size(); first += maps.count()) {
    std::vector<double>& score = together.score.emplace_back();
    std::vector<double> sds;
    for (std::size_t k = 0; k < by_class[first].size(); ++k) {
      std::vector<double> scores;
      for (std::size_t u = 0; u < maps.count(); ++u) scores.push_back(by_class[first + u][k]);
      const Choices choices{scores, prior, 1};
      const double l = multiplier_of(part.multiplier, k);
      score.push_back(l > 0 ? (choices.value(l) - choices.value(-l)) / (2 * l) : choices.slope(0));
      double sd = 0;
      for (std::size_t u = 0; u < maps.count(); ++u) {  // of its features, averaged over both tilts
        sd += 0.5 * (choices.posterior(u, l) + choices.posterior(u, -l)) * each[first + u].sd;
      }
      sds.push_back(sd);
    }
    together.sd.push_back(sds[winner(score)]);
  }
  return together;
}

// The coefficients of one problem.
std::vector<double> coefficients_of(const Model& model, std::size_t problem) {
  std::vector<double> w;
  for (std::size_t i = 0; i < model.features.size(); ++i) {
    w.push_back(model.multiclass ? model.multiclass->coefficient[i * model.labels.size() + problem]
                                 : model.features[i].coefficient);
  }
  return w;
}

LiteralScores scores_of_paths(const Model& model, const AlignmentPart& part, const Matrix& x) {
  const Chain chain{part.start, part.transition};
  const std::size_t S = chain.states(), problems = model.multiclass ? model.multiclass->class_bias.size() : 1;
  std::vector<std::vector<double>> w;
  for (std::size_t k = 0; k < problems; ++k) w.push_back(coefficients_of(model, k));
  LiteralScores all;
  for (const Sequence& sequence : sequences_of(x, part.channels, part.shift, part.factor)) {
    std::vector<double>& score = all.score.emplace_back();
    for (std::size_t k = 0; k < problems; ++k) {
      const std::vector<double> g = state_scores(sequence, S, w[k]);
      const double l = multiplier_of(part.multiplier, k);
      const double bias = model.multiclass ? model.multiclass->class_bias[k] : model.bias;
      score.push_back(bias + (l > 0 ? (path_moments(chain, g, l).log_sum - path_moments(chain, g, -l).log_sum) / (2 * l)
                                    : path_moments(chain, g, 0).mean));
    }
    double variance = model.bias_sd * model.bias_sd;
    const std::vector<double> gamma = forward_backward(chain, std::vector<double>(sequence.length() * S, 0.0)).gamma;
    for (std::size_t i = 0; i < model.features.size(); ++i) {  // of the features expected under P0
      double feature = 0;
      for (std::size_t tau = 0; tau < sequence.length(); ++tau) {
        feature += gamma[tau * S + i / sequence.channels] * sequence.at(tau, i % sequence.channels);
      }
      const double part_sd = model.features[i].sd * feature / static_cast<double>(sequence.length());
      variance += part_sd * part_sd;
    }
    all.sd.push_back(std::sqrt(variance));
  }
  return all;
}

LiteralScores literal_scores(const Model& model, const Matrix& x) {
  const LatentPart& part = *model.latent;
  return part.alignment ? scores_of_paths(model, *part.alignment, x) : scores_of_maps(model, *part.transformation, x);
}

}  // namespace

std::vector<std::vector<double>> literal_class_scores(const Model& model, const Matrix& x) {
  return literal_scores(model, x).score;
}

std::vector<Prediction> predict_literal(const Model& model, const Matrix& x) {
  const LiteralScores all = literal_scores(model, x);
  std::vector<Prediction> predictions;
  for (std::size_t t = 0; t < all.score.size(); ++t) {
    const std::vector<double>& f = all.score[t];
    const std::size_t best = winner(f);
    Prediction& each = predictions.emplace_back();
    each.score = f[best], each.sd = all.sd[t];
    require_finite(each, std::ssize(predictions) - 1);
    if (!model.multiclass) continue;
    each.label = static_cast<Index>(best);
    double sum = 0;
    for (const double score : f)
      sum += each.probabilities.emplace_back(std::exp(class_sharpness(model) * (score - f[best])));
    for (double& p : each.probabilities) p /= sum;
    each.probability = each.probabilities[best];
  }
  return predictions;
}

}  // namespace medlar
