// What ascent between classes knows of counts under Dirichlet priors while it sweeps (docs/theory.md#generative). For
// each column it keeps the count chi_k + V_k of every class, with its digamma w and trigamma d,
//
//   f_k = sum_i x_i w_ki - N psi(n_k),   curvature of class k = sum_i x_i^2 d_ki - N^2 psi'(n_k),   N = sum_i x_i
//
// where n_k is the sum of the counts of class k. The interface is that of ClassSweep in linalg, where no step leaves a
// domain.
#pragma once

#include <span>

#include "medlar/linalg/systems/class_sweep.hpp"

namespace medlar {

class CountSweep {
 public:
  using Scores = ClassSweep::Scores;
  using Look = ClassSweep::Look;

  // `prior` holds chi class by class.
  CountSweep(const Matrix& x, Index classes, std::span<const double> prior);

  void start(std::span<const double> v);

  void look(Index t, Look& out);

  // The part of a change that leaves every count at least half of its value.
  double largest_part(Index t, const Scores& change) const;
  // Adds change[k] to what class k receives of example t. `f` gets the new scores.
  void move(Index t, const Scores& change, Scores& f);

 private:
  void scores(Index t, Scores& f) const;

  const Matrix& x_;
  Eigen::Index classes_, columns_;
  std::span<const double> prior_;
  Eigen::ArrayXXd count_, slope_, bend_;  // K x n
  Eigen::ArrayXd all_, all_slope_, all_bend_;
};

}  // namespace medlar
