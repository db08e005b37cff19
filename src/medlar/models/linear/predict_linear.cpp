// Prediction: the mean and the standard deviation of the discriminant under the fitted distribution.   [MED 4.1]
//   L(x) = sum_i theta_i s_i x_i + b,   E[L] = w.x + b,   w_i = P_i v V_i
//   Var[L] = sum_i Var_i x_i^2 + Var[b],   Var_i = v P_i + (1 - P_i) / P_i w_i^2
// Features of one group share a switch, so they also covary, by (1 - P) / P w_i w_j; together they give
//   v P sum_i x_i^2 + (1 - P) (sum_i w_i x_i) (sum_i w_i / P x_i).
// The probability of the positive label is that of L > 0 when L is taken as Gaussian, Phi(E[L] / sd[L]): it is above
// 1/2 only for a positive score and below 1/2 only for a negative one, hence it never contradicts the label. With the
// logistic margin E[L] is the log odds, and the probability is 1 / (1 + e^-E[L]).
#include <algorithm>
#include <cmath>

#include "medlar/error.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/models/predicting.hpp"

namespace medlar {
namespace {

// What one row's features of one group add up to.
struct GroupSums {
  bool touched = false;
  double inclusion = 1, mean = 0, slab_mean = 0, squares = 0;  // each square times its v
};

class Posterior {
 public:
  explicit Posterior(const Model& model)
      : model_(model), prior_variance_(model.prior_variances()), sums_(model.group_names.size()) {
    for (const Feature& feature : model.features) {
      coefficient_.push_back(feature.coefficient);
      variance_.push_back(feature.group < 0 ? feature.sd * feature.sd : 0.0);
    }
    if (!sums_.empty() && !model.settings.prior_variance) {
      throw DataError("the model has groups but no prior-variance, so its predictions have no sd");
    }
  }

  // E[L(x)] and its standard deviation.
  Prediction at(const RowView& row) {
    const double score = model_.bias + dot(row, coefficient_);
    double variance = model_.bias_sd * model_.bias_sd + dot_squares(row, variance_);
    if (!sums_.empty()) {
      for_each(row, [&](Index i, double x) {
        const Feature& feature = model_.features[static_cast<std::size_t>(i)];
        if (feature.group >= 0) gather(feature, x, prior_variance_[static_cast<std::size_t>(i)]);
      });
    }
    variance += grouped_variance();
    return {score, std::sqrt(variance), 0, -1};
  }

 private:
  void gather(const Feature& feature, double x, double prior_variance) {
    const auto g = static_cast<std::size_t>(feature.group);
    GroupSums& sums = sums_[g];
    if (!sums.touched) {
      sums = {true, feature.inclusion, 0, 0, 0};
      touched_.push_back(g);
    }
    sums.mean += feature.coefficient * x;
    if (feature.inclusion > 0) sums.slab_mean += feature.coefficient / feature.inclusion * x;
    sums.squares += prior_variance * x * x;
  }

  double grouped_variance() {
    double variance = 0;
    for (const std::size_t g : touched_) {
      const GroupSums& sums = sums_[g];
      variance += sums.inclusion * sums.squares + (1 - sums.inclusion) * sums.mean * sums.slab_mean;
      sums_[g].touched = false;
    }
    touched_.clear();
    return variance;
  }

  const Model& model_;
  std::vector<double> prior_variance_;
  std::vector<double> coefficient_, variance_;  // of each feature; 0 where a group says how features vary
  std::vector<GroupSums> sums_;
  std::vector<std::size_t> touched_;  // the groups that this row has met
};

}  // namespace

std::vector<Prediction> predict_linear(const Model& model, const Matrix& x) {
  if (model.multiclass) return predict_multiclass(model, x);
  Posterior posterior(model);
  std::vector<Prediction> predictions;
  predictions.reserve(static_cast<std::size_t>(x.rows()));
  for_each_block(model, x, static_cast<Index>(model.features.size()), [&](const Matrix& inputs) {
    for (Index t = 0; t < inputs.rows(); ++t) predictions.push_back(posterior.at(inputs.row(t)));
  });
  for (std::size_t t = 0; t < predictions.size(); ++t) complete(model, static_cast<Index>(t), predictions[t]);
  return predictions;
}

}  // namespace medlar
