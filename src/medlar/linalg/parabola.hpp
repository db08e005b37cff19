// The losses of F around a point as a parabola over features,
//
//   g.(w - w0) + (w - w0)^T M (w - w0) / 2
//
// with the bias, if there is one, at its least for each w. It keeps its slope where it has been moved to.
#pragma once

#include <Eigen/Dense>

#include <span>
#include <vector>

#include "medlar/linalg/feature_system.hpp"

namespace medlar {

class Parabola {
 public:
  // The lower triangle of m is enough.
  Parabola(const Eigen::MatrixXd& m, std::span<const double> g);
  // From X^T H X and the lines of the bias, whose slope is g_bias.
  Parabola(const FeatureSystem& system, std::span<const double> g, double g_bias);

  std::size_t size() const { return static_cast<std::size_t>(slope_.size()); }
  double bend(std::size_t i) const { return m_(at(i), at(i)); }
  double slope(std::size_t i) const { return slope_[at(i)]; }
  // The change of the bias since w0.
  double bias() const { return bias_; }

  // One feature, or all of them by `length` of a way whose M dw is known.
  void move(std::size_t i, double change);
  void move(std::span<const double> dw, std::span<const double> m_dw, double length);
  std::vector<double> times(std::span<const double> dw) const;

  // (D^-1 + M) dw = -rest, solved through I + D^1/2 M D^1/2.
  std::vector<double> newton(std::span<const double> d, std::span<const double> rest) const;

 private:
  static Eigen::Index at(std::size_t i) { return static_cast<Eigen::Index>(i); }

  Eigen::MatrixXd m_;
  Eigen::VectorXd slope_, tie_;  // tie_: how the bias follows w
  double bias_ = 0;
};

}  // namespace medlar
