// Fewer examples than columns, normal together: every M that their fit can meet is that of the prior outside the
// directions in which they lie (docs/theory.md#generative). In units of the columns' deviations,
//
//   x = B z + rest,   |rest|^2 = rho,     M = B M_B B^T + level (1 - B B^T)
//
// with B orthonormal, of r <= T + 1 directions that hold all examples and the mean. Algebra on M is then that on the
// r x r matrix M_B; an example seen later also has a rest.
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

  // Of rows that follow each other in x, under the prior of gaussian_full.cpp; nullptr unless the columns outnumber
  // the directions.
  static std::shared_ptr<const GaussianSpan> of(std::span<const double> x, std::span<const ColumnMoments> moments,
                                                double strength);
  // The numbers of shape(), and back; nullptr if they are none of such a span.
  std::vector<double> numbers() const;
  static std::shared_ptr<const GaussianSpan> from(std::span<const double> numbers, Index columns);

  double log_scale() const;  // the sum of log scale
  // z = B^T (x / scale); returns rho.
  double project(std::span<const double> x, std::span<double> z) const;
  Index outside() const { return columns - directions; }
};

}  // namespace medlar
