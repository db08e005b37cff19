// The linear system of a Newton step over constraints between classes of a kernel problem, from the block K of the Gram
// matrix of their examples (solvers/kernel/class_kernel_newton.hpp).
#pragma once

#include <span>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

class ClassKernelSystem {
 public:
  // `block` is row-major and symmetric, and must outlive this.
  ClassKernelSystem(std::span<const double> block, Index side, Index classes)
      : block_(block), side_(side), classes_(classes) {}

  // A constraint of the example at that place of the block, for class `up` and against class `down`.
  void add(Index place, Index up, Index down, double h, double slope) {
    place_.push_back(place), up_.push_back(up), down_.push_back(down);
    h_.push_back(h), slope_.push_back(slope);
  }

  struct Step {
    std::vector<double> d;     // one per constraint
    std::vector<double> bias;  // flat: the change of each class's, 0 in sum
  };
  // `totals` is what each class receives so far; under flat biases the step brings it back to 0.
  Step solve(double scale, double sigma2, bool flat, std::span<const double> totals) const;

 private:
  std::span<const double> block_;
  Index side_, classes_;
  std::vector<Index> place_, up_, down_;
  std::vector<double> h_, slope_;
};

// out_k = scale K x_k, class by class
void multiply_classes(std::span<const double> block, Index side, double scale, std::span<const double> x,
                      std::span<double> out);

}  // namespace medlar
