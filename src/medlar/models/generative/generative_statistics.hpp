// From rows of features to the sufficient statistics of the members, at training and at prediction alike.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "medlar/priors/families/class_partition.hpp"
#include "medlar/problem/statistic_rows.hpp"

namespace medlar {

class StatisticMaker {
 public:
  // `statistics` is the number per class; each member knows where its own begin.
  StatisticMaker(const std::vector<Member>& members, Index statistics, bool with_base_measures, Index features);

  StatisticRows rows(const Matrix& x) const;
  // h(x), summed over the members. If `each` is given, that of each member is added to it.
  double base_measure(const RowView& row, std::span<double> each = {}) const;
  // Calls visit(member, its values) for members of several columns that miss any; NaN marks a missing value.
  void for_each_gap(const RowView& row,
                    const std::function<void(std::size_t member, std::span<const double> values)>& visit) const;

 private:
  struct Place {
    Index member = -1, position = 0;
  };
  // Calls visit(member, its values, whether one is missing) for the members that the row says anything about.
  template <class Visit>
  void visit(const RowView& row, Visit visit) const;

  const std::vector<Member>& members_;
  Index statistics_;
  bool base_measures_;
  std::vector<Place> place_;  // of each feature
};

// Mean and variance of each feature where it is not missing.
std::vector<ColumnMoments> column_moments(const Matrix& x, std::span<const double> weights);

}  // namespace medlar
