// The losses of F around a point as a parabola over the features of a sparse matrix, one feature at a time: what
// Parabola holds as a matrix over all pairs of features is here kept by examples,
//
//   r_t = beta_t - bend_t (x_t.dw + db),     slope_i = -sum_t x_ti r_t,     M_ii = sum_t x_ti^2 bend_t
//
// so that a move costs the entries of its column. The bias, if there is one, moves when it is asked to.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "medlar/linalg/columns.hpp"

namespace medlar {

class SparseParabola {
 public:
  explicit SparseParabola(const Matrix& x) : columns_(x), bend_of_feature_(static_cast<std::size_t>(x.columns())) {}

  // beta and bend at the point, one of each per example.
  void start(std::vector<double> beta, std::vector<double> bend);

  double bend(std::size_t i) const { return bend_of_feature_[i]; }
  double slope(std::size_t i) const;
  void move(std::size_t i, double change);

  // To the least point over the bias, whose prior has this slope where the bias is now, and this precision.
  void settle_bias(double prior_slope, double precision);
  double bias() const { return bias_; }  // its change since the start

  std::span<const double> multipliers() const { return r_; }

 private:
  Columns columns_;
  std::vector<double> r_, bend_;  // per example
  std::vector<double> bend_of_feature_;
  double bias_ = 0, all_bend_ = 0;
};

}  // namespace medlar
