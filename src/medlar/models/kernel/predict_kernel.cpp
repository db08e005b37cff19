// Prediction of kernel models: the fitted distribution of L(x) is that of a Gaussian process.   [MED 2.3, 3.1]
//   E[L(x)] = v sum_t beta_t k(x, x_t) + b,     Var[L(x)] = v k(x, x) + Var[b]
// The constraints move the mean and leave the covariance as it was: A'' does not depend on V.
// Of several classes the one wins whose score against its strongest rival is largest: it beats all others, if any does.
// Its probability is in proportion to Phi(that score / sd), as of a linear model of several classes. Two by two that
// score has a model of its own; jointly it is L_a - L_b, of twice the variance.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "medlar/error.hpp"
#include "medlar/kernels/gram.hpp"
#include "medlar/models/kernel/kernel_part.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/models/predicting.hpp"
#include "medlar/numerics/at.hpp"

namespace medlar {

namespace {

// The score of each class against its strongest rival; `scores` holds one per pair, in the order of KernelPart.
std::vector<double> against_rivals(std::span<const double> scores, std::size_t classes) {
  std::vector<double> least(classes, std::numeric_limits<double>::infinity());
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b, ++pair) {
      least[a] = std::min(least[a], scores[pair]);
      least[b] = std::min(least[b], -scores[pair]);
    }
  }
  return least;
}

// L_a - L_b of every two classes, as if each had a model of its own.
std::vector<double> differences(std::span<const double> by_class) {
  std::vector<double> scores;
  for (std::size_t a = 0; a < by_class.size(); ++a) {
    for (std::size_t b = a + 1; b < by_class.size(); ++b) scores.push_back(by_class[a] - by_class[b]);
  }
  return scores;
}

// `sd` is that of a score against a rival.
Prediction best_of_pairs(std::span<const double> scores, std::size_t classes, double sd) {
  const std::vector<double> least = against_rivals(scores, classes);
  const auto best = std::max_element(least.begin(), least.end()) - least.begin();
  Prediction prediction;
  prediction.label = best;
  prediction.score = least[at(best)];
  prediction.sd = sd;
  double sum = 0;
  for (const double score : least) {
    prediction.probabilities.push_back(normal_cdf(score, sd));
    sum += prediction.probabilities.back();
  }
  for (double& each : prediction.probabilities) each = sum > 0 ? each / sum : 1 / static_cast<double>(classes);
  prediction.probability = prediction.probabilities[at(best)];
  return prediction;
}

Prediction best_of_classes(std::span<const double> by_class, double sd) {
  Prediction prediction = best_of_pairs(differences(by_class), by_class.size(), std::sqrt(2.0) * sd);
  prediction.score = by_class[at(prediction.label)];
  prediction.sd = sd;
  return prediction;
}

// visit(scores, sd) for each example in order: one score, or of several classes one per pair or class.
template <class Visit>
void for_each_kernel_score(const Model& model, const Matrix& x, Visit visit) {
  if (!model.kernel || !model.settings.prior_variance || !model.settings.gamma) {
    throw DataError("the model has no support vectors, gamma or prior-variance, so it cannot predict");
  }
  const KernelPart& part = *model.kernel;
  const Kernel kernel = kernel_of(model.settings);
  const bool precomputed = kernel.kind == Kernel::Kind::precomputed;
  const Matrix vectors = part.vectors();
  std::vector<Index> rows = model.support;
  if (!precomputed) std::iota(rows.begin(), rows.end(), Index{0});
  const std::vector<double> bias = !part.pair_bias.empty()    ? part.pair_bias
                                   : !part.class_bias.empty() ? part.class_bias
                                                              : std::vector<double>{model.bias};
  for_each_block(model, x, part.columns, [&](const Matrix& inputs) {
    const auto examples = at(inputs.rows());
    KernelScores found = kernel_scores(kernel, vectors, rows, part.weights, inputs, model.settings.threads);
    found.scores.resize(bias.size() * examples, 0.0);  // without support vectors the bias is all
    std::vector<double> scores(bias.size());
    for (std::size_t t = 0; t < examples; ++t) {
      const double own = precomputed ? part.mean_diagonal : found.diagonal[t];
      const double variance = *model.settings.prior_variance * own + model.bias_sd * model.bias_sd;
      for (std::size_t p = 0; p < bias.size(); ++p) scores[p] = found.scores[p * examples + t] + bias[p];
      visit(scores, std::sqrt(std::max(variance, 0.0)));
    }
  });
}

}  // namespace

std::vector<Prediction> predict_kernel(const Model& model, const Matrix& x) {
  std::vector<Prediction> predictions;
  predictions.reserve(static_cast<std::size_t>(x.rows()));
  for_each_kernel_score(model, x, [&](std::span<const double> scores, double sd) {
    const Index example = std::ssize(predictions);
    if (model.labels.size() > 2) {
      predictions.push_back(model.kernel->class_bias.empty() ? best_of_pairs(scores, model.labels.size(), sd)
                                                             : best_of_classes(scores, sd));
      require_finite(predictions.back(), example);
      return;
    }
    Prediction& prediction = predictions.emplace_back();
    prediction.score = scores[0];
    prediction.sd = sd;
    complete(model, example, prediction);
  });
  return predictions;
}

std::vector<std::vector<double>> kernel_class_scores(const Model& model, const Matrix& x) {
  std::vector<std::vector<double>> all;
  for_each_kernel_score(model, x, [&](std::span<const double> scores, double) {
    all.push_back(model.kernel->class_bias.empty() ? against_rivals(scores, model.labels.size())
                                                   : std::vector<double>(scores.begin(), scores.end()));
  });
  return all;
}

}  // namespace medlar
