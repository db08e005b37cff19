// The sufficient statistics of each example (docs/theory.md#generative).
//
// Statistics are kept sparse. A count, which every example raises by 1, is not stored: it is added for all at once, and
// an example whose cell is missing has -1 there. Second moments of columns taken together are not stored either: they
// are made from the columns, as products; and statistics of pairs of discrete columns are looked up (pair_tables.hpp).
#pragma once

#include <span>
#include <vector>

#include "medlar/matrix.hpp"
#include "medlar/problem/pair_tables.hpp"

namespace medlar {

// x x^T of these columns, as d x d statistics from `first` on.
struct SecondMoments {
  Index first = 0, columns = 0;
  std::vector<double> x;  // T x d, row by row
};

class StatisticRows {
 public:
  StatisticRows() = default;
  StatisticRows(Matrix stored, std::vector<Index> counts, std::vector<SecondMoments> moments)
      : stored_(std::move(stored)), counts_(std::move(counts)), moments_(std::move(moments)) {}
  explicit StatisticRows(PairTables pairs);  // nothing else

  Index examples() const { return stored_.rows(); }
  Index statistics() const { return stored_.columns(); }
  Index stored() const { return stored_.stored(); }
  const Matrix& matrix() const { return stored_; }  // of what is stored

  // v += sum_t r_t u_t
  void add(std::span<const double> r, std::span<double> v) const;
  // f_t = u_t . w
  void scores(std::span<const double> w, std::span<double> f) const;
  // sum_i u_ti^2 d_i of each example, for d class by class with n entries each; of stored statistics or pairs only.
  std::vector<double> weighted_squares(std::span<const double> d, std::size_t n) const;
  // The columns that are stored and whose products are not, where these and one count are all there is; else nullptr.
  const SecondMoments* sole_moments() const;
  bool counted(Index t) const;  // with one count: whether the example raises it
  // out = u_t, all of it
  void row(Index t, std::span<double> out) const;

 private:
  std::size_t work(std::size_t t) const;

  Matrix stored_;
  std::vector<Index> counts_;
  std::vector<SecondMoments> moments_;
  PairTables pairs_;
};

}  // namespace medlar
