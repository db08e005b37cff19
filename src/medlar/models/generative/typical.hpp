// What is typical of each feature of an anomaly detector. It also stands in for the cells that a row misses, so that
// the score of a row with gaps compares with those of whole rows.
#pragma once

#include <span>
#include <vector>

#include "medlar/models/generative/generative_scores.hpp"

namespace medlar {

// With this many whole rows, they alone decide what is typical. With fewer, rows with gaps count too.
constexpr Index kEnoughWholeRows = 40;

// The mean contribution of each feature over the rows in which it is not missing. Where columns are taken together,
// only rows that miss none of them count, if there are enough. A column says less when the columns that predict it are
// missing.
class MeanContributions {
 public:
  MeanContributions(const GenerativePart& part, Index features);
  void add(const RowView& row, std::span<const double> contributions);
  std::vector<double> means() const;

 private:
  const GenerativePart& part_;
  std::vector<std::size_t> group_of_;  // of each feature; columns taken together share one
  std::vector<double> sum_, whole_sum_;
  std::vector<Index> count_, whole_count_;
};

// For a row, the sum of what is typical of the features that it says nothing of; `typical` has the mean contributions.
// Where columns are taken together, the chain rule gives typical(all) - typical(S), with S the columns that are there.
// - gaussian-full: the score is linear in the statistics, whose mean is chi over its count. So typical(S) is
//   chi_S . K'(chi_S) / count. The difference to `typical` over all columns is shared equally among them.
// - trees: the edges between S and the others are lost as a whole; `typical` gives half of them to each end.
// - multinomial counts have no such form: each column counts for itself.
class TypicalOfGaps {
 public:
  // Rows are those after the transforms. `part` and `typical` must outlive it.
  TypicalOfGaps(const GenerativePart& part, std::span<const double> typical, Index features);
  TypicalOfGaps(const TypicalOfGaps&) = delete;
  TypicalOfGaps& operator=(const TypicalOfGaps&) = delete;

  double operator()(const RowView& row);

 private:
  double of_members(const RowView& row);
  double of_trees(std::span<const Index> absent) const;

  const GenerativePart& part_;
  std::span<const double> typical_;
  GenerativeScores scores_;
  StatisticMaker maker_;
  Marginals marginals_;
  std::vector<double> whole_;  // typical(all) from chi, for each member of several columns
  std::vector<double> edges_;  // trees: probability of each edge times the mean of its log-ratio
  std::vector<std::size_t> variable_of_;
};

}  // namespace medlar
