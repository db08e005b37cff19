// The losses of F around a point, as a parabola over features,
//
//   g.(w - w0) + (w - w0)^T M (w - w0) / 2
//
// The biases, if there are any, are minimised out for each w. The object can be moved, and keeps the slope at its
// place.
#pragma once

#include <Eigen/Dense>

#include <span>
#include <vector>

#include "medlar/linalg/systems/curvature_root.hpp"

namespace medlar {

class Parabola {
 public:
  // Only the lower triangle of m is read. The last `biases` unknowns of m and g are biases.
  Parabola(const Eigen::MatrixXd& m, std::span<const double> g, Eigen::Index biases = 0);

  std::size_t size() const { return static_cast<std::size_t>(slope_.size()); }
  double bend(std::size_t i) const { return m_(at(i), at(i)); }
  double slope(std::size_t i) const { return slope_[at(i)]; }
  // The changes of the biases since w0.
  std::vector<double> biases() const { return {bias_.data(), bias_.data() + bias_.size()}; }

  // M restricted to a few features: its eigenvalues, and their eigenvectors one after the other.
  struct Axes {
    std::vector<double> bends, directions;
  };
  Axes axes(std::span<const std::size_t> features) const;

  // Moves one feature, or all of them by `length` times dw, whose M dw is known.
  void move(std::size_t i, double change);
  void move(std::span<const double> dw, std::span<const double> m_dw, double length);
  std::vector<double> times(std::span<const double> dw) const;

  // Solves (A''^-1 + M) dw = -rest through I + B M B, with A'' = B B.
  std::vector<double> newton(const CurvatureRoot& root, std::span<const double> rest) const;

 private:
  static Eigen::Index at(std::size_t i) { return static_cast<Eigen::Index>(i); }

  Eigen::MatrixXd m_, tie_;  // tie_: how the biases follow w
  Eigen::VectorXd slope_, bias_;
};

}  // namespace medlar
