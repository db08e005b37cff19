// Prediction of kernel models: the fitted distribution of L(x) is that of a Gaussian process.   [MED 2.3, 3.1]
//   E[L(x)] = v sum_t beta_t k(x, x_t) + b,     Var[L(x)] = v k(x, x) + Var[b]
// The constraints move the mean and leave the covariance as it was: A'' does not depend on V.
#include <cmath>
#include <numeric>

#include "medlar/error.hpp"
#include "medlar/kernels/gram.hpp"
#include "medlar/model/kernel_part.hpp"
#include "medlar/model/kinds.hpp"
#include "medlar/model/predicting.hpp"

namespace medlar {

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
  for_each_block(model, x, part.columns, [&](const Matrix& inputs) {
    const KernelScores at = kernel_scores(kernel, vectors, rows, part.weights, inputs, model.settings.threads);
    for (std::size_t t = 0; t < at.scores.size(); ++t) {
      const double diagonal = precomputed ? part.mean_diagonal : at.diagonal[t];
      const double variance = *model.settings.prior_variance * diagonal + model.bias_sd * model.bias_sd;
      Prediction prediction;
      prediction.score = at.scores[t] + model.bias;
      prediction.sd = std::sqrt(std::max(variance, 0.0));
      predictions.push_back(prediction);
    }
  });
  for (std::size_t t = 0; t < predictions.size(); ++t) complete(model, static_cast<Index>(t), predictions[t]);
  return predictions;
}

}  // namespace medlar
