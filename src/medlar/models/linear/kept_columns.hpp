// The columns that stay in (docs/theory.md#covariates), as solvers see them: orthogonal to each other and, under a flat
// bias, to a column of ones, in units of their spread. They span what the columns themselves do, so coefficients go
// from one to the other.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "medlar/matrix.hpp"
#include "medlar/problem/flat_columns.hpp"

namespace medlar {

class KeptColumns {
 public:
  KeptColumns() = default;
  // `levels` says of each feature whether it is one level of a category: one that depends on the kept columns before it
  // then has the coefficient 0. Any other that does is an OptionError.
  KeptColumns(const Matrix& x, std::span<const double> weights, std::span<const Index> kept,
              std::span<const char> levels, std::span<const std::string> names, bool flat_bias);

  const FlatColumns& flat() const { return flat_; }

  // x with `scale` q_j in the places of those that have one, and nothing in those of the others; as doubles.
  Matrix replaced(const Matrix& x, double scale) const;
  // The same columns alone.
  Matrix alone(double scale) const;

  // Of one output: t from the coefficients of all features, and those of the kept ones from t, written into w. The
  // return is mean . w, by which the scores of the features exceed Q t.
  std::vector<double> to_flat(std::span<const double> w) const;
  double to_features(std::span<const double> t, std::span<double> w) const;
  double mean_score(std::span<const double> w) const;

 private:
  FlatColumns flat_;
  std::vector<std::size_t> kept_;       // features, all that are kept
  std::vector<double> mean_;            // of the columns that have a q
  std::vector<std::vector<double>> r_;  // of each of those: its parts along the q up to its own
};

}  // namespace medlar
