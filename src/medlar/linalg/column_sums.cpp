// The rank updates run at the speed of the BLAS; the hard part is to bring the columns to it. A dense matrix is stored
// by rows, so a few columns are gathered row by row. Once many have been gathered, the whole matrix is transposed once
// and kept (in floats, if it fits). A rank update takes square roots of d, so columns with d > 0 and d < 0 go in
// separate rounds.
#include "medlar/linalg/column_sums.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "medlar/linalg/give_up.hpp"
#include "medlar/simd/row_loops.hpp"
#include "medlar/thresholds/gram_pays.hpp"
#include "medlar/thresholds/nearly_full.hpp"

namespace medlar {

namespace {

constexpr Index kUpdateColumns = 512;  // per rank update: a block of a few thousand rows stays near the cache
constexpr std::size_t kTurned = 64;    // rows and columns of a block that is transposed

}  // namespace

template <class Real>
void ColumnSums<Real>::add(std::span<const Index> columns, std::span<const double> d, std::span<const Index> examples,
                           Square<Real>& m) {
  std::vector<Index> place;
  if (x_.is_sparse()) {
    if (!columns_) columns_ = std::make_unique<const Columns>(x_);
    place.assign(static_cast<std::size_t>(x_.rows()), -1);
    for (std::size_t a = 0; a < examples.size(); ++a) {
      place[static_cast<std::size_t>(examples[a])] = static_cast<Index>(a);
    }
  }
  for (const Real sign : {Real{1}, Real{-1}}) {
    std::vector<Index> part;
    std::copy_if(columns.begin(), columns.end(), std::back_inserter(part),
                 [&](Index i) { return static_cast<double>(sign) * d[static_cast<std::size_t>(i)] > 0; });
    if (part.empty()) continue;
    x_.is_sparse() ? add_sparse(part, d, place, m, sign) : add_dense(part, d, examples, m, sign);
  }
}

template <class Real>
void ColumnSums<Real>::add_dense(std::span<const Index> columns, std::span<const double> d,
                                 std::span<const Index> examples, Square<Real>& m, Real sign) {
  std::vector<Real> root;
  for (const Index i : columns) root.push_back(static_cast<Real>(std::sqrt(std::abs(d[static_cast<std::size_t>(i)]))));
  if (std::is_same_v<Real, float> && m.rows() == x_.rows() && has_room_by_columns(x_.stored())) {
    if (turned_.empty() && is_stored_by_columns(gathered_ += std::ssize(columns), x_.columns())) turn();
    if (!turned_.empty()) return add_turned(columns, root, m, sign);
  }
  add_gathered(columns, root, examples, m, sign);
}

template <class Real>
void ColumnSums<Real>::turn() {
  const auto T = static_cast<std::size_t>(x_.rows()), n = static_cast<std::size_t>(x_.columns());
  std::vector<float> turned(T * n);
  Pauses pauses;
  x_.values().visit([&](const auto* values) {
    for (std::size_t first = 0; first < n; first += kTurned) {
      const std::size_t end = std::min(first + kTurned, n);
      for (std::size_t t0 = 0; t0 < T; t0 += kTurned) {
        const std::size_t t1 = std::min(t0 + kTurned, T);
        for (std::size_t i = first; i < end; ++i) {
          for (std::size_t t = t0; t < t1; ++t) turned[i * T + t] = static_cast<float>(values[t * n + i]);
        }
        pauses.after((end - first) * (t1 - t0));
      }
    }
  });
  turned_ = std::move(turned);
}

template <class Real>
void ColumnSums<Real>::add_turned(std::span<const Index> columns, std::span<const Real> root, Square<Real>& m,
                                  Real sign) const {
  const Index count = std::ssize(columns);
  Square<Real> block(m.rows(), std::min(kUpdateColumns, count));
  for (Index first = 0; first < count; first += kUpdateColumns) {
    const Index width = std::min(kUpdateColumns, count - first);
    for (Index j = 0; j < width; ++j) {
      const auto at = static_cast<std::size_t>(first + j);
      const Eigen::Map<const Eigen::VectorXf> column(turned_.data() + columns[at] * m.rows(), m.rows());
      block.col(j) = root[at] * column.template cast<Real>();
    }
    add_outer(m, block.leftCols(width), sign);
  }
}

template <class Real>
void ColumnSums<Real>::add_gathered(std::span<const Index> columns, std::span<const Real> root,
                                    std::span<const Index> examples, Square<Real>& m, Real sign) const {
  const Index count = std::ssize(columns);
  Square<Real> block(std::min(kUpdateColumns, count), m.rows());
  for (Index first = 0; first < count; first += kUpdateColumns) {
    const Index width = std::min(kUpdateColumns, count - first);
    const Index* const from = columns.data() + first;
    const Real* const scale = root.data() + first;
    for (Eigen::Index a = 0; a < m.rows(); ++a) {
      Real* const to = block.col(a).data();
      x_.row(examples[static_cast<std::size_t>(a)]).values.visit([&](const auto* value) {
        gather_scaled(value, from, scale, to, static_cast<std::size_t>(width));
      });
    }
    add_outer(m, block.topRows(width).transpose(), sign);
  }
}

// Columns with many entries go through dense rank updates, columns with few are added pair by pair.
template <class Real>
void ColumnSums<Real>::add_sparse(std::span<const Index> columns, std::span<const double> d,
                                  std::span<const Index> place, Square<Real>& m, Real sign) const {
  Square<Real> block(m.rows(), kUpdateColumns);
  Index used = 0;
  const auto flush = [&] {
    if (used > 0) add_outer(m, block.leftCols(used), sign);
    used = 0;
  };
  std::vector<std::pair<Eigen::Index, Real>> entries;
  Pauses pauses;
  for (const Index i : columns) {
    const double weight = std::abs(d[static_cast<std::size_t>(i)]);
    const auto rows = columns_->rows(i);
    const auto values = columns_->values(i);
    entries.clear();
    for (std::size_t e = 0; e < rows.size(); ++e) {
      const Index a = place[static_cast<std::size_t>(rows[e])];
      if (a >= 0) entries.emplace_back(a, static_cast<Real>(std::sqrt(weight) * values[e]));
    }
    if (is_column_nearly_full(std::ssize(entries), m.rows())) {
      block.col(used).setZero();
      for (const auto& [a, value] : entries) block(a, used) = value;
      if (++used == kUpdateColumns) flush();
      continue;
    }
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const Real scaled = sign * entries[e].second;
      Real* const column = m.col(entries[e].first).data();
      for (std::size_t f = e; f < entries.size(); ++f) column[entries[f].first] += scaled * entries[f].second;
    }
    pauses.after(1 + entries.size() * entries.size() / 2);
  }
  flush();
}

template class ColumnSums<float>;
template class ColumnSums<double>;

}  // namespace medlar
