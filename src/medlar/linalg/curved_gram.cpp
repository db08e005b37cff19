// The hard part is to touch few columns per Newton step. `held_` is the d that the sum really contains, so stale
// columns never add up: their changes are measured against it. When all of d shrinks or grows together, one factor for
// the whole sum saves most updates. If follow() is given up half-way, `held_` stays empty and the next call begins
// anew.
#include "medlar/linalg/curved_gram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "medlar/linalg/largest_columns.hpp"

namespace medlar {

CurvedGram::CurvedGram(const Matrix& x, std::shared_ptr<const ExampleGram> gram)
    : gram_(std::move(gram)), columns_(x), all_(static_cast<std::size_t>(x.rows())) {
  std::iota(all_.begin(), all_.end(), Index{0});
}

void CurvedGram::follow(std::span<const double> d, double left_out) {
  held_.empty() ? begin(d) : rescale(d);
  const std::vector<Index> columns = moved(d, left_out);
  std::vector<double> held = std::exchange(held_, {}), change(d.size(), 0.0);
  for (const Index i : columns) {
    const auto at = static_cast<std::size_t>(i);
    change[at] = d[at] - held[at];
    held[at] = d[at];
  }
  columns_.add(columns, change, all_, sum_);
  held_ = std::move(held);
}

double CurvedGram::trace(std::span<const double> d) const {
  const std::span<const float> squares = gram_->squares();
  double sum = 0;
  for (std::size_t i = 0; i < d.size(); ++i) sum += d[i] * static_cast<double>(squares[i]);
  return sum;
}

// Starts with d replaced by its mean, which makes the sum a multiple of the Gram matrix.
void CurvedGram::begin(std::span<const double> d) {
  const std::span<const float> squares = gram_->squares();
  const double of_ones = std::accumulate(squares.begin(), squares.end(), 0.0);
  const double mean = of_ones > 0 ? trace(d) / of_ones : 0.0;
  held_.assign(d.size(), mean);
  const Index size = gram_->size();
  sum_.resize(size, size);
  for (Index t = 0; t < size; ++t) {
    sum_.col(t) =
        static_cast<float>(mean) * Eigen::Map<const Eigen::VectorXf>(gram_->row(static_cast<std::size_t>(t)), size);
  }
}

// Multiplies all columns by one factor, if that brings the sum much nearer to d.
void CurvedGram::rescale(std::span<const double> d) {
  const std::span<const float> squares = gram_->squares();
  double along = 0, length = 0;
  for (std::size_t i = 0; i < d.size(); ++i) {
    along += d[i] * held_[i] * static_cast<double>(squares[i]);
    length += held_[i] * held_[i] * static_cast<double>(squares[i]);
  }
  const double scale = length > 0 ? along / length : 1.0;
  if (!(distance(d, scale) < 0.5 * distance(d, 1))) return;
  for (double& each : held_) each *= scale;
  sum_ *= static_cast<float>(scale);
}

double CurvedGram::distance(std::span<const double> d, double scale) const {
  const std::span<const float> squares = gram_->squares();
  double sum = 0;
  for (std::size_t i = 0; i < d.size(); ++i) sum += std::abs(d[i] - scale * held_[i]) * static_cast<double>(squares[i]);
  return sum;
}

// The fewest columns of largest change that leave out at most the share asked for.
std::vector<Index> CurvedGram::moved(std::span<const double> d, double left_out) const {
  const std::span<const float> squares = gram_->squares();
  std::vector<double> change(d.size());
  const double enough = left_out * trace(d);
  double left = 0;
  for (std::size_t i = 0; i < d.size(); ++i) {
    change[i] = std::abs(d[i] - held_[i]) * static_cast<double>(squares[i]);
    left += change[i];
  }
  return left > enough ? columns_that_matter(change, enough / left) : std::vector<Index>{};
}

void CurvedGram::add_to(Eigen::MatrixXd& m, std::span<const Index> examples) const {
  for (Eigen::Index b = 0; b < m.cols(); ++b) {
    const float* const column = sum_.col(examples[static_cast<std::size_t>(b)]).data();
    for (Eigen::Index a = b; a < m.rows(); ++a)
      m(a, b) += static_cast<double>(column[examples[static_cast<std::size_t>(a)]]);
  }
}

}  // namespace medlar
