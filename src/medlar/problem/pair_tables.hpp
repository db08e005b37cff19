// Statistics of pairs of discrete columns (docs/theory.md#trees): that of the pair u < v in class k is what a table of
// the class has for the two levels of an example. Of an example only its levels are stored; sums over the examples are
// counted by cell first, and scores add up what each cell gives, so that all classes share one pass.
#pragma once

#include <span>
#include <vector>

#include "medlar/matrix.hpp"

namespace medlar {

class PairTables {
 public:
  PairTables() = default;
  // The levels of each example, row by row, 0 where one is missing; sizes[u] levels with that one. A table of a class
  // has the pairs (0, 1), (0, 2), (1, 2), (0, 3), ... one after the other, each with the level of u first.
  PairTables(std::vector<Column> sizes, std::vector<Column> levels, std::vector<std::vector<double>> tables);

  std::size_t examples() const { return sizes_.empty() ? 0 : levels_.size() / sizes_.size(); }
  std::size_t pairs() const { return first_.size(); }
  std::size_t classes() const { return tables_.size(); }

  // v += sum_t r_t u_t, f_t += u_t . w, f_t += sum_i u_ti^2 d_i, and out = u_t; the statistics of the classes one after
  // the other.
  void add(std::span<const double> r, std::span<double> v) const;
  void add_scores(std::span<const double> w, std::span<double> f) const;
  void add_squares(std::span<const double> d, std::span<double> f) const;
  void row(std::size_t t, std::span<double> out) const;

 private:
  // f_t += the sum of what the cells of example t give: weight_i times `of` what the table has.
  template <class Of>
  void add_cells(std::span<const double> weight, std::span<double> f, Of of) const;
  // visit(pair, cell) for all pairs of example t.
  template <class Visit>
  void for_each_cell(std::size_t t, Visit visit) const {
    const Column* const level = levels_.data() + t * sizes_.size();
    std::size_t pair = 0;
    for (std::size_t v = 1; v < sizes_.size(); ++v) {
      for (std::size_t u = 0; u < v; ++u, ++pair) {
        visit(pair, first_[pair] + static_cast<std::size_t>(level[u] * sizes_[v] + level[v]));
      }
    }
  }
  std::size_t end(std::size_t pair) const { return pair + 1 < first_.size() ? first_[pair + 1] : tables_[0].size(); }

  std::vector<Column> sizes_, levels_;
  std::vector<std::vector<double>> tables_;
  std::vector<std::size_t> first_;  // cell of each pair
};

}  // namespace medlar
