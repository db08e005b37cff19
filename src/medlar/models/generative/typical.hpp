// What is typical of each feature of an anomaly detector, and with it of the cells that a row misses: so the score of a
// row with gaps compares with those of whole rows.
#pragma once

#include <span>
#include <vector>

#include "medlar/models/generative/generative_scores.hpp"

namespace medlar {

// So many whole rows tell what is usual among whole rows; with fewer, rows with gaps speak too.
constexpr Index kEnoughWholeRows = 40;

// The mean contribution of each feature over the rows that say anything of it. Where columns are taken together, the
// rows that miss none of them count, if there are enough: a column says less where those that foretell it are missing.
class MeanContributions {
 public:
  MeanContributions(const GenerativePart& part, Index features);
  void add(const RowView& row, std::span<const double> contributions);
  std::vector<double> means() const;

 private:
  const GenerativePart& part_;
  std::vector<std::size_t> group_of_;  // of each feature: those that are taken together share one
  std::vector<double> sum_, whole_sum_;
  std::vector<Index> count_, whole_count_;
};

// For a row the sum of what is typical of the features that it says nothing of; `typical` has the mean contributions.
// By the chain rule it is typical(all) - typical(S), S the columns that are there, where columns are taken together.
// - gaussian-full: the score is linear in the statistics, whose mean is chi over its count: typical(S) is
//   chi_S . K'(chi_S) / count, less for each column its share of what `typical` differs from that by in all.
// - trees: the edges between S and the others are lost whole, where `typical` gives each end a half of them.
// - multinomial counts have no such form: their columns count each for itself.
class TypicalOfGaps {
 public:
  // Rows have been through the transforms; `part` and `typical` must outlive it.
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
  std::vector<double> whole_;  // typical(all) by chi, of each member that takes several columns together
  std::vector<double> edges_;  // of trees: the probability of each edge times the mean of its log-ratio
  std::vector<std::size_t> variable_of_;
};

}  // namespace medlar
