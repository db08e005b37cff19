// The few columns that matter while ascent sweeps (docs/theory.md#sweeps). Under a small p0 most features have next to
// no curvature A'': W holds those of the largest A'', until the others hold a small share of its sum. Sweeps work on
// X_W alone; the other columns are linear at the last certificate, where they add o_t to an example's score, and the
// mean of their A'' times sum_{i not in W} x_ti^2 to its own curvature, q_t.
//
// W only says where the next sweeps go. Every certificate is over all columns, so that none is ever dropped: one whose
// A'' has risen enters with the next choice.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "medlar/linalg/largest_columns.hpp"
#include "medlar/matrix.hpp"
#include "medlar/solvers/sweeps/float_rows.hpp"
#include "medlar/solvers/sweeps/sweeps.hpp"
#include "medlar/thresholds/few_columns.hpp"

namespace medlar {

// X_W, which the next fit of a path may begin with.
struct ColumnPart {
  std::vector<Index> columns;  // W, increasing
  Matrix x;                    // in floats
  std::vector<float> squares;  // of each example, over the columns outside W
};

// For a prior without switches: every column matters.
struct AllColumns {
  AllColumns(const FloatRows&, std::shared_ptr<const ColumnPart>) {}
  static double score(std::size_t) { return 0; }
  static double curvature(std::size_t) { return 0; }
  static double share() { return 1; }
  static Index gathered() { return 0; }
  static std::shared_ptr<const ColumnPart> part() { return {}; }
};

template <class A>
class WorkingColumns {
 public:
  // `part` may be null: then the first choice makes one.
  WorkingColumns(const FloatRows& rows, std::shared_ptr<const ColumnPart> part) : rows_(rows), part_(std::move(part)) {}

  // Chooses W for V and the scores f = X A'(V). False when W would hold most of what is stored: then all is better.
  bool choose(const A& partition, std::span<const double> v, std::span<const double> f, double share) {
    std::vector<double> d(v.size());
    partition.curvature(v, d, {});
    std::vector<Index> wanted = columns_that_matter(d, share);
    if (!are_columns_few(stored_in(wanted), static_cast<double>(rows_.stored()))) return false;
    if (!still_good(d, share, wanted.size())) {
      part_ = gather(std::move(wanted));
      ++gathered_;
      sweep_.reset();
    }
    if (!sweep_) prepare(partition);
    std::vector<double> part;
    part.reserve(part_->columns.size());
    for (const Index i : part_->columns) {
      part.push_back(v[static_cast<std::size_t>(i)]);
      d[static_cast<std::size_t>(i)] = 0;
    }
    rest_ = std::accumulate(d.begin(), d.end(), 0.0) / std::max(1.0, static_cast<double>(d.size() - part.size()));
    sweep_->start(part);
    score_.resize(f.size());
    for (std::size_t t = 0; t < f.size(); ++t) score_[t] = f[t] - sweep_->look(t).score;
    return true;
  }

  SlabSweep<SlabsOf<A>>& sweep() { return *sweep_; }
  double score(std::size_t t) const { return score_[t]; }                      // o_t
  double curvature(std::size_t t) const { return rest_ * part_->squares[t]; }  // q_t
  Index gathered() const { return gathered_; }  // how often X_W was made, each time a pass over the data
  std::shared_ptr<const ColumnPart> part() const { return part_; }
  // Of all that is stored; all, before the first choice.
  double share() const {
    return part_ ? static_cast<double>(part_->x.stored()) / static_cast<double>(rows_.stored()) : 1;
  }

 private:
  // The present W, near enough to save the pass that another would cost.
  bool still_good(std::span<const double> d, double share, std::size_t wanted) const {
    if (!part_ || part_->columns.size() > 2 * wanted) return false;
    double inside = 0;
    for (const Index i : part_->columns) inside += d[static_cast<std::size_t>(i)];
    const double total = std::accumulate(d.begin(), d.end(), 0.0);
    return total - inside <= 1.5 * share * total;
  }

  double stored_in(std::span<const Index> columns) {
    if (!rows_.sparse()) return static_cast<double>(columns.size()) * static_cast<double>(rows_.rows());
    if (stored_.empty()) {
      stored_.assign(static_cast<std::size_t>(rows_.columns()), 0);
      for (std::size_t t = 0; t < static_cast<std::size_t>(rows_.rows()); ++t) {
        const FloatRow row = rows_.row(t);
        for (std::size_t j = 0; j < row.size; ++j) ++stored_[static_cast<std::size_t>(row.columns[j])];
      }
    }
    double sum = 0;
    for (const Index i : columns) sum += static_cast<double>(stored_[static_cast<std::size_t>(i)]);
    return sum;
  }

  std::shared_ptr<const ColumnPart> gather(std::vector<Index> columns) {
    ColumnPart part;
    const auto examples = static_cast<std::size_t>(rows_.rows());
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(stored_in(columns)));
    std::vector<Index> starts{0};
    std::vector<Column> place(static_cast<std::size_t>(rows_.columns()), -1), column_of;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      place[static_cast<std::size_t>(columns[j])] = static_cast<Column>(j);
    }
    for (std::size_t t = 0; t < examples; ++t) {
      const FloatRow row = rows_.row(t);
      const std::size_t begin = values.size();
      if (row.columns == nullptr) {
        for (const Index i : columns) values.push_back(row.values[i]);
      } else {
        for (std::size_t j = 0; j < row.size; ++j) {
          const Column at = place[static_cast<std::size_t>(row.columns[j])];
          if (at < 0) continue;
          column_of.push_back(at);
          values.push_back(row.values[j]);
        }
        starts.push_back(static_cast<Index>(values.size()));
      }
      const float all = dot_floats(row.values, row.values, row.size);
      const float* const inside = values.data() + begin;
      part.squares.push_back(std::max(0.0f, all - dot_floats(inside, inside, values.size() - begin)));
    }
    part.x = rows_.sparse() ? Matrix::sparse(rows_.rows(), std::ssize(columns), std::move(starts), std::move(column_of),
                                             std::move(values))
                            : Matrix::dense(rows_.rows(), std::ssize(columns), std::move(values));
    part.columns = std::move(columns);
    return std::make_shared<const ColumnPart>(std::move(part));
  }

  // What sweeps over W.
  void prepare(const A& partition) {
    part_rows_.emplace(part_->x);
    sweep_.emplace(*part_rows_, slabs_of(partition).part(part_->columns));
  }

  const FloatRows& rows_;
  std::shared_ptr<const ColumnPart> part_;
  std::vector<Index> stored_;  // entries of each column of a sparse matrix
  std::vector<double> score_;
  double rest_ = 0;  // mean A'' outside W
  std::optional<FloatRows> part_rows_;
  std::optional<SlabSweep<SlabsOf<A>>> sweep_;
  Index gathered_ = 0;
};

}  // namespace medlar
