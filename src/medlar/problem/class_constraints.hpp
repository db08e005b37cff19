// The constraints between classes, one output for each: E[ L_up(x_t) - L_down(x_t) + b_up - b_down - offset - gamma ]
// >= 0, one for each example and rival class (docs/theory.md#several-classes); or, for a single class, E[ L(x_t) -
// offset - gamma ] >= 0, where down is -1.
#pragma once

#include <span>
#include <vector>

#include "medlar/problem/passes.hpp"
#include "medlar/problem/statistic_rows.hpp"

namespace medlar {

struct ClassConstraints {
  static constexpr bool kOne = false;

  const StatisticRows* rows = nullptr;  // none for kernels
  Index classes = 0;
  Index examples = 0;
  std::vector<Index> example, up, down;
  std::vector<double> offset, weight;

  std::size_t count() const { return example.size(); }
  std::size_t outputs() const { return static_cast<std::size_t>(classes); }
  // Whether biases are told apart by their differences; a single class has nothing to compare with.
  bool rivals() const { return classes > 1; }
  ClassConstraints only(std::span<const std::size_t> places) const;  // those, of the same examples and classes

  // r_tk: what each example adds to the statistics of class k; classes one after the other.
  std::vector<double> beta(std::span<const double> lambda) const;
  // S_k: what each class receives.
  std::vector<double> totals(std::span<const double> lambda) const;

  // One pass over the data each. Statistics are summed in one way only.
  std::vector<double> statistics(std::span<const double> beta, Summing summing = Summing::plain) const;
  std::vector<double> scores(std::span<const double> w) const;

  // What c's own class has of numbers by class, less what its rival has.
  double between(std::size_t c, std::span<const double> by_class) const {
    const double own = by_class[static_cast<std::size_t>(up[c])];
    return down[c] < 0 ? own : own - by_class[static_cast<std::size_t>(down[c])];
  }
  double margin(std::size_t c, std::span<const double> f, std::span<const double> b) const {
    const std::size_t t = at(example[c]), own = at(up[c]);
    double m = f[own * at(examples) + t] + b[own] - offset[c];
    if (down[c] >= 0) m -= f[at(down[c]) * at(examples) + t] + b[at(down[c])];
    return m;
  }

  // u . diag(d) u of each constraint, d class by class; as StatisticRows::weighted_squares.
  std::vector<double> weighted_squares(std::span<const double> d) const;

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
};

ClassConstraints rival_constraints(std::span<const Index> y, Index classes, std::span<const double> weights);
ClassConstraints single_class_constraints(Index examples, std::span<const double> weights);

}  // namespace medlar
