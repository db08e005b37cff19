// Approximate inverses for the Newton system: Cholesky factors of the T x T matrix or of its n x n twin.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "medlar/linalg/systems/newton_system.hpp"

namespace medlar {

class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  virtual void assemble(std::span<const double> h, const Curvature& curvature) = 0;
  // As NewtonSystem::solve, for the approximation.
  virtual double solve(std::span<const double> r, double total, std::span<double> z) const = 0;
  // Of conjugate gradients: the relative residual (in the norm of the preconditioner) that is asked for, and the steps
  // after which a solution is taken as it is. A whole factor needs two or three, a partial one may need hundreds.
  virtual double accuracy() const = 0;
  virtual int max_steps() const = 0;
  virtual std::string form() const = 0;
  virtual std::string why() const = 0;
};

// Chooses by shape: the smaller of examples and features, complete or partial.
std::unique_ptr<Preconditioner> make_preconditioner(const Matrix& x, Index largest_factor);

}  // namespace medlar
