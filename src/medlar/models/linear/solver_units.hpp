// A prior variance v_i of each feature. A coefficient w ~ N(0, v_i) on x_i is r_i u with u ~ N(0, v) on r_i x_i, where
// r_i = sqrt(v_i / v). So solvers see r_i x_i under one variance v, with V_i of the model times r_i
// (docs/theory.md#linear), and every prior and solver serves.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "medlar/matrix.hpp"
#include "medlar/settings.hpp"
#include "medlar/solvers/neighbour.hpp"

namespace medlar {

class SolverUnits {
 public:
  SolverUnits() = default;  // all features alike
  SolverUnits(const Settings& settings, std::span<const std::string> names);

  bool alike() const { return unit_.empty(); }
  // r_i of each feature; empty if all are 1.
  std::span<const double> unit() const { return unit_; }

  double of(std::size_t i) const { return alike() ? 1.0 : unit_[i]; }

  // r_i x_ti, as doubles.
  Matrix scaled(const Matrix& x) const;

  // Coefficients and V between the model and its solver; of several outputs, one after the other.
  void v_to_solver(std::vector<double>& v) const { multiply(v, false); }
  void to_solver(DualPoint& point) const { multiply(point.v, false); }
  void to_solver(PrimalPoint& point) const { multiply(point.v, false), multiply(point.w, true); }
  void to_model(DualPoint& point) const { multiply(point.v, true); }
  void to_model(PrimalPoint& point) const { multiply(point.v, true), multiply(point.w, false); }

  friend bool operator==(const SolverUnits&, const SolverUnits&) = default;

 private:
  void multiply(std::vector<double>& values, bool inverse) const;

  std::vector<double> unit_;
};

}  // namespace medlar
