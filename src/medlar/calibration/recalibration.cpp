// From score to probability by the curve that a model keeps.
#include <algorithm>
#include <cmath>

#include "medlar/calibration/calibrate.hpp"
#include "medlar/trust.hpp"

namespace medlar {

double Recalibration::at(double score_of_example) const {
  if (kind != CurveKind::isotonic) {
    const double f = slope * score_of_example + intercept;
    const double p = f >= 0 ? 1 / (1 + std::exp(-f)) : std::exp(f) / (1 + std::exp(f));
    return kind == CurveKind::folds ? std::clamp(p, floor, 1 - floor) : p;
  }
  const auto above = std::upper_bound(score.begin(), score.end(), score_of_example);
  if (above == score.begin()) return probability.front();
  if (above == score.end()) return probability.back();
  const auto k = static_cast<std::size_t>(above - score.begin());
  const double share = (score_of_example - score[k - 1]) / (score[k] - score[k - 1]);
  return probability[k - 1] + share * (probability[k] - probability[k - 1]);
}

std::vector<double> Recalibration::among(std::span<const double> scores) const {
  std::vector<double> p = softmax(scores, slope);
  for (double& each : p) each = (1 - floor) * each + floor / static_cast<double>(p.size());
  return p;
}

}  // namespace medlar
