// u_s . A'' u_t of all pairs of examples, class by class, where a closed form of their columns gives them, as full
// covariance has it (docs/theory.md#generative). The matrix of a Newton step then needs no statistics, of which there
// are r^2.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "medlar/problem/statistic_rows.hpp"

namespace medlar {

class ClassCrosses {
 public:
  // out = u_s . A''_kk u_t of the examples whose r columns follow each other in z.
  using Cross = std::function<void(Index k, std::span<const double> z, std::span<double> out)>;

  // Whether a pass over all pairs of examples costs less than one over the statistics, and there is room for them.
  static bool suit(const StatisticRows& rows, const ClassConstraints& constraints);
  // Of these examples, one column after the other; 0 where one has no statistics.
  static std::vector<double> of_class(const StatisticRows& rows, std::span<const Index> examples, Index k,
                                      const Cross& cross);

  ClassCrosses(const StatisticRows& rows, const ClassConstraints& constraints, const Cross& cross);
  // f_tk = sum_s u_t . A''_kk u_s r_sk; classes one after the other.
  void scores(std::span<const double> r, std::span<double> f) const;
  // u . A'' u of each constraint.
  std::vector<double> diagonal(const ClassConstraints& constraints) const;

 private:
  std::size_t examples_;
  std::vector<std::vector<double>> by_class_;
};

}  // namespace medlar
