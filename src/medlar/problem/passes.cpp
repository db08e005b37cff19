// Memory is what a pass costs. Columns go in blocks whose sums stay in the cache, and exact sums carry their rounding.
#include "medlar/problem/passes.hpp"

#include <algorithm>
#include <cmath>

#include "medlar/linalg/give_up.hpp"
#include "medlar/simd/row_loops.hpp"

namespace medlar {

namespace {

constexpr std::size_t kSummedColumns = 2048;  // columns whose sums stay in the nearest cache while all rows pass
// Bytes of all rows of a block of columns that stay near until their scores are taken; narrower blocks than these
// columns would read memory in pieces.
constexpr std::size_t kBytesNear = std::size_t{3} << 18, kNarrow = 64;

bool all_zero(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double each) { return each == 0; });
}

// v += the columns from `first` on of sum_t beta_t x_t, a few rows together. Exact sums have their rounding in `lost`.
template <class Value>
void add_columns(const Value* values, std::size_t n, std::span<const double> beta, std::size_t first,
                 std::span<double> v, std::span<double> lost, Pauses& pauses) {
  RowsTogether<Value> rows;
  const auto flush = [&] {
    if (rows.count == 0) return;
    lost.empty() ? add_scaled_rows(rows, v.data(), v.size())
                 : add_compensated_rows(rows, v.data(), lost.data(), v.size());
    pauses.after(rows.count * v.size());
    rows.count = 0;
  };
  for (std::size_t t = 0; t < beta.size(); ++t) {
    if (beta[t] == 0) continue;
    rows.x[rows.count] = values + t * n + first;
    rows.scale[rows.count] = beta[t];
    if (++rows.count == kRowsTogether) flush();
  }
  flush();
  for (std::size_t i = 0; i < lost.size(); ++i) v[i] += lost[i];
}

// f += the scores of the columns from `first` on, as many as w has.
template <class Value>
void add_scores(const Value* values, std::size_t n, std::span<const double> w, std::size_t first, std::span<double> f,
                Pauses& pauses) {
  RowsTogether<Value> rows;
  double products[kRowsTogether];
  for (std::size_t t = 0; t < f.size(); t += rows.count) {
    rows.count = std::min(kRowsTogether, f.size() - t);
    for (std::size_t r = 0; r < rows.count; ++r) rows.x[r] = values + (t + r) * n + first;
    dot_rows(rows, w.data(), products, w.size());
    for (std::size_t r = 0; r < rows.count; ++r) f[t + r] += products[r];
    pauses.after(rows.count * w.size());
  }
}

std::vector<double> dense_statistics(const Matrix& x, std::span<const double> beta, Summing summing) {
  const auto n = static_cast<std::size_t>(x.columns());
  std::vector<double> v(n, 0.0), lost(summing == Summing::exact ? n : 0, 0.0);
  Pauses pauses;
  x.values().visit([&](const auto* values) {
    for (std::size_t first = 0; first < n; first += kSummedColumns) {
      const std::size_t width = std::min(kSummedColumns, n - first);
      const std::span<double> rounding = lost.empty() ? std::span<double>() : std::span(lost).subspan(first, width);
      add_columns(values, n, beta, first, std::span(v).subspan(first, width), rounding, pauses);
    }
  });
  return v;
}

std::vector<double> plain_sparse_statistics(const Matrix& x, std::span<const double> beta) {
  std::vector<double> v(static_cast<std::size_t>(x.columns()), 0.0);
  Pauses pauses;
  for (std::size_t t = 0; t < beta.size(); ++t) {
    if (beta[t] == 0) continue;
    const RowView row = x.row(static_cast<Index>(t));
    add_scaled(row, beta[t], v);
    pauses.after(row.values.size());
  }
  return v;
}

