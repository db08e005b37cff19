// Turns the few formulas of a family for one column into a Family. A formula sheet F has
//
//   kStatistics (the count is the last), kBarriers;  objection(x), statistics_of(x, u), base_measure(x),
//   prior(strength, moments, chi), barriers_at(chi, out), value(chi), gradient(chi, out), hessian(chi, out)
//
// where chi, u and out point to plain numbers and the Hessian is laid out row by row.
#pragma once

#include <limits>

#include "medlar/priors/families/family.hpp"

namespace medlar {

template <class F>
class ScalarFamily final : public Family {
 public:
  explicit ScalarFamily(FamilyKind kind) : kind_(kind) {}

  FamilyKind kind() const override { return kind_; }
  Index columns() const override { return 1; }
  Index statistics() const override { return F::kStatistics; }
  Index count() const override { return F::kStatistics - 1; }
  std::string objection(double x) const override { return F::objection(x); }

  void statistics_of(std::span<const double> x, std::span<double> u) const override {
    F::statistics_of(x[0], u.data());
    u[F::kStatistics - 1] = 0;
  }
  double base_measure(std::span<const double> x) const override { return F::base_measure(x[0]); }
  void prior(double strength, std::span<const ColumnMoments> moments, std::span<double> chi) const override {
    F::prior(strength, moments[0], chi.data());
  }

  Index barriers() const override { return F::kBarriers; }
  void barriers_at(std::span<const double> chi, std::span<double> out) const override {
    F::barriers_at(chi.data(), out.data());
  }
  double value(std::span<const double> chi) const override {
    double barrier[F::kBarriers];
    F::barriers_at(chi.data(), barrier);
    for (const double each : barrier) {
      if (!(each > 0)) return std::numeric_limits<double>::infinity();
    }
    return F::value(chi.data());
  }
  void gradient(std::span<const double> chi, std::span<double> out) const override {
    F::gradient(chi.data(), out.data());
  }

  Index curvature_size() const override { return F::kStatistics * F::kStatistics; }
  void curvature(std::span<const double> chi, std::span<double> out) const override {
    F::hessian(chi.data(), out.data());
  }
  void product(std::span<const double> curvature, std::span<const double> d, std::span<double> out) const override {
    for (int i = 0; i < F::kStatistics; ++i) {
      double sum = 0;
      for (int j = 0; j < F::kStatistics; ++j) {
        sum += curvature[static_cast<std::size_t>(i * F::kStatistics + j)] * d[static_cast<std::size_t>(j)];
      }
      out[static_cast<std::size_t>(i)] = sum;
    }
  }

  double score(std::span<const double> chi, std::span<const double> u) const override {
    double slope[F::kStatistics], sum = 0;
    F::gradient(chi.data(), slope);
    for (std::size_t i = 0; i < F::kStatistics; ++i) sum += u[i] * slope[i];
    return sum;
  }
  double left_out(std::span<const double> chi, std::span<const double>, double counted,
                  std::span<const double> u) const override {
    double without[F::kStatistics];
    for (std::size_t i = 0; i < F::kStatistics; ++i) without[i] = chi[i] - counted * u[i];
    return score(without, u) - score(chi, u);
  }

 private:
  FamilyKind kind_;
};

}  // namespace medlar
