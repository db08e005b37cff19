// What ascent between classes knows of the coefficients while it sweeps (docs/theory.md#several-classes, #sweeps): V_i
// of each feature, with the numbers of all classes side by side, and the switch that all classes share,
//
//   w_i = d_i V_i,   A''_i = d_i I + kappa_i V_i V_i^T,   d_i = v P_i,   kappa_i = v^2 P_i (1 - P_i)
//
// A visit asks for the K scores of an example and for their curvature, Q = sum_i x_ti^2 A''_i, and then moves V.
#pragma once

#include <Eigen/Dense>

#include <span>
#include <vector>

#include "medlar/matrix.hpp"

namespace medlar {

class ClassSweep {
 public:
  using Scores = Eigen::ArrayXd;

  // Without switches `p` is empty.
  ClassSweep(const Matrix& x, Index classes, std::span<const double> p, double variance);

  // `v` is V, class by class.
  void start(std::span<const double> v);

  struct Look {
    Scores f;           // x_t . w_k
    Eigen::MatrixXd q;  // the curvature, unless `round`
    double own = 0;     // if `round`, the curvature is own I; else it is at least that
    bool round = true;
  };

  void look(Index t, Look& out);

  double largest_part(Index, const Scores&) const { return 1; }  // of a change: A is finite everywhere

  // Adds change[k] to what class k receives of example t. `f` gets the new scores.
  void move(Index t, const Scores& change, Scores& f);

 private:
  struct Feature {
    double d = 0, kappa = 0, square = 0;  // square: |V|^2
  };
  struct Bent {
    Index feature;
    double scale, size;
  };
  static Eigen::Index at(std::size_t i) { return static_cast<Eigen::Index>(i); }

  const Feature& turn(std::size_t i);

  const Matrix& x_;
  std::size_t n_;
  Eigen::Index classes_;
  double variance_;
  std::vector<double> logit_;
  Eigen::MatrixXd v_;        // K x n
  Eigen::MatrixXd columns_;  // those of the bends of one example
  std::vector<Feature> features_;
  std::vector<Bent> bent_;
};

}  // namespace medlar
