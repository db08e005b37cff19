// Columns that are normal together, mean and precision matrix unknown: the normal-Wishart prior (theory 6).
//
//   u = (x, x x^T, 1),   K = log Gamma_d(n/2) - (n/2) log det M - (d/2) log nu + (n d/2) log 2 - (nu d/2) log(2 pi)
//   M = chi2 - chi1 chi1^T/nu,   n = d + nu  (the measure is dmu dLambda);   up to a constant
//
// chi2 is kept as a whole d x d matrix; only its symmetric part counts.
#pragma once

#include "medlar/families/family.hpp"

namespace medlar {

class GaussianFull final : public Family {
 public:
  explicit GaussianFull(Index columns) : d_(columns) {}

  std::string_view name() const override { return "gaussian-full"; }
  Index columns() const override { return d_; }
  Index statistics() const override { return d_ + d_ * d_ + 1; }
  Index count() const override { return d_ + d_ * d_; }
  bool products() const override { return true; }
  std::string objection(double) const override { return {}; }
  void statistics_of(std::span<const double> x, std::span<double> u) const override;
  double base_measure(std::span<const double>) const override { return 0; }
  void prior(double strength, std::span<const ColumnMoments> moments, std::span<double> chi) const override;
  Index barriers() const override { return 1 + d_; }  // nu, and the pivots of M
  void barriers_at(std::span<const double> chi, std::span<double> out) const override;
  double value(std::span<const double> chi) const override;
  void gradient(std::span<const double> chi, std::span<double> out) const override;
  Index curvature_size() const override { return d_ * d_ + 2 * d_ + 3; }
  void curvature(std::span<const double> chi, std::span<double> out) const override;
  void product(std::span<const double> curvature, std::span<const double> d, std::span<double> out) const override;
  double score(std::span<const double> chi, std::span<const double> u) const override;  // one factor, no inverse
  double variance(std::span<const double> curvature, std::span<const double> u) const override;
  double left_out(std::span<const double> chi, std::span<const double> curvature, double counted,
                  std::span<const double> u) const override;  // no factor
  double diagonal(std::span<const double> curvature, Index i) const override;
  void contributions(std::span<const double> slope, std::span<const double> curvature, std::span<const double> x,
                     std::span<const double> u, std::span<double> out) const override;

 private:
  Index d_;
};

}  // namespace medlar
