// Columns that are jointly normal, mean and precision matrix unknown: the normal-Wishart prior
// (docs/theory.md#generative).
//
//   u = (x, x x^T, 1),   K = log Gamma_d(n/2) - (n/2) log det M - (d/2) log nu + (n d/2) log 2 - (nu d/2) log(2 pi)
//   M = chi2 - chi1 chi1^T/nu,   n = d + nu  (the measure is dmu dLambda);   up to a constant
//
// chi2 is stored as a whole matrix, but only its symmetric part counts. With fewer examples than columns
// (gaussian_span.hpp) x is replaced by its z in r directions, u = (z, z z^T, rho, 1), and outside them M is level +
// chi3/(d - r) times the unit matrix.
#pragma once

#include "medlar/priors/families/gaussian_span.hpp"

namespace medlar {

class GaussianFull final : public Family {
 public:
  explicit GaussianFull(Index columns, std::shared_ptr<const GaussianSpan> span = nullptr)
      : d_(columns), r_(span ? span->directions : columns), span_(std::move(span)) {
    if (span_) log_scale_ = span_->log_scale();
  }

  FamilyKind kind() const override { return FamilyKind::gaussian_full; }
  Index columns() const override { return d_; }
  Index statistics() const override { return count() + 1; }
  Index count() const override { return r_ + r_ * r_ + (span_ ? 1 : 0); }
  Index products() const override { return r_; }
  std::string objection(double) const override { return {}; }
  void statistics_of(std::span<const double> x, std::span<double> u) const override;
  double base_measure(std::span<const double>) const override { return 0; }
  void prior(double strength, std::span<const ColumnMoments> moments, std::span<double> chi) const override;
  Index barriers() const override { return 1 + r_; }  // nu, and the pivots of M
  void barriers_at(std::span<const double> chi, std::span<double> out) const override;
  double value(std::span<const double> chi) const override;
  void gradient(std::span<const double> chi, std::span<double> out) const override;
  Index curvature_size() const override { return r_ * r_ + 2 * r_ + 4; }
  void curvature(std::span<const double> chi, std::span<double> out) const override;
  void product(std::span<const double> curvature, std::span<const double> d, std::span<double> out) const override;
  double score(std::span<const double> chi, std::span<const double> u) const override;  // one factor, no inverse
  double variance(std::span<const double> curvature, std::span<const double> u) const override;
  void crosses(std::span<const double> curvature, std::span<const double> z, std::span<double> out) const override;
  double left_out(std::span<const double> chi, std::span<const double> curvature, double counted,
                  std::span<const double> u) const override;  // no factor
  double coefficient(std::span<const double> slope, Index i) const override;
  double coefficient_variance(std::span<const double> curvature, Index i) const override;
  void contributions(std::span<const double> slope, std::span<const double> curvature, std::span<const double> x,
                     std::span<const double> u, std::span<double> out) const override;

  std::shared_ptr<const Family> for_examples(std::span<const double> x, std::span<const ColumnMoments> moments,
                                             double strength) const override;
  std::vector<double> shape() const override { return span_ ? span_->numbers() : std::vector<double>(); }
  std::shared_ptr<const Family> shaped(std::span<const double> shape) const override;
  std::shared_ptr<const Family> marginal(std::span<const Index> there, std::span<const double> chi,
                                         std::vector<double>& part) const override;

 private:
  double distance(std::span<const double> curvature, std::span<const double> u) const;  // (x - m) . R (x - m)
  double outside(std::span<const double> chi) const;  // the level of M outside the directions; 1 if there are none
                                                      // outside
  double log_outside(double level) const;             // log determinant of M outside

  Index d_, r_;
  std::shared_ptr<const GaussianSpan> span_;
  double log_scale_ = 0;
};

}  // namespace medlar
