// The ROC curve and the area under it, both from one walk down the scores.
#include <algorithm>
#include <limits>
#include <numeric>

#include "medlar/error.hpp"
#include "medlar/metrics.hpp"
#include "medlar/metrics/weights.hpp"

namespace medlar {

std::vector<RocPoint> roc_curve(std::span<const double> score, std::span<const int> y,
                                std::span<const double> weights) {
  check_lengths(score.size(), y.size(), weights);
  std::vector<std::size_t> order(score.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return score[a] > score[b]; });
  double positives = 0, negatives = 0;
  for (std::size_t t = 0; t < y.size(); ++t) (y[t] == 1 ? positives : negatives) += weight_at(weights, t);
  if (positives == 0 || negatives == 0) return {};
  std::vector<RocPoint> curve{{0, 0}};
  double hits = 0, alarms = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t t = order[k];
    (y[t] == 1 ? hits : alarms) += weight_at(weights, t);
    const bool tied = k + 1 < order.size() && score[order[k + 1]] == score[t];
    if (!tied) curve.push_back({alarms / negatives, hits / positives});
  }
  curve.back() = {1, 1};  // exactly, whatever the rounding of the sums
  return curve;
}

// Trapezia under the curve: a run of tied scores is one sloping edge, which counts each of its pairs half.
double auc(std::span<const double> score, std::span<const int> y, std::span<const double> weights) {
  const std::vector<RocPoint> curve = roc_curve(score, y, weights);
  if (curve.empty()) return std::numeric_limits<double>::quiet_NaN();
  double area = 0;
  for (std::size_t k = 1; k < curve.size(); ++k) {
    const double width = curve[k].false_positive_rate - curve[k - 1].false_positive_rate;
    area += width * 0.5 * (curve[k].true_positive_rate + curve[k - 1].true_positive_rate);
  }
  return area;
}

}  // namespace medlar
