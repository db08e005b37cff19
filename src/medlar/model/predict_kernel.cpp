// Prediction of kernel models: the fitted distribution of L(x) is that of a Gaussian process.   [MED 2.3, 3.1]
//   E[L(x)] = v sum_t beta_t k(x, x_t) + b,     Var[L(x)] = v k(x, x) + Var[b]
// The constraints move the mean and leave the covariance as it was: A'' does not depend on V.
// Of several classes the one wins whose score against its strongest rival is largest: it beats all others, if any does.
// Its probability is in proportion to Phi(that score / sd), as of a linear model of several classes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "medlar/error.hpp"
#include "medlar/kernels/gram.hpp"
#include "medlar/model/kernel_part.hpp"
#include "medlar/model/kinds.hpp"
#include "medlar/model/predicting.hpp"
#include "medlar/numerics/at.hpp"

namespace medlar {

namespace {

// `scores` holds one score per pair of classes, in the order of KernelPart.
Prediction best_of_pairs(std::span<const double> scores, std::size_t classes, double sd) {
  std::vector<double> least(classes, std::numeric_limits<double>::infinity());
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b, ++pair) {
      least[a] = std::min(least[a], scores[pair]);
      least[b] = std::min(least[b], -scores[pair]);
    }
  }
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

}  // namespace

std::vector<Prediction> predict_kernel(const Model& model, const Matrix& x) {
  if (!model.kernel || !model.settings.prior_variance || !model.settings.gamma) {
    throw DataError("the model has no support vectors, gamma or prior-variance, so it cannot predict");
  }
  const KernelPart& part = *model.kernel;
  const Kernel kernel = kernel_of(model.settings);
  const bool precomputed = kernel.kind == Kernel::Kind::precomputed;
  const Matrix vectors = part.vectors();
  std::vector<Index> rows = model.support;
  if (!precomputed) std::iota(rows.begin(), rows.end(), Index{0});
  std::vector<Prediction> predictions;
  predictions.reserve(static_cast<std::size_t>(x.rows()));
  const std::size_t classes = model.labels.size(), pairs = std::max<std::size_t>(part.pair_bias.size(), 1);
  for_each_block(model, x, part.columns, [&](const Matrix& inputs) {
    const auto examples = at(inputs.rows());
    KernelScores found = kernel_scores(kernel, vectors, rows, part.weights, inputs, model.settings.threads);
    found.scores.resize(pairs * examples, 0.0);  // without support vectors the bias is all
    std::vector<double> scores(pairs);
    for (std::size_t t = 0; t < examples; ++t) {
      const double own = precomputed ? part.mean_diagonal : found.diagonal[t];
      const double variance = *model.settings.prior_variance * own + model.bias_sd * model.bias_sd;
      const double sd = std::sqrt(std::max(variance, 0.0));
      if (part.pair_bias.empty()) {
        Prediction prediction;
        prediction.score = found.scores[t] + model.bias;
        prediction.sd = sd;
        complete(model, std::ssize(predictions), prediction);
        predictions.push_back(prediction);
      } else {
        for (std::size_t p = 0; p < pairs; ++p) scores[p] = found.scores[p * examples + t] + part.pair_bias[p];
        predictions.push_back(best_of_pairs(scores, classes, sd));
        require_finite(predictions.back(), std::ssize(predictions) - 1);
      }
    }
  });
  return predictions;
}

}  // namespace medlar
