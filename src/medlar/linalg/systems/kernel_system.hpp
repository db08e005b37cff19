// The linear system of a Newton step over some unknowns of a kernel problem, from the block K of the Gram matrix of
// their examples. One output has an unknown for each example:
//
//   (scale K + diag(h) + sigma2 1 1^T) d + b 1 = slope,     sum d = -total and b free under a flat bias, else b = 0
//
// Several have one for each constraint between two of them; with R_ck = +1 where c speaks for output k and -1 where
// against it, R R^T stands for 1 1^T, and K_ce (R R^T)_ce for K.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "medlar/types.hpp"

namespace medlar {

// What moves in a step, and the slope of J along it.
struct KernelUnknowns {
  std::vector<Index> place;  // of its example in the block
  std::vector<double> h, slope;
  std::vector<Index> up, down;  // the outputs that it speaks for and against, where there are several
};

class KernelBlock {
 public:
  // Row-major, symmetric.
  KernelBlock(std::vector<double> values, Index side) : values_(std::move(values)), side_(side) {}

  std::size_t cells() const { return values_.size(); }

  struct Step {
    std::vector<double> d;     // one per unknown
    std::vector<double> bias;  // the change of each output's
  };
  // `totals`: what each output receives so far, which a step under flat biases makes up for.
  Step solve(const KernelUnknowns& unknowns, double scale, double sigma2, bool flat,
             std::span<const double> totals) const;

  // K x, output by output
  std::vector<double> times(std::span<const double> x) const;

 private:
  Step solve_one(const KernelUnknowns& unknowns, double scale, double sigma2, bool flat, double total) const;
  Step solve_several(const KernelUnknowns& unknowns, double scale, double sigma2, bool flat,
                     std::span<const double> totals) const;

  std::vector<double> values_;
  Index side_;
};

}  // namespace medlar
