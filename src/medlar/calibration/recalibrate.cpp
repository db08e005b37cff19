// A curve from score to probability, fitted to scores of examples that were left out. How good it is, is measured by
// curves of the other folds, so that no example judges a curve that it has shaped.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medlar/calibration/platt.hpp"
#include "medlar/error.hpp"
#include "medlar/folds.hpp"
#include "medlar/metrics.hpp"
#include "medlar/selection.hpp"

namespace medlar {
namespace {

struct Scored {
  double score = 0;
  Index y = 0;
  double weight = 1;
  double own = 0;  // the probability of the model that left the example out
  std::size_t fold = 0;
};

// Rising steps by pooling neighbours that fall (isotonic regression); each pool stands at the mean of its scores. One
// success and one failure more, spread over the examples, keep the ends inside (0, 1).
void fit_isotonic(std::vector<Scored> all, Recalibration& curve) {
  std::sort(all.begin(), all.end(), [](const Scored& a, const Scored& b) { return a.score < b.score; });
  struct Pool {
    double weight = 0, positive = 0, score = 0;
  };
  std::vector<Pool> pools;
  double total = 0, positive = 0;
  for (const Scored& each : all) total += each.weight, positive += each.y == 1 ? each.weight : 0;
  for (std::size_t k = 0; k < all.size();) {
    Pool pool;
    const double score = all[k].score;
    for (; k < all.size() && all[k].score == score; ++k) {
      pool.weight += all[k].weight;
      pool.positive += all[k].y == 1 ? all[k].weight : 0;
      pool.score += all[k].weight * all[k].score;
    }
    pools.push_back(pool);
    while (pools.size() > 1) {
      Pool &last = pools.back(), &before = pools[pools.size() - 2];
      if (before.positive * last.weight < last.positive * before.weight) break;
      before = {before.weight + last.weight, before.positive + last.positive, before.score + last.score};
      pools.pop_back();
    }
  }
  curve.score.clear();
  curve.probability.clear();
  for (const Pool& pool : pools) {
    curve.score.push_back(pool.score / pool.weight);
    curve.probability.push_back((pool.positive + positive / total) / (pool.weight + 1));
  }
  for (std::size_t k = 1; k < pools.size(); ++k) {  // small pools give way more to the prior: rise again
    curve.probability[k] = std::max(curve.probability[k], curve.probability[k - 1]);
  }
}

Recalibration curve_of(const std::vector<Scored>& all, CurveKind kind, Index folds) {
  Recalibration curve;
  curve.kind = kind;
  curve.folds = folds;
  if (kind == CurveKind::isotonic) {
    fit_isotonic(all, curve);
    return curve;
  }
  std::vector<double> score, weight;
  std::vector<Index> y;
  for (const Scored& each : all) {
    score.push_back(each.score);
    y.push_back(each.y);
    weight.push_back(each.weight);
  }
  const Logistic fitted = fit_platt(score, y, weight);
  curve.slope = fitted.slope;
  curve.intercept = fitted.intercept;
  return curve;
}

Reliability reliability_of(const std::vector<Scored>& all, const std::vector<double>& probability) {
  std::vector<Prediction> predicted(all.size());
  std::vector<int> y;
  std::vector<double> weights;
  double total = 0;
  for (std::size_t t = 0; t < all.size(); ++t) {
    predicted[t].score = all[t].score;
    predicted[t].probability = probability[t];
    predicted[t].label = probability[t] > 0.5 ? 1 : 0;
    y.push_back(static_cast<int>(all[t].y));
    weights.push_back(all[t].weight);
    total += all[t].weight;
  }
  const ClassificationMetrics metrics = classification_metrics(predicted, y, weights);
  Reliability part{metrics.brier, metrics.log_loss, 0, calibration(predicted, y, weights)};
  for (const CalibrationBin& bin : part.bins) {
    double weight = 0;
    for (std::size_t t = 0; t < all.size(); ++t) {
      const auto place = std::min(std::floor(probability[t] * 10) / 10, 0.9);
      if (std::abs(place - bin.low) < 0.05) weight += weights[t];
    }
    part.error += weight / total * std::abs(bin.observed - bin.predicted);
  }
  return part;
}

}  // namespace

std::optional<Recalibration> recalibrate(const Model& model, const Dataset& data, CurveKind kind, Index folds,
                                         const FitPart& fit_part, Observer* observer) {
  if (model.task != Task::classify || model.labels.size() != 2 || model.settings.model != ModelKind::linear) {
    throw OptionError(
        fmt::format("recalibrate is for linear models of two labels, but this is a model of kind {} to {}{}; leave it "
                    "out",
                    word_of(model.settings.model), word_of(model.task),
                    model.labels.size() > 2 ? fmt::format(" {} labels", model.labels.size()) : ""));
  }
  std::vector<Scored> all;
  const std::vector<Fold> dealt = deal_folds(data, folds, 1, model.settings.seed);
  for (std::size_t k = 0; k < dealt.size(); ++k) {
    const Dataset fitted = fitted_part(data, dealt[k].fitted);
    const Model part = fit_part(fitted, observer);
    if (part.report.status == Status::interrupted) return {};
    const Comparison left_out = compare(part, left_out_part(data, dealt[k].left_out, fitted));
    for (std::size_t t = 0; t < left_out.predicted.size(); ++t) {
      const double weight = left_out.weights.empty() ? 1 : left_out.weights[t];
      const Prediction& each = left_out.predicted[t];
      all.push_back({each.score, left_out.y[t], weight, each.probability, k});
    }
  }
  Recalibration curve = curve_of(all, kind, folds);
  std::vector<double> own, fair(all.size());
  for (const Scored& each : all) own.push_back(each.own);
  for (std::size_t k = 0; k < dealt.size(); ++k) {
    std::vector<Scored> others;
    std::copy_if(all.begin(), all.end(), std::back_inserter(others),
                 [&](const Scored& each) { return each.fold != k; });
    const Recalibration without = curve_of(others, kind, folds);
    for (std::size_t t = 0; t < all.size(); ++t) {
      if (all[t].fold == k) fair[t] = without.at(all[t].score);
    }
  }
  curve.before = reliability_of(all, own);
  curve.after = reliability_of(all, fair);
  return curve;
}

}  // namespace medlar