std::vector<double> sparse_statistics(const Matrix& x, std::span<const double> beta) {
  struct Sum {
    double value = 0, lost = 0;
  };
  std::vector<Sum> sums(static_cast<std::size_t>(x.columns()));
  Pauses pauses;
  for (std::size_t t = 0; t < beta.size(); ++t) {
    if (beta[t] == 0) continue;
    const RowView row = x.row(static_cast<Index>(t));
    for_each(row, [&](Index i, double value) {
      Sum& at = sums[static_cast<std::size_t>(i)];
      const double term = beta[t] * value, before = at.value, sum = before + term, part = sum - before;
      at.lost += (before - (sum - part)) + (term - part);
      at.value = sum;
    });
    pauses.after(row.values.size());
  }
  std::vector<double> v(sums.size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = sums[i].value + sums[i].lost;
  return v;
}

// Columns of a block that stays near with all its rows; 0 where one pass would save nothing.
std::size_t near_columns(const Matrix& x) {
  const std::size_t bytes = x.are_floats() ? sizeof(float) : sizeof(double);
  if (x.is_sparse() || x.rows() == 0 || static_cast<std::size_t>(x.stored()) * bytes <= kBytesNear) return 0;
  const std::size_t columns = kBytesNear / (bytes * static_cast<std::size_t>(x.rows()));
  return columns < kNarrow ? 0 : columns / kNarrow * kNarrow;
}

}  // namespace

// The multipliers of one side nearly cancel those of the other in V, by 1e-6 and more at c = 1e4: each exact sum
// carries its rounding error along (Knuth's two-sum), or the gap would stop at 1e-9.
std::vector<double> statistics(const Matrix& x, std::span<const double> beta, Summing summing) {
  if (all_zero(beta)) return std::vector<double>(static_cast<std::size_t>(x.columns()), 0.0);
  if (!x.is_sparse()) return dense_statistics(x, beta, summing);
  return summing == Summing::exact ? sparse_statistics(x, beta) : plain_sparse_statistics(x, beta);
}

double longest_row(const Matrix& x) {
  double most = 0;
  for (Index t = 0; t < x.rows(); ++t) {
    const NumbersView values = x.row(t).values;
    double part[4] = {0, 0, 0, 0};  // four additions in flight
    values.visit([&](const auto* value) {
      for (std::size_t j = 0; j < values.size(); ++j) {
        const auto each = static_cast<double>(value[j]);
        part[j % 4] += each * each;
      }
    });
    most = std::max(most, (part[0] + part[1]) + (part[2] + part[3]));
  }
  return std::sqrt(most);
}

std::vector<double> scores(const Matrix& x, std::span<const double> w) {
  std::vector<double> f(static_cast<std::size_t>(x.rows()), 0.0);
  if (all_zero(w)) return f;  // no pass for a prior of mean 0
  Pauses pauses;
  if (!x.is_sparse()) {
    x.values().visit([&](const auto* values) { add_scores(values, w.size(), w, 0, f, pauses); });
    return f;
  }
  for (Index t = 0; t < x.rows(); ++t) {
    const RowView row = x.row(t);
    f[static_cast<std::size_t>(t)] = dot(row, w);
    pauses.after(row.values.size());
  }
  return f;
}

Passed statistics_and_scores(const Matrix& x, std::span<const double> beta, Summing summing, const MeanOfPart& mean) {
  const std::size_t block = near_columns(x), n = static_cast<std::size_t>(x.columns());
  Passed passed;
  passed.w.resize(n);
  if (block == 0 || all_zero(beta)) {
    passed.v = statistics(x, beta, summing);
    mean(0, passed.v, passed.w);
    passed.f = scores(x, passed.w);
    return passed;
  }
  passed.v.assign(n, 0.0);
  passed.f.assign(static_cast<std::size_t>(x.rows()), 0.0);
  std::vector<double> lost;
  Pauses pauses;
  x.values().visit([&](const auto* values) {
    for (std::size_t first = 0; first < n; first += block) {
      const std::size_t width = std::min(block, n - first);
      const std::span<double> v = std::span(passed.v).subspan(first, width);
      const std::span<double> w = std::span(passed.w).subspan(first, width);
      lost.assign(summing == Summing::exact ? width : 0, 0.0);
      add_columns(values, n, beta, first, v, lost, pauses);
      mean(first, v, w);
      add_scores(values, n, w, first, passed.f, pauses);
    }
  });
  return passed;
}

}  // namespace medlar
