// Tables of pairs of discrete variables, for each class, and what they say of an example (docs/theory.md#trees).
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "medlar/dataset.hpp"
#include "medlar/model.hpp"
#include "medlar/problem/statistic_rows.hpp"

namespace medlar {

// The features of each column: one for a bit, or the levels of a category. Refuses other values, and data with a single
// column.
std::vector<std::vector<Index>> tree_variables(const Dataset& data);

// The levels of each variable in each row, -1 where it is missing. A variable of one feature is a bit.
std::vector<std::vector<Index>> variable_levels(const std::vector<std::vector<Index>>& variables, const Matrix& x);

inline Index level_count(const std::vector<Index>& variable) {
  return variable.size() == 1 ? 2 : static_cast<Index>(variable.size());
}

// Weighted counts of one class, with `smoothing` pseudo-examples spread evenly.
class PairCounts {
 public:
  PairCounts(const std::vector<std::vector<Index>>& variables, double smoothing);
  void add(std::span<const Index> levels, double weight);

  GenerativeTree tables() const;  // without edge probabilities
  // log p(x_u), and log p(x_u, x_v)/(p(x_u) p(x_v)), after an example of weight `less` with these levels is taken out.
  double single(Index u, std::span<const Index> levels, double less) const;
  double pair(Index u, Index v, std::span<const Index> levels, double less) const;

 private:
  friend class LeftOutRatios;
  double joint(Index u, Index v, std::span<const Index> levels, double less) const;  // log p(x_u, x_v)

  std::vector<Index> sizes_;
  double smoothing_;
  std::vector<std::vector<double>> single_, pair_;
  std::vector<double> single_total_, pair_total_;
};

// The same for all variables and edges, example after example. An example changes only the cells that it is in, so
// examples of equal weight share what was computed for a cell. With more than a few different weights, only the first
// ones share.
class LeftOutRatios {
 public:
  explicit LeftOutRatios(const PairCounts& counts) : counts_(counts) {}
  void of(std::span<const Index> levels, double less, std::span<double> single, std::span<double> pair);

 private:
  static constexpr std::size_t kMostWeights = 4;
  GenerativeTree* kept(double less);  // tables of this weight, NaN where not yet computed; null if it has none

  const PairCounts& counts_;
  std::map<double, GenerativeTree> kept_;
};

// For one example: the fixed part, sum_u log p(x_u), and the statistic of each edge.
double tree_fixed(const GenerativeTree& tree, std::span<const Index> levels);
void tree_statistics(const GenerativeTree& tree, const std::vector<std::vector<Index>>& variables,
                     std::span<const Index> levels, std::span<double> out);
// The statistics of all examples, class by class.
StatisticRows tree_rows(const std::vector<GenerativeTree>& trees, const std::vector<std::vector<Index>>& variables,
                        const std::vector<std::vector<Index>>& levels);

}  // namespace medlar
