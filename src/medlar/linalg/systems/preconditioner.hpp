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
  // The same as NewtonSystem::solve, for the approximation.
  virtual double solve(std::span<const double> r, double total, std::span<double> z) const = 0;
  // For conjugate gradients: the relative residual to reach (in the norm of the preconditioner), and the most steps to
  // take. A whole factor needs two or three steps, a partial one may need hundreds.
  virtual double accuracy() const = 0;
  virtual int max_steps() const = 0;
  virtual std::string form() const = 0;
  virtual std::string why() const = 0;
};

// Chooses by shape: the smaller of examples and features, complete or partial.
std::unique_ptr<Preconditioner> make_preconditioner(const Matrix& x, Index largest_factor);

}  // namespace medlar
