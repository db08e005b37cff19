// Prediction by a linear model of several classes. The winner's margin over each rival, L_a - L_b, is taken as
// Gaussian:
//   Var[L_a - L_b] = sum over switches of  2 v P sum_i x_i^2 + (1 - P)/P (sum_i (w_ia - w_ib) x_i)^2
// P(class k) is in proportion to Phi((f_k - f_rival)/sd), the rival being the best other class: it is largest for the
// winner, above 1/2 before the proportion is taken, and for two classes it is the probability of the linear model
// itself.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/models/latent/latent_features.hpp"
#include "medlar/models/predicting.hpp"

namespace medlar {

namespace {

class ClassPosterior {
 public:
  ClassPosterior(const Model& model, double sharpness)
      : model_(model),
        sharpness_(sharpness),
        own_switches_(each_against_others(model)),
        part_(*model.multiclass),
        classes_(part_.class_bias.size()),
        variance_(model.prior_variances()) {}

  Prediction at(const RowView& row) {
    std::vector<double> f = part_.class_bias;
    for_each(row, [&](Index i, double x) {
      const double* w = part_.coefficient.data() + static_cast<std::size_t>(i) * classes_;
      for (std::size_t k = 0; k < classes_; ++k) f[k] += w[k] * x;
    });
    const auto best = static_cast<std::size_t>(std::max_element(f.begin(), f.end()) - f.begin());
    std::size_t second = best == 0 ? 1 : 0;
    for (std::size_t k = 0; k < classes_; ++k) {
      if (k != best && f[k] > f[second]) second = k;
    }
    Prediction prediction;
    prediction.label = static_cast<Index>(best);
    prediction.score = f[best];
    prediction.sd = std::sqrt(variance(row, best, best));
    prediction.probabilities.resize(classes_);
    double sum = 0;
    for (std::size_t k = 0; k < classes_ && sharpness_ > 0; ++k) {
      sum += prediction.probabilities[k] = std::exp(sharpness_ * (f[k] - f[best]));
    }
    for (std::size_t k = 0; k < classes_ && sharpness_ == 0; ++k) {
      const std::size_t rival = k == best ? second : best;
      const double sd = std::sqrt(variance(row, k, rival));
      sum += prediction.probabilities[k] = normal_cdf(f[k] - f[rival], sd);
    }
    for (double& each : prediction.probabilities) each /= sum;
    prediction.probability = prediction.probabilities[best];
    return prediction;
  }

 private:
  // Of L_a - L_b, or of L_a alone when they are the same.
  double variance(const RowView& row, std::size_t a, std::size_t b) {
    const double sides = a == b ? 1 : 2;
    double sum = sides * model_.bias_sd * model_.bias_sd;
    groups_.assign(model_.group_names.size(), 0.0);
    for_each(row, [&](Index i, double x) {
      const auto place = static_cast<std::size_t>(i);
      const Feature& feature = model_.features[place];
      const double* w = part_.coefficient.data() + place * classes_;
      if (own_switches_) {  // each class was fitted apart: the mean of their variances
        sum += sides * feature.sd * feature.sd * x * x;
        return;
      }
      const double term = (a == b ? w[a] : w[a] - w[b]) * x;
      sum += sides * variance_[place] * feature.inclusion * x * x;
      if (feature.group >= 0) {
        // (1 - P)/P of the whole group's sum, built up term by term.
        double& so_far = groups_[static_cast<std::size_t>(feature.group)];
        sum += spread(feature) * ((so_far + term) * (so_far + term) - so_far * so_far);
        so_far += term;
      } else {
        sum += spread(feature) * term * term;
      }
    });
    return std::max(0.0, sum);
  }
  static double spread(const Feature& feature) {
    return feature.inclusion > 0 ? (1 - feature.inclusion) / feature.inclusion : 0;
  }

  const Model& model_;
  double sharpness_;
  bool own_switches_;
  const MulticlassPart& part_;
  std::size_t classes_;
  std::vector<double> variance_;  // of the prior, of each feature
  std::vector<double> groups_;
};

}  // namespace

std::vector<Prediction> predict_multiclass(const Model& model, const Matrix& x, double sharpness) {
  if (!model.settings.prior_variance) throw DataError("the model has no prior-variance, so its predictions have no sd");
  ClassPosterior posterior(model, sharpness);
  std::vector<Prediction> predictions;
  for_each_block(model, x, std::ssize(model.features), [&](const Matrix& inputs) {
    for (Index t = 0; t < inputs.rows(); ++t) {
      predictions.push_back(posterior.at(inputs.row(t)));
      require_finite(predictions.back(), std::ssize(predictions) - 1);
    }
  });
  return predictions;
}

}  // namespace medlar
