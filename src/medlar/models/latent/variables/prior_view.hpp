// The prior over coefficients as a latent fit sees it: through its formulas alone. The latent variables are thus
// written once and not for every prior. A call costs nothing compared with a row's product.
#pragma once

#include <span>

#include "medlar/core/concepts.hpp"

namespace medlar {

// A: see LogPartition.
class PriorView {
 public:
  virtual ~PriorView() = default;
  virtual Index dimension() const = 0;
  virtual double value(std::span<const double> v) const = 0;
  virtual double conjugate_at(std::span<const double> v) const = 0;
  virtual void mean(std::span<const double> v, std::span<double> out) const = 0;
  virtual void curvature(std::span<const double> v, std::span<double> d, std::span<double> kappa) const = 0;
  virtual Index group_count() const = 0;
  virtual std::span<const Index> group_of() const = 0;
};

// Keeps a reference.
template <LogPartition A>
class PriorViewOf final : public PriorView {
 public:
  explicit PriorViewOf(const A& partition) : partition_(partition) {}
  Index dimension() const override { return partition_.dimension(); }
  double value(std::span<const double> v) const override { return partition_.value(v); }
  double conjugate_at(std::span<const double> v) const override { return partition_.conjugate_at(v); }
  void mean(std::span<const double> v, std::span<double> out) const override { partition_.mean(v, out); }
  void curvature(std::span<const double> v, std::span<double> d, std::span<double> kappa) const override {
    partition_.curvature(v, d, kappa);
  }
  Index group_count() const override { return partition_.group_count(); }
  std::span<const Index> group_of() const override { return partition_.group_of(); }

 private:
  const A& partition_;
};

}  // namespace medlar
