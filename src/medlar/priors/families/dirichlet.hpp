// Counts over the columns of one member, or the levels of one categorical column, with a Dirichlet prior
// (docs/theory.md#generative).
//
//   u = x,   h = log N! - sum_k log x_k!,   N = sum_k x_k
//   K(alpha) = sum_k log Gamma(alpha_k) - log Gamma(sum alpha)
//
// A row of zeros (a missing category, an empty text) has no statistic and says nothing.
#pragma once

#include "medlar/priors/families/family.hpp"

namespace medlar {

class Dirichlet final : public Family {
 public:
  explicit Dirichlet(Index columns) : columns_(columns) {}

  FamilyKind kind() const override { return FamilyKind::multinomial; }
  Index columns() const override { return columns_; }
  Index statistics() const override { return columns_; }
  Index count() const override { return -1; }
  std::string objection(double x) const override;
  void statistics_of(std::span<const double> x, std::span<double> u) const override;
  double base_measure(std::span<const double> x) const override;
  void prior(double strength, std::span<const ColumnMoments> moments, std::span<double> chi) const override;
  Index barriers() const override { return columns_; }
  void barriers_at(std::span<const double> chi, std::span<double> out) const override;
  double value(std::span<const double> chi) const override;
  void gradient(std::span<const double> chi, std::span<double> out) const override;
  Index curvature_size() const override { return columns_ + 1; }
  void curvature(std::span<const double> chi, std::span<double> out) const override;
  void product(std::span<const double> curvature, std::span<const double> d, std::span<double> out) const override;
  double score(std::span<const double> chi, std::span<const double> u) const override;  // the columns with u > 0 only
  double left_out(std::span<const double> chi, std::span<const double> curvature, double counted,
                  std::span<const double> u) const override;
  double coefficient_variance(std::span<const double> curvature, Index i) const override {
    return curvature[static_cast<std::size_t>(i)] - curvature[static_cast<std::size_t>(columns_)];
  }
  void contributions(std::span<const double> slope, std::span<const double> curvature, std::span<const double> x,
                     std::span<const double> u, std::span<double> out) const override;
  // Some of the columns, given the total count on these: a Dirichlet with their alphas.
  std::shared_ptr<const Family> marginal(std::span<const Index> there, std::span<const double> chi,
                                         std::vector<double>& part) const override;

 private:
  Index columns_;
};

}  // namespace medlar
