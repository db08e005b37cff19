// A'' of a prior over coefficients, diag(d) + sum_g kappa_g v_g v_g^T, as something to apply; and such a prior dressed
// as the partition of several classes, whose statistics stand class by class.
#pragma once

#include <span>
#include <vector>

#include "medlar/core/concepts.hpp"
#include "medlar/problem/class_constraints.hpp"

namespace medlar {

class GroupCurvature {
 public:
  template <LogPartition A>
  GroupCurvature(const A& partition, std::span<const double> v)
      : d_(v.size()), kappa_(static_cast<std::size_t>(partition.group_count())), group_of_(partition.group_of()) {
    partition.curvature(v, d_, kappa_);
    if (!kappa_.empty()) v_.assign(v.begin(), v.end());
  }

  void product(std::span<const double> from, std::span<double> to) const {
    std::vector<double> along(kappa_.size(), 0.0);
    if (!kappa_.empty()) {
      for (std::size_t i = 0; i < from.size(); ++i) along[static_cast<std::size_t>(group_of_[i])] += v_[i] * from[i];
      for (std::size_t g = 0; g < along.size(); ++g) along[g] *= kappa_[g];
    }
    for (std::size_t i = 0; i < from.size(); ++i) {
      to[i] = d_[i] * from[i];
      if (!kappa_.empty()) to[i] += along[static_cast<std::size_t>(group_of_[i])] * v_[i];
    }
  }

  // x . A''^-1 x, where x is 0 wherever d is.
  double inverse_along(std::span<const double> x) const {
    std::vector<double> along(kappa_.size(), 0.0), squares(along), first(along);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] != 0) sum += x[i] * x[i] / d_[i];
      if (kappa_.empty()) continue;
      const auto g = static_cast<std::size_t>(group_of_[i]);
      along[g] += v_[i] * x[i];
      squares[g] += v_[i] * v_[i];
      first[g] = d_[i];
    }
    for (std::size_t g = 0; g < kappa_.size(); ++g) {
      if (along[g] != 0) sum -= kappa_[g] * along[g] * along[g] / (first[g] * (first[g] + kappa_[g] * squares[g]));
    }
    return sum;
  }

  // u . diag(d) u of each constraint, for statistics that are the features themselves.
  std::vector<double> diagonal(const ClassConstraints& constraints) const { return constraints.weighted_squares(d_); }

 private:
  std::vector<double> d_, kappa_, v_;
  std::span<const Index> group_of_;
};

template <LogPartition A>
class DressedPartition {
 public:
  explicit DressedPartition(const A& a) : a_(a) {}
  Index dimension() const { return a_.dimension(); }
  double value(std::span<const double> v) const { return a_.value(v); }
  void mean(std::span<const double> v, std::span<double> out) const { a_.mean(v, out); }
  GroupCurvature curvature(std::span<const double> v) const { return {a_, v}; }
  double largest_step(std::span<const double>, std::span<const double>) const { return 1; }  // finite everywhere

 private:
  const A& a_;
};

}  // namespace medlar
