// Scaling to common units: standard (mean 0 if it may be centred, sd 1) and maxabs (largest |x| is 1). The sums run
// over x 2^-e, with 2^e near the column's largest |x|, so that nothing overflows or is lost below the smallest double.
// Mean and variance take two passes, and the second corrects the first.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "medlar/error.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/prepare/transforms.hpp"

namespace medlar {
namespace {

// One column, over the rows of positive weight in which it is not missing (NaN); zeros that a sparse row leaves out are
// added at the end.
struct ColumnScale {
  double largest = 0;                               // max |x|
  double low = std::numeric_limits<double>::max();  // of the stored values
  double high = std::numeric_limits<double>::lowest();
  double weight = 0;   // of the rows that store a value
  double missing = 0;  // of the rows that have none
  double sum = 0;      // of w x, then of w (x - mean)
  double squares = 0;  // of w (x - mean)^2
  double mean = 0;     // in units of 2^exponent
  double to_unit = 1;  // 2^-exponent
  int exponent = 0;
};

class Rows {
 public:
  Rows(const Matrix& x, std::span<const double> weights) : x_(x), weights_(weights) {
    if (!weights.empty() && static_cast<Index>(weights.size()) != x.rows()) {
      throw OptionError(fmt::format("{} weights for {} examples", weights.size(), x.rows()));
    }
  }
  // visit(weight, column, value) for every stored value of a row of positive weight
  template <class Visit>
  void each(Visit&& visit) const {
    for (Index t = 0; t < x_.rows(); ++t) {
      const double weight = weights_.empty() ? 1 : weights_[static_cast<std::size_t>(t)];
      pause_after(x_.row(t).values.size());
      if (weight > 0)
        for_each(x_.row(t), [&](Index i, double value) { visit(weight, static_cast<std::size_t>(i), value); });
    }
  }
  double total() const {
    if (weights_.empty()) return static_cast<double>(x_.rows());
    double sum = 0;
    for (double weight : weights_) sum += std::max(weight, 0.0);
    return sum;
  }

 private:
  const Matrix& x_;
  std::span<const double> weights_;
};

std::vector<ColumnScale> extremes(const Rows& rows, std::size_t columns) {
  std::vector<ColumnScale> moments(columns);
  rows.each([&](double weight, std::size_t i, double value) {
    ColumnScale& m = moments[i];
    if (std::isnan(value)) {
      m.missing += weight;
      return;
    }
    m.weight += weight;
    m.largest = std::max(m.largest, std::abs(value));
    m.low = std::min(m.low, value);
    m.high = std::max(m.high, value);
  });
  return moments;
}

// No column is missing everywhere: total - m.missing is above 0, or the column is 0.
void measure(const Rows& rows, double total, std::vector<ColumnScale>& moments) {
  const auto present = [&](const ColumnScale& m) { return m.missing < total ? total - m.missing : total; };
  for (ColumnScale& m : moments) {
    if (m.largest > 0) m.exponent = std::max(std::ilogb(m.largest), -1000);
    m.to_unit = std::ldexp(1.0, -m.exponent);
  }
  rows.each([&](double w, std::size_t i, double x) {
    if (!std::isnan(x)) moments[i].sum += w * (x * moments[i].to_unit);
  });
  for (ColumnScale& m : moments) {
    m.mean = m.sum / present(m);
    m.sum = 0;
  }
  rows.each([&](double w, std::size_t i, double x) {
    ColumnScale& m = moments[i];
    if (std::isnan(x)) return;
    const double deviation = x * m.to_unit - m.mean;
    m.sum += w * deviation;
    m.squares += w * deviation * deviation;
  });
  for (ColumnScale& m : moments) {
    const double absent = std::max(total - m.missing - m.weight, 0.0);
    m.sum -= absent * m.mean;
    m.squares += absent * m.mean * m.mean;
    const double correction = m.sum / present(m);
    m.mean += correction;
    m.squares = std::max(m.squares / present(m) - correction * correction, 0.0);  // now the variance
  }
}

double reciprocal(double size, std::string_view of, std::size_t i) {
  const double factor = 1 / size;
  if (std::isfinite(factor)) return factor;
  throw DataError(
      fmt::format("feature {} has {} {:g}, too small to scale by; multiply it by a large constant or leave it out",
                  i + 1, of, size));
}

}  // namespace

Transform make_scale(const Matrix& x, ScaleKind kind, bool centre, std::span<const double> weights) {
  if (kind != ScaleKind::standard && kind != ScaleKind::maxabs) {
    throw OptionError(fmt::format("scale = {}, but must be standard or maxabs", kind));
  }
  const Rows rows(x, weights);
  const double total = rows.total();
  if (!(total > 0)) throw DataError("no example has a positive weight, so no feature can be scaled");
  const auto n = static_cast<std::size_t>(x.columns());
  std::vector<ColumnScale> moments = extremes(rows, n);

  Transform scale;
  scale.kind = TransformKind::scale;
  scale.factor.assign(n, 1.0);
  if (kind == ScaleKind::maxabs) {
    for (std::size_t i = 0; i < n; ++i) {
      if (moments[i].largest > 0) scale.factor[i] = reciprocal(moments[i].largest, "largest value", i);
    }
    return scale;
  }
  const bool centred = centre && !x.is_sparse();
  if (centred) scale.shift.assign(n, 0.0);
  measure(rows, total, moments);
  for (std::size_t i = 0; i < n; ++i) {
    const ColumnScale& m = moments[i];
    const bool zeros = m.weight + m.missing < total || m.weight == 0;  // some row leaves this column out
    const double low = zeros ? std::min(m.low, 0.0) : m.low;
    const double high = zeros ? std::max(m.high, 0.0) : m.high;
    const double sd = low == high ? 0 : std::ldexp(std::sqrt(m.squares), m.exponent);
    if (sd > 0) scale.factor[i] = reciprocal(sd, "standard deviation", i);
    if (centred) scale.shift[i] = low == high ? low : std::ldexp(m.mean, m.exponent);
  }
  return scale;
}

}  // namespace medlar
