// How good a curve is, is measured by curves of the other folds, so that no example judges a curve that it has shaped.
#include "medlar/calibration/curve.hpp"

#include <algorithm>
#include <cmath>

#include "medlar/calibration/by_folds.hpp"
#include "medlar/calibration/platt.hpp"
#include "medlar/metrics.hpp"

namespace medlar {
namespace {

// Rising steps by pooling neighbours that fall (isotonic regression); each pool stands at the mean of its scores. One
// success and one failure more, spread over the examples, keep the ends inside (0, 1).
void fit_isotonic(std::vector<LeftOutRow> all, Recalibration& curve) {
  std::sort(all.begin(), all.end(), [](const LeftOutRow& a, const LeftOutRow& b) { return a.score[0] < b.score[0]; });
  struct Pool {
    double weight = 0, positive = 0, score = 0;
  };
  std::vector<Pool> pools;
  double total = 0, positive = 0;
  for (const LeftOutRow& each : all) total += each.weight, positive += each.y == 1 ? each.weight : 0;
  for (std::size_t k = 0; k < all.size();) {
    Pool pool;
    const double score = all[k].score[0];
    for (; k < all.size() && all[k].score[0] == score; ++k) {
      pool.weight += all[k].weight;
      pool.positive += all[k].y == 1 ? all[k].weight : 0;
      pool.score += all[k].weight * all[k].score[0];
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

// Scores, labels and weights as the curves take them.
struct FlatRows {
  std::vector<double> score, weight;
  std::vector<Index> y;
};

FlatRows columns_of(const std::vector<LeftOutRow>& rows) {
  FlatRows all;
  for (const LeftOutRow& each : rows) {
    all.score.insert(all.score.end(), each.score.begin(), each.score.end());
    all.y.push_back(each.y);
    all.weight.push_back(each.weight);
  }
  return all;
}

Recalibration curve_of(const std::vector<LeftOutRow>& rows, CurveKind kind, double usual_slope) {
  Recalibration curve;
  curve.kind = kind;
  if (kind == CurveKind::isotonic) {
    fit_isotonic(rows, curve);
    return curve;
  }
  const FlatRows all = columns_of(rows);
  if (kind == CurveKind::folds) {
    double total = 0;
    for (const double weight : all.weight) total += weight;
    const auto examples = std::max<Index>(1, std::llround(std::min(total, 1e15)));
    return all.score.size() == all.y.size() ? map_platt(all.score, all.y, all.weight, examples, usual_slope)
                                            : map_temperature(all.score, all.y, all.weight, examples, usual_slope);
  }
  const Logistic fitted = fit_platt(all.score, all.y, all.weight);
  curve.slope = fitted.slope;
  curve.intercept = fitted.intercept;
  return curve;
}

std::vector<double> probabilities_at(const Recalibration& curve, const LeftOutRow& row) {
  return row.score.size() > 1 ? curve.among(row.score) : std::vector<double>{curve.at(row.score[0])};
}

// Of two labels by the probability of the positive one. Of several, by that of the most probable one and whether it is
// right.
Reliability reliability_of(const std::vector<LeftOutRow>& rows, const std::vector<std::vector<double>>& probability) {
  std::vector<Prediction> predicted(rows.size());
  std::vector<int> y, hit;
  std::vector<double> weights;
  double total = 0;
  const std::size_t labels = rows.empty() ? 1 : probability[0].size();
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const std::vector<double>& p = probability[t];
    const auto best = std::max_element(p.begin(), p.end()) - p.begin();
    predicted[t].probability = p[static_cast<std::size_t>(best)];
    predicted[t].label = labels > 1 ? best : p[0] > 0.5 ? 1 : 0;
    predicted[t].score = rows[t].score[static_cast<std::size_t>(best)];
    if (labels > 1) predicted[t].probabilities = p;
    y.push_back(static_cast<int>(rows[t].y));
    hit.push_back(labels > 1 ? best == rows[t].y : y.back());
    weights.push_back(rows[t].weight);
    total += rows[t].weight;
  }
  Reliability part;
  if (labels > 1) {
    const auto all = multiclass_metrics(predicted, y, static_cast<Index>(labels), weights);
    part = {all.brier, all.log_loss, 0, {}};
  } else {
    const auto all = classification_metrics(predicted, y, weights);
    part = {all.brier, all.log_loss, 0, {}};
  }
  part.bins = calibration(predicted, hit, weights);
  for (const CalibrationBin& bin : part.bins) {
    double weight = 0;
    for (std::size_t t = 0; t < rows.size(); ++t) {
      const auto place = std::min(std::floor(predicted[t].probability * 10) / 10, 0.9);
      if (std::abs(place - bin.low) < 0.05) weight += weights[t];
    }
    part.error += weight / total * std::abs(bin.observed - bin.predicted);
  }
  return part;
}

}  // namespace

Recalibration measured_curve(const std::vector<LeftOutRow>& rows, CurveKind kind, Index folds, double usual_slope) {
  Recalibration curve = curve_of(rows, kind, usual_slope);
  curve.folds = folds;
  std::size_t last = 0;
  for (const LeftOutRow& row : rows) last = std::max(last, row.fold);
  std::vector<std::vector<double>> own, fair(rows.size());
  for (const LeftOutRow& row : rows) own.push_back(row.own);
  for (std::size_t fold = 0; fold <= last; ++fold) {
    std::vector<LeftOutRow> others;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(others),
                 [&](const LeftOutRow& row) { return row.fold != fold; });
    if (others.empty() || others.size() == rows.size()) continue;
    const Recalibration without = curve_of(others, kind, usual_slope);
    for (std::size_t t = 0; t < rows.size(); ++t) {
      if (rows[t].fold == fold) fair[t] = probabilities_at(without, rows[t]);
    }
  }
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (fair[t].empty()) fair[t] = probabilities_at(curve, rows[t]);  // all rows are of one fold
  }
  curve.before = reliability_of(rows, own);
  curve.after = reliability_of(rows, fair);
  return curve;
}

}  // namespace medlar
