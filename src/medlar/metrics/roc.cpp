// The ROC curve, the areas under it and under the curve of precision and recall: all from one walk down the scores.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "medlar/error.hpp"
#include "medlar/metrics.hpp"
#include "medlar/metrics/weights.hpp"

namespace medlar {

std::vector<OperatingPoint> operating_points(std::span<const double> score, std::span<const int> y,
                                             std::span<const double> weights) {
  check_lengths(score.size(), y.size(), weights);
  std::vector<std::size_t> order(score.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return score[a] > score[b]; });
  double positives = 0, negatives = 0;
  for (std::size_t t = 0; t < y.size(); ++t) (y[t] == 1 ? positives : negatives) += weight_at(weights, t);
  constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
  const auto share = [&](double part, double whole) { return whole > 0 ? part / whole : undefined; };
  std::vector<OperatingPoint> points;
  points.push_back({HUGE_VAL, 0, 0, share(0, positives), share(0, negatives), undefined});
  double hits = 0, alarms = 0;
  Index true_positive = 0, false_positive = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t t = order[k];
    (y[t] == 1 ? hits : alarms) += weight_at(weights, t);
    ++(y[t] == 1 ? true_positive : false_positive);
    const bool last = k + 1 == order.size();
    if (last) hits = positives, alarms = negatives;  // exactly, whatever the rounding of the sums
    if (!last && score[order[k + 1]] == score[t]) continue;
    points.push_back({score[t], true_positive, false_positive, share(hits, positives), share(alarms, negatives),
                      share(hits, hits + alarms)});
  }
  return points;
}

std::vector<RocPoint> roc_curve(std::span<const double> score, std::span<const int> y,
                                std::span<const double> weights) {
  std::vector<RocPoint> curve;
  for (const OperatingPoint& point : operating_points(score, y, weights)) {
    curve.push_back({point.false_positive_rate, point.true_positive_rate});
  }
  const bool both = !std::isnan(curve.back().false_positive_rate) && !std::isnan(curve.back().true_positive_rate);
  return both ? curve : std::vector<RocPoint>();
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

double average_precision(std::span<const OperatingPoint> points) {
  if (points.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  double area = 0;
  for (std::size_t k = 1; k < points.size(); ++k) {
    const double gained = points[k].true_positive_rate - points[k - 1].true_positive_rate;
    if (gained != 0) area += gained * points[k].precision;  // a point without weight has no precision and adds nothing
  }
  return area;
}

}  // namespace medlar
