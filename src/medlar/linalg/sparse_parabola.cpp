// See the header.
#include "medlar/linalg/sparse_parabola.hpp"

#include <numeric>
#include <utility>

namespace medlar {

void SparseParabola::start(std::vector<double> beta, std::vector<double> bend) {
  r_ = std::move(beta);
  bend_ = std::move(bend);
  bias_ = 0;
  all_bend_ = std::accumulate(bend_.begin(), bend_.end(), 0.0);
  for (std::size_t i = 0; i < bend_of_feature_.size(); ++i) {
    const auto rows = columns_.rows(static_cast<Index>(i));
    const auto values = columns_.values(static_cast<Index>(i));
    double sum = 0;
    for (std::size_t e = 0; e < rows.size(); ++e)
      sum += values[e] * values[e] * bend_[static_cast<std::size_t>(rows[e])];
    bend_of_feature_[i] = sum;
  }
}

double SparseParabola::slope(std::size_t i) const {
  const auto rows = columns_.rows(static_cast<Index>(i));
  const auto values = columns_.values(static_cast<Index>(i));
  double sum = 0;
  for (std::size_t e = 0; e < rows.size(); ++e) sum -= values[e] * r_[static_cast<std::size_t>(rows[e])];
  return sum;
}

void SparseParabola::move(std::size_t i, double change) {
  if (change == 0) return;
  const auto rows = columns_.rows(static_cast<Index>(i));
  const auto values = columns_.values(static_cast<Index>(i));
  for (std::size_t e = 0; e < rows.size(); ++e) {
    const auto t = static_cast<std::size_t>(rows[e]);
    r_[t] -= bend_[t] * values[e] * change;
  }
}

void SparseParabola::settle_bias(double prior_slope, double precision) {
  if (!(all_bend_ + precision > 0)) return;
  const double change = (std::accumulate(r_.begin(), r_.end(), 0.0) - prior_slope) / (all_bend_ + precision);
  for (std::size_t t = 0; t < r_.size(); ++t) r_[t] -= bend_[t] * change;
  bias_ += change;
}

}  // namespace medlar
