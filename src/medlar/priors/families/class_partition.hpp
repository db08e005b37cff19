// The log-partition of K generative models side by side, each a product of members over columns
// (docs/theory.md#generative, #generative-switches).
//
//   A(V) = sum_members sum_k [ K(chi_k + V_k) - K(chi_k) ]                            without switches
//   A(V) = sum_members log(1 - p + p e^{sum_k [ K(chi_k + V_k) - K(chi_k) ]})         one switch for all classes
//   A(V) = sum_members sum_k log(1 - p + p e^{K(chi_k + V_k) - K(chi_k) + H_k})       a switch for each class
//
// With a switch for each class the base measure no longer cancels between classes: H_k = sum_t r_tk h(x_t) is an
// additional statistic of each member. V holds the classes one after the other, each with all statistics of all
// members.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "medlar/priors/families/count_sweep.hpp"
#include "medlar/priors/families/family.hpp"
#include "medlar/words.hpp"

namespace medlar {

// One member: a family over some columns, and where its statistics begin within a class.
struct Member {
  std::shared_ptr<const Family> family;
  std::vector<Index> columns;
  Index first = 0;
};

class FamilySweep;

class ClassPartition {
 public:
  // chi holds one prior after the other, class by class. p has a probability per member, or none without switches.
  ClassPartition(std::vector<Member> members, Index classes, std::vector<double> chi,
                 SwitchKind kind = SwitchKind::none, std::vector<double> p = {});

  Index classes() const { return classes_; }
  Index statistics() const { return statistics_; }  // per class
  Index dimension() const { return classes_ * statistics_; }
  const std::vector<Member>& members() const { return members_; }
  std::span<const double> prior() const { return chi_; }
  SwitchKind switches() const { return kind_; }
  std::span<const double> prior_inclusion() const { return p_; }
  // With a switch per class: the place of the member's base measure within a class; else -1.
  Index base_place(std::size_t member) const {
    return kind_ == SwitchKind::per_class ? base_first_ + static_cast<Index>(member) : -1;
  }

  // The largest part <= 1 of `step` that may be taken from v. No quantity of the domain may fall below a tenth of its
  // value.
  double largest_step(std::span<const double> v, std::span<const double> step) const;

  double value(std::span<const double> v) const;  // A; +infinity outside the domain
  void mean(std::span<const double> v, std::span<double> out) const;
  static constexpr bool kLinearMean = false;
  // P(switch on) of each member, class by class with a switch per class; empty without switches.
  std::vector<double> inclusion(std::span<const double> v) const;

  bool has_crosses() const {
    return members_.size() == 1 && kind_ == SwitchKind::none && members_[0].family->products() > 0;
  }
  bool classes_apart() const { return kind_ != SwitchKind::tied; }  // A'' does not couple classes

  // Whether all columns are counts of one multinomial without switches. Then sweep() is the faster ascent.
  bool counts_only() const;
  CountSweep sweep(const Matrix& x) const { return {x, classes_, chi_}; }
  // Sweeps over any members without switches. `row` writes the statistics of an example.
  FamilySweep sweep_families(std::function<void(Index t, std::span<double> u)> row) const;

  // A'' at a point, ready to be applied many times.
  class Curvature {
   public:
    void product(std::span<const double> d, std::span<double> out) const;
    // u_s . A''_kk u_t of all pairs of examples, as in Family::crosses; for one member without switches.
    void crosses(Index k, std::span<const double> z, std::span<double> out) const;
    // out_k = u . A''_kk u, for the statistics u of one example.
    void variances(std::span<const double> u, std::span<double> out) const;

   private:
    friend class ClassPartition;
    const ClassPartition* owner = nullptr;
    std::vector<double> numbers, gradient, on, spread;  // spread: P (1 - P)
  };
  Curvature curvature(std::span<const double> v) const;

 private:
  std::span<const double> part(std::span<const double> all, std::size_t member, Index k) const;
  std::span<double> part(std::span<double> all, std::size_t member, Index k) const;
  std::vector<double> shifted(std::span<const double> v) const;  // chi + V
  double exponent(std::span<const double> at, std::span<const double> v, std::size_t member, Index k) const;
  template <class Visit>
  void for_each_switch(std::span<const double> at, std::span<const double> v, Visit visit) const;

  std::vector<Member> members_;
  Index classes_ = 0, statistics_ = 0, base_first_ = 0, curvature_ = 0;
  std::vector<Index> curvature_first_;
  std::vector<double> chi_;
  SwitchKind kind_;
  std::vector<double> p_;
  std::vector<double> at_prior_;  // K(chi_k) of each member and class
};

}  // namespace medlar
