// The passes over the data that solvers are made of: V from the multipliers, scores from the coefficients, and both in
// one.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "medlar/matrix.hpp"

namespace medlar {

// How V is summed. On the way to a point plain sums will do; the point itself has sums that carry their rounding along.
enum class Summing { plain, exact };

// V = sum_t beta_t x_t
std::vector<double> statistics(const Matrix& x, std::span<const double> beta, Summing summing = Summing::exact);

// The length of the longest row.
double longest_row(const Matrix& x);

// f_t = x_t . w
std::vector<double> scores(const Matrix& x, std::span<const double> w);

// w for the V of the features from `first` on.
using MeanOfPart = std::function<void(std::size_t first, std::span<const double> v, std::span<double> w)>;
struct Passed {
  std::vector<double> v, w, f;
};
// V, its w and their scores: of dense rows that no near cache holds on one pass over memory, block of columns by block.
Passed statistics_and_scores(const Matrix& x, std::span<const double> beta, Summing summing, const MeanOfPart& mean);

}  // namespace medlar
