// Jointly normal columns that outnumber the examples. Outside the directions in which the examples lie, every M that
// the fit can meet equals that of the prior (docs/theory.md#generative). In units of the columns' deviations,
//
//   x = B z + rest,   |rest|^2 = rho,     M = B M_B B^T + level (1 - B B^T)
//
// with B orthonormal, of r <= T + 1 directions that hold all examples and the mean. Algebra on M is then algebra on the
// r x r matrix M_B. An example that was not in the fit also has a rest.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "medlar/priors/families/family.hpp"

namespace medlar {

struct GaussianSpan {
  Index columns = 0, directions = 0;
  double level = 1;           // of M outside the directions
  std::vector<double> scale;  // of each column
  std::vector<double> basis;  // B, direction by direction

  // The span of the rows of x, under the prior of gaussian_full.cpp; nullptr unless there are more columns than
  // directions.
  static std::shared_ptr<const GaussianSpan> of(std::span<const double> x, std::span<const ColumnMoments> moments,
                                                double strength);
  // Writes the numbers of shape(), and reads them back; nullptr if they describe no such span.
  std::vector<double> numbers() const;
  static std::shared_ptr<const GaussianSpan> from(std::span<const double> numbers, Index columns);

  double log_scale() const;  // the sum of log scale
  // z = B^T (x / scale); returns rho.
  double project(std::span<const double> x, std::span<double> z) const;
  Index outside() const { return columns - directions; }
};

}  // namespace medlar
