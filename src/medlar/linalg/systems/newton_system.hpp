// The linear system of a Newton step in the multipliers:
//
//   ( diag(h) + X C X^T + sigma2 1 1^T ) delta + b 1 = r,      C = diag(d) + sum_g kappa_g v_g v_g^T
//
// h > 0 is the curvature of the potentials and C that of the log-partition (docs/theory.md#switches, #interior-point).
// Under a flat bias sum_t delta_t is given and b is its multiplier; else b = 0. The system is solved by conjugate
// gradients (within that plane), preconditioned by a Cholesky factor of
//
//   examples   the T x T matrix (fewer examples than features), or
//   features   I + B^T diag(1/h) B, B B^T = X C X^T + sigma2 1 1^T (fewer features; Woodbury).
//
// When both are too large to factor, only the rows (or columns) that matter most enter the factor, and the others count
// by their diagonal. The iteration corrects both the rounding of an exact factor and the omissions of a partial one.
// With an exact factor it takes two or three steps, and makes gaps of 1e-9 reachable at c = 1e4.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "medlar/matrix.hpp"
#include "medlar/thresholds/direct_factor.hpp"

namespace medlar {

struct Curvature {
  std::vector<double> d;            // one per feature
  std::vector<double> kappa;        // one per group; empty without groups
  std::span<const double> v;        // V, whose parts v_g span the rank-one terms
  std::span<const Index> group_of;  // empty without groups
  double sigma2 = 0;                // prior variance of the bias; 0 for none or flat
  bool flat = false;                // flat bias: sum_t delta_t is given
};

class NewtonSystem {
 public:
  // `stop` is asked between steps of conjugate gradients. The factor is partial when both sides exceed
  // `largest_factor`.
  NewtonSystem(const Matrix& x, std::function<bool()> stop, Index largest_factor = kLargestWholeFactor);
  ~NewtonSystem();
  NewtonSystem(const NewtonSystem&) = delete;
  NewtonSystem& operator=(const NewtonSystem&) = delete;

  // Prepares the preconditioner for these curvatures; h has one entry per example.
  void assemble(std::span<const double> h, const Curvature& curvature);

  // Solves for one right-hand side: to rounding with a whole factor, as far as a Newton step needs with a partial one.
  // Returns b. `total` is the given sum of delta under a flat bias, and unused otherwise.
  double solve(std::span<const double> r, double total, std::span<double> delta);

  Index passes() const;      // passes over the data so far
  std::string form() const;  // "examples" or "features", and whether the factor is partial
  std::string why() const;   // the sizes that decided it

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// u <- C u
void apply_curvature(const Curvature& curvature, std::span<double> u);

}  // namespace medlar
