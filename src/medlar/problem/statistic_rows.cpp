#include "medlar/problem/statistic_rows.hpp"

#include <algorithm>
#include <numeric>

#include "medlar/linalg/give_up.hpp"
#include "medlar/simd/row_loops.hpp"

namespace medlar {

StatisticRows::StatisticRows(PairTables pairs) : pairs_(std::move(pairs)) {
  const auto examples = static_cast<Index>(pairs_.examples());
  stored_ = Matrix::sparse(examples, static_cast<Index>(pairs_.classes() * pairs_.pairs()),
                           std::vector<Index>(pairs_.examples() + 1, 0), {}, {});
}

// Numbers that a product with row t goes through.
std::size_t StatisticRows::work(std::size_t t) const {
  std::size_t numbers = stored_.row(static_cast<Index>(t)).values.size();
  for (const SecondMoments& moment : moments_) numbers += static_cast<std::size_t>(moment.columns * moment.columns);
  return numbers;
}

void StatisticRows::add(std::span<const double> r, std::span<double> v) const {
  const double total = std::accumulate(r.begin(), r.end(), 0.0);
  for (const Index count : counts_) v[static_cast<std::size_t>(count)] += total;
  if (pairs_.pairs() > 0) return pairs_.add(r, v);
  Pauses pauses;
  for (std::size_t t = 0; t < r.size(); ++t) {
    if (r[t] == 0) continue;
    pauses.after(work(t));
    add_scaled(stored_.row(static_cast<Index>(t)), r[t], v);
    for (const SecondMoments& moment : moments_) {
      const auto d = static_cast<std::size_t>(moment.columns);
      const double* x = moment.x.data() + t * d;
      double* to = v.data() + moment.first;
      for (std::size_t i = 0; i < d; ++i) add_scaled_dense(x, r[t] * x[i], to + i * d, d);
    }
  }
}

void StatisticRows::scores(std::span<const double> w, std::span<double> f) const {
  std::fill(f.begin(), f.end(), 0.0);
  if (std::all_of(w.begin(), w.end(), [](double each) { return each == 0; })) return;  // without a pass
  if (pairs_.pairs() > 0) return pairs_.add_scores(w, f);
  double shared = 0;
  for (const Index count : counts_) shared += w[static_cast<std::size_t>(count)];
  Pauses pauses;
  for (std::size_t t = 0; t < f.size(); ++t) {
    pauses.after(work(t));
    f[t] = shared + dot(stored_.row(static_cast<Index>(t)), w);
    for (const SecondMoments& moment : moments_) {
      const auto d = static_cast<std::size_t>(moment.columns);
      const double* x = moment.x.data() + t * d;
      const double* of = w.data() + moment.first;
      for (std::size_t i = 0; i < d; ++i) f[t] += x[i] * dot_dense(x, of + i * d, d);
    }
  }
}

std::vector<double> StatisticRows::weighted_squares(std::span<const double> d, std::size_t n) const {
  const auto T = static_cast<std::size_t>(examples());
  std::vector<double> sums(d.size() / n * T, 0.0);
  Pauses pauses;
  for (std::size_t k = 0; k * n < d.size(); ++k) {
    if (pairs_.pairs() > 0) {
      pairs_.add_squares(d.subspan(k * n, n), std::span(sums).subspan(k * T, T));
      continue;
    }
    for (std::size_t t = 0; t < T; ++t) {
      pauses.after(work(t));
      for_each(stored_.row(static_cast<Index>(t)), [&](Index i, double value) {
        sums[k * T + t] += value * value * d[k * n + static_cast<std::size_t>(i)];
      });
    }
  }
  return sums;
}

const SecondMoments* StatisticRows::sole_moments() const {
  if (moments_.size() != 1 || counts_.size() != 1 || counts_[0] != statistics() - 1) return nullptr;
  const SecondMoments& moments = moments_[0];
  const Index with_products = moments.columns * (moments.columns + 1);
  return moments.first == moments.columns && statistics() <= with_products + 2 ? &moments : nullptr;
}

bool StatisticRows::counted(Index t) const {
  bool raises = true;
  for_each(stored_.row(t), [&](Index i, double value) { raises = raises && !(i == counts_[0] && value == -1); });
  return raises;
}

void StatisticRows::row(Index t, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (const Index count : counts_) out[static_cast<std::size_t>(count)] = 1;
  if (pairs_.pairs() > 0) return pairs_.row(static_cast<std::size_t>(t), out);
  for_each(stored_.row(t), [&](Index i, double value) { out[static_cast<std::size_t>(i)] += value; });
  for (const SecondMoments& moment : moments_) {
    const auto d = static_cast<std::size_t>(moment.columns);
    const double* x = moment.x.data() + static_cast<std::size_t>(t) * d;
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) out[static_cast<std::size_t>(moment.first) + i * d + j] = x[i] * x[j];
    }
  }
}

}  // namespace medlar
